// Flags, early access and surveys: made, opened, tried, used, answered.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { PostHog } from 'posthog-node';
import { eventually } from '../eventually.ts';
import { isLong } from '../random.ts';
import { HOSTILE, sendSamplePeople } from './sample-people.ts';
import { lookAtScreens } from './screens.ts';
import { openProject } from './shared-app.ts';
import type { WebProject } from './web-app.ts';

let project: WebProject;
before(async () => {
  project = await openProject('Flags');
  await sendSamplePeople(project);
});

const findFlag = async (key: string) => (await project.send('GET', `/feature_flags/?search=${key}`)).results[0];

test('a flag with variants is opened for those on a plan, and one of them is told why they have it', async () => {
  await using visit = await project.open('/flags/new');
  const { page, faults } = visit;

  await page.getByRole('textbox', { name: 'Key' }).first().fill('new-checkout');
  await page.getByText('One of several variants').click();
  await page.getByRole('group', { name: 'Condition 1' }).getByRole('button', { name: 'Only those for whom…' }).click();
  await page.getByRole('menuitem', { name: 'Property of the person' }).click();
  await page.getByRole('button', { name: 'Property: Choose a property' }).click();
  await page.getByRole('option', { name: 'plan' }).click();
  await page.getByRole('combobox', { name: 'Values' }).fill('pro');
  await page.keyboard.press('Enter');
  await page.getByText(/Holds for 1 of \d people/).waitFor();
  await page.getByLabel('Rollout of condition 1, in percent').fill('100');
  await page.getByRole('textbox', { name: 'With test' }).fill('{"color": "green"}');
  await page.getByRole('textbox', { name: 'With control' }).fill('"plain"');
  await page.getByRole('button', { name: 'Make the flag' }).click();
  await page.getByRole('heading', { name: 'new-checkout' }).waitFor();
  await page.getByRole('link', { name: 'Try', exact: true }).click();
  await page.getByRole('button', { name: /^Person:/ }).click();
  await page.getByRole('textbox', { name: 'Search: Person' }).fill('ada');
  await page.getByRole('option', { name: /ada@example.com/ }).click();
  await page.getByText('Condition 1 holds, and the rollout lets them in.').waitFor();
  const value = await page.getByText(/^(control|test)$/).textContent();

  const client = new PostHog(project.key, { host: project.app.url });
  const [forAda, forBob] = [await client.evaluateFlags('ada'), await client.evaluateFlags('bob')];
  assert.equal(forAda.getFlag('new-checkout'), value);
  assert.equal(forBob.getFlag('new-checkout'), false);
  await client.shutdown();
  assert.match(page.url(), /as=ada/);
  assert.deepEqual(faults, []);
});

test('a change that cannot be kept is refused in words, and nothing that was typed is lost', async () => {
  await using visit = await project.open('/flags/new');
  const { page } = visit;

  await page.getByRole('textbox', { name: 'Key' }).first().fill('new-checkout');
  await page.getByRole('button', { name: 'Make the flag' }).click();
  await page.getByRole('alert').getByText('There is already a feature flag with this key.').waitFor();

  assert.equal(await page.getByRole('textbox', { name: 'Key' }).first().inputValue(), 'new-checkout');
});

test('a flag is switched off in the list, and on again by undo', async () => {
  await using visit = await project.open('/flags');
  const { page } = visit;

  await page.getByRole('switch', { name: 'new-checkout is on' }).click({ force: true });
  await eventually('the flag is off', async () => (await findFlag('new-checkout')).active === false);
  await page.getByRole('button', { name: 'Undo' }).click();

  await eventually('the flag is on', async () => (await findFlag('new-checkout')).active === true);
});

test('how a flag is used is counted from what SDKs report', async () => {
  await project.settled();
  const { id } = await findFlag('new-checkout');
  await using visit = await project.open(`/flags/${id}?view=usage`);

  await visit.page.getByRole('cell', { name: /^(control|test)$/ }).waitFor();
  await visit.page.getByRole('img', { name: /How often new-checkout was asked for/ }).waitFor();
});

test('a feature for early access gets a flag of its own, and is closed again by its stage', async () => {
  await using visit = await project.open('/early-access');
  const { page } = visit;

  await page.getByRole('button', { name: 'New feature' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Dark hats');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'dark-hats' }).waitFor();
  await page.getByRole('combobox', { name: 'Stage of Dark hats' }).click();
  await page.getByRole('option', { name: 'Archived' }).click();

  await eventually('the flag is closed', async () => (await findFlag('dark-hats')).filters.super_groups === null);
});

test('a survey is written, started and answered, and the answers are counted', async () => {
  await using visit = await project.open('/surveys/new');
  const { page, faults } = visit;
  await page.getByRole('textbox', { name: 'Name' }).fill('Hats');
  await page.getByRole('group', { name: 'Question 1' }).getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'One of several' }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('Do you wear a hat?');
  await page.getByRole('button', { name: 'Make the survey' }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('running', { exact: true }).waitFor();

  const [survey] = (await project.send('GET', '/surveys/')).results;
  const answer = (choice: string) => ({
    $survey_id: survey.id,
    [`$survey_response_${survey.questions[0].id}`]: choice,
  });
  await project.capture([
    { event: 'survey shown', distinct_id: 'ada', properties: { $survey_id: survey.id } },
    { event: 'survey sent', distinct_id: 'ada', properties: answer('Yes') },
    { event: 'survey sent', distinct_id: 'bob', properties: answer(HOSTILE) },
  ]);
  await project.settled();
  await page.reload();

  await page.getByText('2 answers').waitFor();
  await page.getByRole('progressbar', { name: 'Yes: 1' }).waitFor();
  await page.getByRole('progressbar', { name: `${HOSTILE}: 1` }).waitFor();
  assert.deepEqual(faults, []);
});

test('every screen fits, keeps nobody out, and takes nothing on it for code', async () => {
  const flag = await findFlag('new-checkout');
  const [survey] = (await project.send('GET', '/surveys/')).results;

  const screens = [
    { name: 'flag', path: `/flags/${flag.id}`, heading: 'new-checkout' },
    { name: 'flags', path: '/flags', heading: 'Feature flags' },
    { name: 'survey', path: `/surveys/${survey.id}`, heading: 'Hats' },
    { name: 'new-survey', path: '/surveys/new', heading: 'New survey' },
    { name: 'flag-try', path: `/flags/${flag.id}?view=try&as=ada`, heading: 'new-checkout' },
    { name: 'flag-usage', path: `/flags/${flag.id}?view=usage`, heading: 'new-checkout' },
    { name: 'flag-history', path: `/flags/${flag.id}?view=history`, heading: 'new-checkout' },
    { name: 'new-flag', path: '/flags/new', heading: 'New flag' },
    { name: 'early-access', path: '/early-access', heading: 'Early access' },
    { name: 'surveys', path: '/surveys', heading: 'Surveys' },
  ];
  // Short runs look at those that hold the most.
  await lookAtScreens(project, isLong ? screens : screens.slice(0, 4));
});
