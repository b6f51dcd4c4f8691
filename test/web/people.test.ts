// Events and the people behind them: watched, found, described, changed, taken apart, gathered in cohorts.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { isLong } from '../random.ts';
import { HOSTILE, sendSamplePeople } from './sample-people.ts';
import { lookAtScreens } from './screens.ts';
import { openProject } from './shared-app.ts';
import type { WebProject } from './web-app.ts';

const EMPTY_PLACES = [
  { name: 'events', heading: 'Events' },
  { name: 'events/live', heading: 'Live events' },
  { name: 'persons', heading: 'People' },
  { name: 'cohorts', heading: 'Cohorts' },
  { name: 'definitions/events', heading: 'Event names' },
  { name: 'flags', heading: 'Feature flags' },
  { name: 'early-access', heading: 'Early access' },
  { name: 'surveys', heading: 'Surveys' },
  { name: 'exports', heading: 'Batch exports' },
  { name: 'health', heading: 'Health' },
];

let project: WebProject;
before(async () => {
  project = await openProject('People');
  await sendSamplePeople(project);
});

const findPerson = async (distinct_id: string) =>
  (await project.send('GET', `/persons/?distinct_id=${encodeURIComponent(distinct_id)}`)).results[0];

test('an event shows in the live feed as it arrives, and is found again by its name and its properties', async () => {
  await using visit = await project.open('/events/live?event=coffee');
  const { page, faults } = visit;
  await page.getByText('Connected').waitFor();

  await project.capture([
    { event: 'drank coffee', distinct_id: 'ada', properties: { size: 'large' } },
    { event: 'drank tea', distinct_id: 'ada', properties: { size: 'small' } },
  ]);
  await page.getByRole('link', { name: 'drank coffee' }).click();
  await page.getByRole('heading', { name: 'drank coffee' }).waitFor();
  await page.getByRole('link', { name: 'All of these events' }).click();
  await page.getByRole('button', { name: 'Details of drank coffee' }).click();

  await page.getByRole('cell', { name: 'large', exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: /Details of/ }).count(), 1);
  assert.match(page.url(), /event=drank/);
  assert.deepEqual(faults, []);
});

test('a person is found by part of a name, and a property of theirs is changed, removed and brought back', async () => {
  await using visit = await project.open('/persons');
  const { page } = visit;

  await page.getByRole('textbox', { name: 'Search people' }).fill('ada@exam');
  await page.getByRole('link', { name: 'ada@example.com' }).click();
  await page.getByRole('link', { name: 'Properties' }).click();
  await page.getByRole('button', { name: 'Change plan' }).click();
  await page.getByRole('textbox', { name: 'Value' }).fill('enterprise');
  await page.getByRole('button', { name: 'Save' }).click();
  await eventually('the change has arrived', async () => (await findPerson('ada')).properties.plan === 'enterprise');
  await page.getByRole('button', { name: 'Remove plan' }).click();
  await eventually('the property is gone', async () => (await findPerson('ada')).properties.plan === undefined);
  await page.getByRole('button', { name: 'Undo' }).click();

  await eventually('the property is back', async () => (await findPerson('ada')).properties.plan === 'enterprise');
});

test('somebody who was taken for one person is split in two, and one of them deleted', async () => {
  const { uuid } = await findPerson('bob');
  await using visit = await project.open(`/persons/${uuid}?view=properties`);
  const { page } = visit;

  await page.getByRole('button', { name: 'Keep only this' }).first().click();
  await page.getByRole('button', { name: 'Split', exact: true }).click();
  await page.getByText('The person was split.').waitFor();
  const ids = await Promise.all(['bob', 'bob-on-the-phone'].map(findPerson));
  await page.goto(project.page('/person?distinct_id=bob-on-the-phone'));
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('menuitem', { name: 'The person', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The person was deleted.').waitFor();

  assert.notEqual(ids[0].uuid, ids[1].uuid);
  assert.equal(await findPerson('bob-on-the-phone'), undefined);
});

test('a cohort is made by what is known of people, and another by a list of their ids', async () => {
  await using visit = await project.open('/cohorts/new');
  const { page } = visit;

  await page.getByRole('textbox', { name: 'Name' }).fill('Hat buyers');
  await page.getByRole('button', { name: 'Event: Choose an event' }).click();
  await page.getByRole('option', { name: 'bought a hat' }).click();
  await page.getByRole('button', { name: 'Make the cohort' }).click();
  await page.getByRole('heading', { name: 'Hat buyers' }).waitFor();
  await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
  const buyers = await page.getByRole('row').count();
  await page.goto(project.page('/cohorts/new'));
  await page.getByRole('textbox', { name: 'Name' }).fill('Friends');
  await page.getByText('Named one by one').click();
  await page.getByRole('textbox', { name: 'Distinct ids' }).fill('id,since\nlayla,2025\nunknown,2025');
  await page.getByRole('button', { name: 'Make the cohort' }).click();
  await page.getByRole('heading', { name: 'Friends' }).waitFor();

  await page.getByRole('link', { name: 'layla' }).waitFor();
  assert.equal(buyers, 2, 'a head and one person');
});

test('what an event means is written down, and shown beside its name', async () => {
  await using visit = await project.open('/definitions/events?search=hat');
  const { page } = visit;

  await page.getByRole('button', { name: 'Describe bought a hat' }).click();
  await page.getByRole('textbox', { name: 'Description' }).fill('Somebody paid for a hat.');
  await page.getByRole('switch', { name: 'Verified' }).check();
  await page.getByRole('button', { name: 'Save' }).click();

  await page.getByRole('cell', { name: 'Somebody paid for a hat.' }).waitFor();
  await page.getByLabel('Verified').waitFor();
});

test('the account of events adds up, warnings name what was dropped, and the engines tell their sizes', async () => {
  await using visit = await project.open('/health');
  const { page, faults } = visit;

  await page.getByRole('button', { name: /Missing distinct id/ }).click();
  await page.getByRole('cell', { name: /bought a hat/ }).waitFor();
  await page.getByRole('cell', { name: 'events', exact: true }).waitFor();
  const { disk, services } = await project.app.send('GET', '/api/instance/');

  assert.ok(disk.bytes_free > 0 && disk.bytes_free <= disk.bytes_total);
  assert.ok(services.every(({ state }: { state: string }) => state === 'ok'));
  assert.deepEqual(faults, []);
});

test('every screen fits, keeps nobody out, and takes nothing on it for code', async () => {
  await project.settled();
  const ada = await findPerson('ada');
  const hostile = await findPerson(HOSTILE);
  const [cohort] = (await project.send('GET', '/cohorts/')).results;
  const openFirst = (name: RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

  const screens = [
    { name: 'events', path: '/events', heading: 'Events', prepare: openFirst(/Details of <img/) },
    { name: 'health', path: '/health', heading: 'Health' },
    { name: 'person-properties', path: `/persons/${hostile.uuid}?view=properties`, heading: HOSTILE },
    { name: 'cohort', path: `/cohorts/${cohort.id}`, heading: cohort.name },
    { name: 'live', path: '/events/live', heading: 'Live events' },
    { name: 'event-names', path: '/definitions/events', heading: 'Event names' },
    { name: 'properties', path: '/definitions/properties', heading: 'Properties' },
    { name: 'persons', path: '/persons', heading: 'People' },
    { name: 'person', path: `/persons/${ada.uuid}`, heading: 'ada@example.com' },
    { name: 'person-flags', path: `/persons/${ada.uuid}?view=flags`, heading: 'ada@example.com' },
    { name: 'person-changes', path: `/persons/${ada.uuid}?view=changes`, heading: 'ada@example.com' },
    { name: 'groups', path: '/groups/0', heading: 'Groups' },
    { name: 'group', path: '/groups/0/acme', heading: `Acme ${HOSTILE}` },
    { name: 'cohorts', path: '/cohorts', heading: 'Cohorts' },
    { name: 'new-cohort', path: '/cohorts/new', heading: 'New cohort' },
  ];
  // Short runs look at those that hold the most.
  await lookAtScreens(project, isLong ? screens : screens.slice(0, 4));
});

const skip = isLong ? false : 'looked at in the long form: npm run test:long web/people';

test('a project without anything teaches what each place is for', { skip }, async () => {
  await lookAtScreens(
    await openProject('Empty'),
    EMPTY_PLACES.map(({ name, heading }) => ({ name: `empty-${name.replace('/', '-')}`, path: `/${name}`, heading })),
  );
});
