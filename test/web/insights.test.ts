// Questions asked in the browser, from the first event picked to the chart on a dashboard.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { isLong } from '../random.ts';
import { sendSampleEvents } from './sample-events.ts';
import { lookAtScreens, settle } from './screens.ts';
import { openProject } from './shared-app.ts';
import type { WebProject } from './web-app.ts';

let project: WebProject;
before(async () => {
  project = await openProject('Insights');
  await sendSampleEvents(project);
});

const NEW = '/insights/new';

const chooseKind = (page: Page, kind: string) =>
  page.getByRole('radiogroup', { name: 'Kind of insight' }).getByText(kind, { exact: true }).click();

async function pickEvent(page: Page, label: string, event: string): Promise<void> {
  await page.getByRole('button', { name: `${label}:` }).click();
  await page.getByRole('textbox', { name: `Search: ${label}` }).fill(event);
  await page.getByRole('option', { name: event }).click();
}

const ask = (query: object) => `${NEW}?q=${encodeURIComponent(JSON.stringify(query))}`;
const trend = (display: string, breakdown: string) => ({
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: '$pageview', name: '$pageview', math: 'total' }],
  dateRange: { date_from: '-14d' },
  trendsFilter: { display },
  breakdownFilter: { breakdown, breakdown_type: 'event' },
});

test('a trend is asked while it is built, broken down, saved to a dashboard and found there', async () => {
  const dashboard = await project.send('POST', '/dashboards/', { name: 'Growth' });
  await using visit = await project.open(NEW);
  const { page, faults, foreign } = visit;

  await pickEvent(page, 'Event A', 'signed up');
  await page.getByRole('button', { name: 'Break down by:' }).click();
  await page.getByRole('textbox', { name: 'Search: Break down by' }).fill('plan');
  await page.getByRole('option', { name: 'plan' }).click();
  await page.getByRole('cell', { name: 'pro', exact: true }).waitFor();
  const asked = new URL(page.url());
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('combobox', { name: 'Dashboards' }).fill('Growth');
  await page.getByRole('option', { name: /Growth/ }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Sign-ups by plan');
  await page.getByRole('button', { name: 'Save the insight' }).click();
  await page.getByRole('heading', { name: 'Sign-ups by plan' }).waitFor();
  await page.goto(project.page(`/dashboards/${dashboard.id}`));
  await page.getByRole('img', { name: 'Chart: Sign-ups by plan' }).waitFor();

  const { results } = await project.send('GET', '/insights/?search=plan');
  assert.equal(results[0].query.source.series[0].event, 'signed up');
  assert.equal(results[0].query.source.breakdownFilter.breakdown, 'plan');
  // What was asked stands in the address, so that it can be sent to somebody.
  assert.match(asked.search, /signed/);
  assert.deepEqual({ faults, foreign }, { faults: [], foreign: [] });
});

test('a link to a question that nobody saved opens that question, and undo leads back through its changes', async () => {
  const query = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'bought', name: 'bought', math: 'total' }],
  };
  await using visit = await project.open(ask(query));
  const { page } = visit;

  await page.getByRole('cell', { name: 'bought' }).waitFor();
  await pickEvent(page, 'Event A', 'signed up');
  await page.getByRole('cell', { name: 'signed up' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('cell', { name: 'bought' }).waitFor();
  await page.getByRole('button', { name: 'Redo' }).click();
  await page.getByRole('cell', { name: 'signed up' }).waitFor();
});

test('a number leads to the people behind it, and downloads as a table', async () => {
  const query = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: '$pageview', name: 'Views', math: 'dau' }],
  };
  await using visit = await project.open(ask(query));
  const { page } = visit;

  await page
    .getByTitle(/^Who: /)
    .last()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('link', { name: /^person-/ })
    .first()
    .waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'More for this insight' }).click();
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download CSV' }).click(),
  ]);

  const [head = ''] = readFileSync(await csv.path(), 'utf8').split('\r\n');
  assert.match(head, /^series,\d{4}-\d\d-\d\d,/);
});

test('a chart is downloaded as a picture', async () => {
  await using visit = await project.open(ask(trend('ActionsLineGraph', '$browser')));
  const { page } = visit;

  await page.getByRole('img', { name: /^Chart/ }).waitFor();
  await settle(page);
  await page.getByRole('button', { name: 'More for this insight' }).click();
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download picture' }).click(),
  ]);

  assert.match(picture.suggestedFilename(), /\.png$/);
  assert.deepEqual([...readFileSync(await picture.path()).subarray(1, 4)], [...Buffer.from('PNG')]);
});

test('filters in groups of which any holds are written by hand, asked, and kept in the address', async () => {
  const query = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'signed up', name: 'signed up', math: 'total' }],
    properties: [{ key: 'plan', type: 'event', operator: 'exact', value: ['free'] }],
    trendsFilter: { display: 'BoldNumber' },
  };
  const count = async (properties: unknown) => {
    const { results } = await project.app.send('POST', `/api/environments/${project.id}/query/`, {
      query: { ...query, properties },
    });
    return results[0].aggregated_value as number;
  };
  await using visit = await project.open(ask(query));
  const { page, faults } = visit;

  await page.getByRole('button', { name: 'Another group' }).click();
  const second = page.getByRole('group', { name: 'Group 2' });
  await second.getByRole('button', { name: 'Property: Choose a property' }).click();
  await page.getByRole('textbox', { name: 'Search: Property' }).fill('plan');
  await page.getByRole('option', { name: 'plan' }).click();
  await second.getByRole('combobox', { name: 'Values' }).fill('pro');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const [free, all] = [await count(query.properties), await count([])];
  await page
    .getByRole('cell', { name: String(all), exact: true })
    .first()
    .waitFor();

  assert.ok(free < all, 'one plan is less than both');
  assert.match(decodeURIComponent(page.url()), /"type":"OR"/);
  assert.deepEqual(faults, []);
});

test('every kind of insight answers with its own chart', async () => {
  await using visit = await project.open(NEW);
  const { page, faults } = visit;
  const answers = [
    ['Funnel', page.getByRole('region', { name: 'Funnel' })],
    ['Retention', page.getByRole('columnheader', { name: 'Day 1' })],
    ['Lifecycle', page.getByRole('cell', { name: /returning/ })],
    ['Stickiness', page.getByRole('columnheader', { name: '2 days' })],
    ['Paths', page.getByRole('img', { name: /^Paths/ })],
    ['SQL', page.getByRole('cell', { name: '$pageview', exact: true })],
  ] as const;
  for (const [kind, answer] of answers) {
    await chooseKind(page, kind);
    await answer.first().waitFor();
  }
  assert.deepEqual(faults, []);
});

test('retention is counted from the moment one began, and adds up what people spent', async () => {
  const entity = (id: string) => ({ id, name: id, type: 'events' });
  const retentionFilter = {
    retentionType: 'retention_recurring',
    targetEntity: entity('$pageview'),
    returningEntity: entity('bought'),
    cumulative: true,
  };
  await using visit = await project.open(
    ask({ kind: 'RetentionQuery', dateRange: { date_from: '-7d' }, retentionFilter }),
  );
  const { page, faults } = visit;

  await page.getByRole('combobox', { name: 'which begins' }).click();
  await page.getByRole('option', { name: 'from the moment one began' }).click();
  await page.getByRole('combobox', { name: 'Show' }).click();
  await page.getByRole('option', { name: 'The sum of' }).click();
  await page.getByRole('button', { name: 'Property to add up' }).click();
  await page.getByRole('option', { name: 'price' }).click();
  await page.waitForURL(/aggregationProperty/);
  const query = JSON.parse(new URL(page.url()).searchParams.get('q') ?? '');
  const { results } = await project.send('POST', '/query/', { query });
  const amounts = results.flatMap(({ values }: { values: { aggregation_value: number }[] }) =>
    values.map(({ aggregation_value }) => aggregation_value),
  );
  const most = Math.max(...amounts);
  await page
    .getByRole('button', { name: most.toLocaleString('en'), exact: true })
    .first()
    .waitFor();

  assert.ok(most > 0);
  assert.equal(query.retentionFilter.timeWindowMode, '24_hour_windows');
  assert.equal(query.retentionFilter.cumulative, undefined);
  assert.deepEqual(faults, []);
});

test('SQL is run by keyboard, its rows scroll however many, and a mistake is said where it was made', async () => {
  const query = { kind: 'HogQLQuery', query: 'select 1 as one' };
  await using visit = await project.open(ask(query));
  const { page, faults } = visit;

  const editor = page.getByRole('textbox', { name: 'SQL' });
  await page.getByRole('columnheader', { name: 'one' }).waitFor();
  const run = async (sql: string) => {
    await editor.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(sql);
    await page.keyboard.press('Control+Enter');
  };
  await run('select arrayJoin(range(20000)) as number limit 20000');
  await page.getByText('20,000 rows').waitFor();
  await page.getByRole('region', { name: 'Rows of the answer' }).press('End');
  await page.getByRole('cell', { name: '19999' }).waitFor();
  await run('select nothing from nowhere');
  await page
    .getByRole('alert')
    .getByText(/nowhere/)
    .waitFor();

  assert.deepEqual(faults, []);
});

test('screens of insights fit, and keep nobody out', () =>
  lookAtScreens(project, [
    { name: 'insights', path: '/insights', heading: 'Insights' },
    { name: 'insight-lines', path: ask(trend('ActionsLineGraph', '$browser')), heading: 'New insight' },
    { name: 'insight-map', path: ask(trend('WorldMap', '$geoip_country_code')), heading: 'New insight' },
    { name: 'insight-pie', path: ask(trend('ActionsPie', '$browser')), heading: 'New insight' },
    ...(isLong ? ['Funnel', 'Retention', 'Lifecycle', 'Stickiness', 'Paths', 'SQL'] : ['Retention', 'SQL']).map(
      (kind) => ({
        name: `insight-${kind.toLowerCase()}`,
        path: NEW,
        heading: 'New insight',
        prepare: async (page: Page) => {
          await chooseKind(page, kind);
          await settle(page);
        },
      }),
    ),
  ]));
