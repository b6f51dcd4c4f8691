// The first five minutes: sign in, see what to paste, and watch the first event arrive.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  keepScreenshot,
  OWNER,
  PROJECT_KEY,
  requireAccessible,
  requireFits,
  startWebApp,
  type WebApp,
} from './web-app.ts';

let app: WebApp;
before(async () => {
  app = await startWebApp();
});
after(() => app?.[Symbol.asyncDispose]());

test('the owner signs in, is shown what to paste, and sees the first event the moment it arrives', async () => {
  await using visit = await app.visit('/');
  const { page, faults, foreign } = visit;

  await page.getByLabel('E-mail').fill(OWNER.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Waiting for your first event' }).waitFor();
  const snippet = await page.getByRole('region', { name: 'HTML snippet' }).textContent();
  await app.capture([{ event: 'signed <b>up</b>', distinct_id: 'ada', properties: {} }]);
  await page.getByRole('cell', { name: 'signed <b>up</b>' }).waitFor();
  await keepScreenshot(page, 'welcome');

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

const screens = [
  { name: 'welcome', path: '/project/1/welcome', heading: 'Send events' },
  { name: 'dashboards', path: '/project/1/dashboards', heading: 'Dashboards' },
  { name: 'new-dashboard', path: '/project/1/dashboards/new', heading: 'New dashboard' },
  { name: 'profile', path: '/account', heading: 'Profile' },
  { name: 'keys', path: '/account/keys', heading: 'Personal API keys' },
  { name: 'members', path: '/account/members', heading: 'Members' },
  { name: 'projects', path: '/account/projects', heading: 'Projects' },
];

for (const { width, colorScheme } of [
  { width: 390, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light' },
] as const) {
  test(`every screen fits ${width} pixels in ${colorScheme} colours, and keeps nobody out`, async () => {
    for (const { name, path, heading } of screens) {
      await using visit = await app.open(path, { viewport: { width, height: 900 }, colorScheme });
      const { page, faults, foreign } = visit;
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });

      await keepScreenshot(page, `${name}-${width}-${colorScheme}`);
      await requireFits(page);
      await requireAccessible(page);
      assert.deepEqual({ name, faults, foreign }, { name, faults: [], foreign: [] });
    }
  });
}
