// The first five minutes: sign in, see what to paste, and watch the first event arrive; then oneself and one's people.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { lookAtScreens } from './screens.ts';
import { shareWebApp } from './shared-app.ts';
import { OWNER, PROJECT_KEY, projectOf, type WebApp, type WebProject } from './web-app.ts';

/** The project of the first start: nobody has sent anything to it. */
let project: WebProject;
let app: WebApp;
before(async () => {
  app = await shareWebApp();
  project = projectOf(app, 1, PROJECT_KEY);
});

test('the owner signs in, is shown what to paste, and sees the first event the moment it arrives', async () => {
  await using visit = await app.visit('/');
  const { page, faults, foreign } = visit;

  await page.getByLabel('E-mail').fill(OWNER.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Waiting for your first event' }).waitFor();
  const snippet = await page.getByRole('region', { name: 'HTML snippet' }).textContent();
  await project.capture([{ event: 'signed <b>up</b>', distinct_id: 'ada', properties: {} }]);
  await page.getByRole('cell', { name: 'signed <b>up</b>' }).first().waitFor();

  assert.ok(snippet?.includes(PROJECT_KEY) && snippet.includes(app.url));
  assert.deepEqual({ faults, foreign }, { faults: [], foreign: [] });
});

test('a wrong password is said to be wrong, and a right one leads back to where one was going', async () => {
  await using visit = await app.visit('/project/1/dashboards?search=growth');
  const { page } = visit;

  await page.getByLabel('E-mail').fill(OWNER.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('not this one');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Dashboards' }).waitFor();

  assert.match(page.url(), /\/project\/1\/dashboards\?search=growth$/);
});

test('nobody is sent to another site after signing in', async () => {
  await using visit = await app.visit('/login?next=//elsewhere.example.com/');
  const { page, foreign } = visit;

  await page.getByLabel('E-mail').fill(OWNER.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();

  assert.equal(new URL(page.url()).origin, app.url);
  assert.deepEqual(foreign, []);
});

test("a key's value is shown once, and opens what its scopes say", async () => {
  await using visit = await app.open('/account/keys');
  const { page } = visit;

  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Label').fill('Reports');
  await page.getByRole('radiogroup', { name: 'Dashboards' }).getByText('Read').click();
  await page.getByRole('button', { name: 'Make the key' }).click();
  const key = await page.getByRole('region', { name: 'Personal API key' }).textContent();
  await page.reload();
  await page.getByRole('cell', { name: 'Reports' }).waitFor();

  const ask = (path: string) => fetch(app.url + path, { headers: { authorization: `Bearer ${key?.trim()}` } });
  assert.equal(await page.getByRole('region', { name: 'Personal API key' }).count(), 0);
  assert.equal((await ask('/api/projects/1/dashboards/')).status, 200);
  assert.equal((await ask('/api/projects/1/insights/')).status, 403);
});

test('somebody who is invited joins by the link and is signed in', async () => {
  await using inviting = await app.open('/account/members');
  await inviting.page.getByLabel('E-mail').fill('bea@example.com');
  await inviting.page.getByRole('button', { name: 'Invite' }).click();
  const link = await inviting.page.getByRole('region', { name: 'Link for bea@example.com' }).textContent();

  await using joining = await app.visit(new URL(link?.trim() ?? '').pathname);
  const { page } = joining;
  await page.getByLabel('Your first name').fill('Bea');
  await page.getByRole('textbox', { name: 'Password' }).fill('a password of her own');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.goto('/account');

  assert.equal(await page.getByLabel('E-mail').inputValue(), 'bea@example.com');
});

test('screens of the first minutes and of the account fit, and keep nobody out', () =>
  lookAtScreens(app, [
    { name: 'welcome', path: '/project/1/welcome', heading: 'Send events' },
    { name: 'new-dashboard', path: '/project/1/dashboards/new', heading: 'New dashboard' },
    { name: 'profile', path: '/account', heading: 'Profile' },
    { name: 'keys', path: '/account/keys', heading: 'Personal API keys' },
    { name: 'members', path: '/account/members', heading: 'Members' },
  ]));
