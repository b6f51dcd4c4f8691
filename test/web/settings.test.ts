// What is set for a project and its organization, and everything within reach of the keyboard.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { isLong } from '../random.ts';
import { makeDashboard } from './sample-dashboards.ts';
import { lookAtScreens, settle } from './screens.ts';
import { openProject } from './shared-app.ts';
import type { WebProject } from './web-app.ts';

let project: WebProject;
before(async () => {
  project = await openProject('Settings');
});

const readProject = () => project.send('GET', '/');

test('a project gets another time zone, which every page shows, and its old one by undo', async () => {
  await using visit = await project.open('/settings');
  const { page, faults } = visit;
  const general = page.getByRole('region', { name: 'General' });

  await general.getByRole('combobox', { name: 'Time zone' }).fill('Lisbon');
  await page.getByRole('option', { name: 'Europe/Lisbon' }).click();
  await general.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('navigation', { name: 'Main' }).getByText('Europe/Lisbon').waitFor();
  const changed = (await readProject()).timezone;
  await page.getByRole('button', { name: 'Undo' }).click();

  await eventually('the old time zone is back', async () => (await readProject()).timezone === 'UTC');
  assert.equal(changed, 'Europe/Lisbon');
  assert.deepEqual(faults, []);
});

test('test accounts are told apart by a condition, and what is taken in by switches', async () => {
  await project.capture([{ event: 'x', distinct_id: 'ada', properties: { $set: { email: 'ada@example.com' } } }]);
  await project.settled();
  await using visit = await project.open('/settings');
  const { page } = visit;
  const tests = page.getByRole('region', { name: 'Test accounts' });

  await tests.getByRole('button', { name: 'Condition', exact: true }).click();
  await tests.getByRole('radiogroup', { name: 'Property: of what' }).getByText('Person').click();
  await tests.getByRole('button', { name: 'Property: Choose a property' }).click();
  await page.getByRole('textbox', { name: 'Search: Property' }).fill('email');
  await page.getByRole('option', { name: 'email' }).first().click();
  await tests.getByRole('combobox', { name: 'Comparison' }).click();
  await page.getByRole('option', { name: 'does not contain' }).click();
  await tests.getByRole('combobox', { name: 'Value', exact: true }).fill('@example.com');
  await tests.getByRole('button', { name: 'Save the conditions' }).click();
  await page.getByRole('switch', { name: 'New insights are without test accounts' }).click({ force: true });
  await page.getByRole('switch', { name: 'Leave out addresses' }).click({ force: true });

  await eventually('all are kept', async () => {
    const { test_account_filters, test_account_filters_default_checked, anonymize_ips } = await readProject();
    const operator = test_account_filters[0]?.operator;
    return anonymize_ips && test_account_filters_default_checked && operator === 'not_icontains';
  });
  await page.goto(project.page('/insights/new'));
  assert.ok(await page.getByRole('switch', { name: 'Without test accounts' }).isChecked());
});

test('a key that was replaced no longer sends, and a project is deleted by its name only', async () => {
  const doomed = await openProject('Doomed');
  await using visit = await doomed.open('/settings');
  const { page } = visit;
  const send = async (token: string) => {
    const body = JSON.stringify({ api_key: token, batch: [{ event: 'x', distinct_id: 'ada', properties: {} }] });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${doomed.app.url}/batch/`, { method: 'POST', headers, body })).status;
  };

  await page.getByRole('button', { name: 'Replace the key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
  const key = page.getByRole('region', { name: 'Project key' }).last();
  await eventually('another key is shown', async () => (await key.textContent())?.trim() !== doomed.key);
  const statuses = [await send(doomed.key), await send((await key.textContent())?.trim() ?? '')];
  const confirm = page.getByRole('textbox', { name: /to go on$/ });
  await confirm.fill('Settings');
  const isRefused = await page.getByRole('button', { name: 'Delete the project' }).isDisabled();
  await confirm.fill('Doomed');
  await page.getByRole('button', { name: 'Delete the project' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith(doomed.page('/')));

  assert.deepEqual(statuses, [401, 200]);
  assert.ok(isRefused, 'another name does not delete it');
  const { results } = await doomed.app.send('GET', '/api/projects/?limit=500');
  assert.ok(!results.some(({ id }: { id: number }) => id === doomed.id));
});

test('an organization is renamed, and back by undo', async () => {
  const named = async () => (await project.app.send('GET', '/api/organizations/')).results[0].name;
  const before = await named();
  await using visit = await project.app.open('/account/organization');
  const { page } = visit;

  const present = page.getByRole('region', { name: before });
  await present.getByRole('textbox', { name: 'Name' }).fill('Hatters');
  await present.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Hatters' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();

  await eventually('it has its old name', async () => (await named()) === before);
});

/** What one can do something with and see, but did not come to; lists and groups that arrows walk through count once. */
const UNREACHED = `[...document.querySelectorAll(
  'a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=switch], [role=combobox], [contenteditable=true]',
)].filter((element) =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.disabled && !element.dataset.reached &&
  !element.closest('[aria-hidden=true], [inert]') && element.type !== 'radio' && element.type !== 'hidden')
  .map((element) => element.outerHTML.slice(0, 200))`;

/** From now on, what gets the focus is marked. */
const MARK = `addEventListener('focusin', ({ target }) => {
  document.body.dataset.again = target.dataset.reached ?? '';
  target.dataset.reached = 'yes';
})`;
const TABS_MAX = 300;
const TABS_AT_ONCE = 15;

async function walkByTab(page: Page): Promise<string[]> {
  await page.evaluate(MARK);
  for (let count = 0; count < TABS_MAX; count += TABS_AT_ONCE) {
    for (let tab = 0; tab < TABS_AT_ONCE; tab++) await page.keyboard.press('Tab');
    if (await page.evaluate('document.body.dataset.again === "yes"')) break;
  }
  return page.evaluate<string[]>(UNREACHED);
}

test('everything on the main screens is reached by the keyboard alone', async () => {
  const id = await makeDashboard(project, 'Reach', 2);
  const paths = [`/dashboards/${id}`, '/insights/new', '/flags/new', '/settings', '/exports/new/S3', '/events'];
  for (const path of isLong ? paths : paths.slice(0, 4)) {
    await using visit = await project.open(path);
    await visit.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    await settle(visit.page);

    assert.deepEqual({ path, unreached: await walkByTab(visit.page) }, { path, unreached: [] });
  }
});

test('one goes from place to place by two keys, and anywhere by the palette', async () => {
  await using visit = await project.open('/dashboards');
  const { page } = visit;
  await page.getByRole('heading', { name: 'Dashboards' }).waitFor();

  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await page.getByRole('heading', { name: 'Feature flags', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search pages and dashboards' }).fill('organization');
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { name: 'Organization', exact: true }).waitFor();
});

test('screens of settings fit, and keep nobody out', () =>
  lookAtScreens(project, [{ name: 'settings', path: '/settings', heading: 'Project settings' }]).then(() =>
    lookAtScreens(project.app, [
      { name: 'projects', path: '/account/projects', heading: 'Projects' },
      { name: 'organization', path: '/account/organization', heading: 'Organization' },
    ]),
  ));
