// Batch exports: made by a form, tried, run, read about, paused, and the past shipped.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { isLong } from '../random.ts';
import { HOSTILE } from './sample-people.ts';
import { lookAtScreens } from './screens.ts';
import { openProject } from './shared-app.ts';
import type { WebProject } from './web-app.ts';

let project: WebProject;
before(async () => {
  project = await openProject('Exports');
});

const PATH = '/batch_exports/';
const toFolder = (prefix: string) => ({ type: 'File', config: { prefix } });
const create = (name: string, more: object) =>
  project.send('POST', PATH, { name, interval: 'every 1 seconds', ...more });
const listRuns = async (id: string) => (await project.send('GET', `${PATH}${id}/runs/`)).results;
const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test('an export is made by a form that says what is missing, and its schedule is told in words', async () => {
  await using visit = await project.open('/exports/new');
  const { page, faults } = visit;

  await page.getByRole('link', { name: 'A folder on this server' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Backup');
  await page.getByRole('button', { name: 'Make the export' }).click();
  await page.getByText('This is needed.').waitFor();
  await page.getByRole('textbox', { name: 'Path' }).fill('backup/{year}/{month}/{day}/');
  await page.getByRole('combobox', { name: 'How often' }).click();
  await page.getByRole('option', { name: 'Every week' }).click();
  await page.getByRole('combobox', { name: 'On', exact: true }).click();
  await page.getByRole('option', { name: 'Monday' }).click();
  await page.getByText('Every Monday at 00:00 (UTC)').waitFor();
  await page.getByRole('button', { name: 'Make the export' }).click();
  await page.getByRole('heading', { name: 'Backup' }).waitFor();
  await page.getByRole('heading', { name: 'No runs here' }).waitFor();

  const [made] = (await project.send('GET', PATH)).results;
  assert.deepEqual([made.interval, made.offset_day, made.destination.type], ['week', 1, 'File']);
  assert.deepEqual(faults, []);
});

test('a connection is tried step by step, and what is wrong with it is said', async () => {
  await using visit = await project.open('/exports/new/S3');
  const { page } = visit;

  await page.getByRole('textbox', { name: 'Bucket' }).fill('lake');
  await page.getByRole('textbox', { name: 'Region' }).fill('eu-central-1');
  await page.getByRole('textbox', { name: 'Path' }).fill('events/');
  await page.getByRole('textbox', { name: 'Endpoint' }).fill('http://127.0.0.1:9');
  const steps = page.getByRole('status', { name: 'Steps of the test' });
  await page.getByRole('button', { name: 'Test the connection' }).click();
  await steps.getByText(/No credentials were given/).waitFor();
  await page.getByRole('textbox', { name: 'Access key id' }).fill('key');
  await page.getByRole('textbox', { name: 'Secret access key' }).fill('secret');
  await page.getByRole('button', { name: 'Test the connection' }).click();

  await steps.getByText(/127\.0\.0\.1 is in a private network/).waitFor();
});

test('a run shows how many rows and bytes it shipped and what it said, and is done again on request', async () => {
  await project.capture([{ event: HOSTILE, distinct_id: 'ada', properties: {} }]);
  await project.settled();
  const { id } = await create(`Every second ${HOSTILE}`, { destination: toFolder('often/') });
  await project.capture([{ event: 'shipped', distinct_id: 'ada', properties: {} }]);
  await eventually('a run has shipped the event', async () =>
    (await listRuns(id)).some((run: { records_completed: number }) => run.records_completed > 0),
  );
  const { id: runId } = (await listRuns(id)).find((run: { records_completed: number }) => run.records_completed > 0);
  await using visit = await project.open(`/exports/${id}`);
  const { page, faults } = visit;

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Nothing is shipped by the schedule').waitFor();
  await page.getByText('done').first().waitFor();
  await page.goto(project.page(`/exports/${id}?view=logs&instance_id=${runId}`));
  await page.getByRole('textbox', { name: 'Search the log' }).fill('1');
  await page.getByRole('cell', { name: /1/ }).first().waitFor();
  await page.getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('button', { name: 'Retry the run' }).first().click();

  await page
    .getByText(/by a backfill/)
    .first()
    .waitFor();
  assert.deepEqual(faults, []);
});

test('the past is shipped by a range of days, with an estimate, until somebody stops it', async () => {
  const { results } = await project.send('GET', PATH);
  const { id } = results.find(({ name }: { name: string }) => name.startsWith('Every second'));
  await using visit = await project.open(`/exports/${id}?view=backfills`);
  const { page } = visit;

  await page.getByLabel('From').fill(dayAfter(-1));
  await page.getByLabel('Up to').fill(dayAfter(1));
  await page.getByText(/About [\d,]+ runs and up to \d+ events/).waitFor();
  await page.getByRole('button', { name: 'Begin' }).click();
  const cancel = page.getByRole('button', { name: 'Cancel the backfill' });
  await cancel.waitFor();

  // A machine that is busy may refuse the first time; people try again, as long as there is something to try.
  await eventually('the backfill is cancelled', async () => {
    await cancel.click({ timeout: 2_000 }).catch(() => {});
    return page.getByText('cancelled').first().isVisible();
  });
});

test('a run that failed says why, and what to do about it', async () => {
  const config = { bucket_name: 'lake', region: 'eu-central-1', prefix: 'x/', endpoint_url: 'http://127.0.0.1:9' };
  const { id } = await create('Nowhere', { destination: { type: 'S3', config } });
  await project.capture([{ event: 'not shipped', distinct_id: 'ada', properties: {} }]);
  await eventually('a run has failed', async () =>
    (await listRuns(id)).some((run: { status: string }) => run.status === 'Failed'),
  );
  await project.send('POST', `${PATH}${id}/pause/`);
  await using visit = await project.open(`/exports/${id}`);

  await visit.page
    .getByText(/then retry the run/)
    .first()
    .waitFor();
});

test('every screen fits, keeps nobody out, and takes nothing on it for code', async () => {
  const { results } = await project.send('GET', PATH);
  const named = (start: string) => results.find(({ name }: { name: string }) => name.startsWith(start));
  const often = named('Every second');

  const screens = [
    { name: 'export-runs', path: `/exports/${often.id}`, heading: often.name },
    { name: 'new-export-s3', path: '/exports/new/S3', heading: 'New export to S3' },
    { name: 'export-failed', path: `/exports/${named('Nowhere').id}`, heading: 'Nowhere' },
    { name: 'export-logs', path: `/exports/${often.id}?view=logs`, heading: often.name },
    { name: 'exports', path: '/exports', heading: 'Batch exports' },
    { name: 'new-export', path: '/exports/new', heading: 'New export' },
    { name: 'export-backfills', path: `/exports/${often.id}?view=backfills`, heading: often.name },
    { name: 'export-settings', path: `/exports/${often.id}?view=settings`, heading: often.name },
  ];
  // Short runs look at those that hold the most.
  await lookAtScreens(project, isLong ? screens : screens.slice(0, 4));
});
