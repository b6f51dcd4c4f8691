// Dashboards in the browser: made, filled, arranged, shared and deleted by hand.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { makeDashboard } from './sample-dashboards.ts';
import { sendSampleEvents } from './sample-events.ts';
import { keepScreenshot, lookAtScreens, settle } from './screens.ts';
import { openProject } from './shared-app.ts';
import type { WebProject } from './web-app.ts';

let project: WebProject;
before(async () => {
  project = await openProject('Dashboards');
  await sendSampleEvents(project);
});

const DASHBOARDS = '/dashboards/';

test('a template becomes a dashboard with charts, a name, tags and a text', async () => {
  await using visit = await project.open('/dashboards/new');
  const { page, faults, foreign } = visit;

  await page.getByRole('button', { name: 'Use Product analytics' }).click();
  await page.getByRole('img', { name: 'Chart: Daily active users (DAUs)' }).waitFor();
  await page.getByRole('button', { name: 'Change: Name of the dashboard' }).click();
  await page.getByRole('textbox', { name: 'Name of the dashboard' }).fill('Shop <i>today</i>');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add tags' }).click();
  await page.getByRole('combobox', { name: 'Tags' }).fill('daily');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save tags' }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Text' }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('## Notes\n**What** to look at');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Notes' }).first().waitFor();
  await settle(page);
  await keepScreenshot(page, 'dashboard');

  const id = Number(page.url().split('/').pop());
  const stored = await project.send('GET', `${DASHBOARDS}${id}/`);
  assert.equal(stored.name, 'Shop <i>today</i>');
  assert.deepEqual(stored.tags, ['daily']);
  assert.equal(stored.tiles.length, 7);
  assert.deepEqual({ faults, foreign }, { faults: [], foreign: [] });
});

test('a tile is dragged to another place and stays there; its colour too', async () => {
  const id = await makeDashboard(project, 'Places', 2);
  await using visit = await project.open(`/dashboards/${id}`);
  const { page } = visit;

  await settle(page);
  const handle = page.locator('.tile-handle').first();
  const from = await handle.boundingBox();
  assert.ok(from);
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(from.x + 100, from.y + 250, { steps: 5 });
  await page.mouse.move(from.x + 700, from.y + 250, { steps: 10 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Actions for Places 0' }).click();
  await page.getByRole('button', { name: 'Colour: blue' }).click();

  await eventually('the tile has another place and a colour', async () => {
    const { tiles } = await project.send('GET', `${DASHBOARDS}${id}/`);
    const tile = tiles.find((each: { insight: { name: string } }) => each.insight.name === 'Places 0');
    return tile.layouts.sm?.x > 0 && tile.color === 'blue';
  });
});

test('a tile is resized and moved by keyboard', async () => {
  const id = await makeDashboard(project, 'Keys', 1);
  await using visit = await project.open(`/dashboards/${id}`);
  const { page } = visit;

  await page.getByRole('button', { name: 'Actions for Keys 0' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Full width' }).press('Enter');

  await eventually('the tile is as wide as the dashboard', async () => {
    const { tiles } = await project.send('GET', `${DASHBOARDS}${id}/`);
    return tiles[0].layouts.sm?.w === 12;
  });
});

test('a dashboard comes with what is on it and who looks at it: neither is asked for', async () => {
  const id = await makeDashboard(project, 'Ahead', 1);
  await using visit = await project.open('/dashboards');
  const { page } = visit;
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  await page.goto(project.page(`/dashboards/${id}`));
  await page.getByRole('button', { name: 'Actions for Ahead 0' }).waitFor();

  const data = [`/api/projects/${project.id}/dashboards/${id}/`, '/api/users/@me/'];
  assert.deepEqual(
    asked.filter((path) => data.includes(path)),
    [],
  );
});

test('one time for all tiles is kept, and each tile shows it', async () => {
  const id = await makeDashboard(project, 'Times', 1);
  await using visit = await project.open(`/dashboards/${id}`);
  const { page } = visit;

  await page.getByRole('button', { name: 'Each tile its own time' }).click();
  await page.getByRole('menuitem', { name: 'Last 7 days' }).click();
  await eventually('the filter is stored', async () => {
    const { filters, tiles } = await project.send('GET', `${DASHBOARDS}${id}/`);
    return filters.date_from === '-7d' && tiles[0].insight.query.source.dateRange.date_from === '-7d';
  });
});

test('deleting is undone by one click, and a tile taken off comes back the same way', async () => {
  const id = await makeDashboard(project, 'Undo', 1);
  await using visit = await project.open(`/dashboards/${id}`);
  const { page } = visit;

  await page.getByRole('button', { name: 'Actions for Undo 0' }).click();
  await page.getByRole('menuitem', { name: 'Take off the dashboard' }).click();
  await page.getByText('Nothing on it yet').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Actions for Undo 0' }).waitFor();
  await page.getByRole('button', { name: 'More for this dashboard' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('“Undo” was deleted.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();

  await eventually('it is back', async () => {
    const { results } = await project.send('GET', DASHBOARDS);
    return results.some((each: { id: number }) => each.id === id);
  });
});

test('a dashboard can be read, and its links followed, before the app is there', async () => {
  const id = await makeDashboard(project, 'Drawn <b>', 3);
  await project.send('GET', `${DASHBOARDS}${id}/?refresh=blocking`);
  await using visit = await project.app.visit('/_liveness', {}, await project.app.signIn());
  const { page, faults } = visit;
  await page.route('**/*.js', (route) => route.abort());
  await page.goto(project.page(`/dashboards/${id}`));

  await page.getByRole('img', { name: 'Chart: Drawn <b> 1' }).waitFor();
  await page.getByRole('heading', { name: 'Drawn <b>', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Drawn <b> 2' }).click();
  await page.waitForURL('**/insights/*');

  // Other than that its scripts were kept away, there is nothing to complain about.
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('ERR_FAILED')),
    [],
  );
});

test('a bar of a tile names the people behind it, however soon one clicks', async () => {
  const { id } = await project.send('POST', DASHBOARDS, { name: 'Bars' });
  const series = [{ kind: 'EventsNode', event: '$pageview', name: '$pageview', math: 'total' }];
  const trendsFilter = { display: 'ActionsBar' };
  const source = { kind: 'TrendsQuery', series, dateRange: { date_from: '-14d' }, trendsFilter };
  const query = { kind: 'InsightVizNode', source };
  await project.send('POST', '/insights/', { name: 'Bars of two weeks', saved: true, dashboards: [id], query });
  await using visit = await project.open(`/dashboards/${id}`);
  const { page } = visit;
  await settle(page);

  // Of fifteen days, the eighth stands in the middle.
  const box = await page.locator('.light-marks').boundingBox();
  assert.ok(box);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height - 10);

  await page.getByRole('dialog').waitFor();
});

test('on paper a dashboard is whole, also where nobody has scrolled to', async () => {
  const id = await makeDashboard(project, 'Paper', 9);
  await using visit = await project.open(`/dashboards/${id}`);
  const { page } = visit;
  await page.evaluate('window.print = () => { document.title = "printed"; }');
  await page.getByRole('img', { name: 'Chart: Paper 1' }).waitFor();
  await settle(page);
  const drawnAtFirst = await page.getByRole('img', { name: 'Chart: ' }).count();
  await page.getByRole('button', { name: 'More for this dashboard' }).click();
  await page.getByRole('menuitem', { name: 'Print or save as PDF' }).click();
  await eventually('it is printed', async () => (await page.title()) === 'printed');

  // Every third of the nine is a number.
  assert.ok(drawnAtFirst < 6, `${drawnAtFirst} charts were drawn before`);
  assert.equal(await page.getByRole('img', { name: 'Chart: ' }).count(), 6);
});

test("on paper it is whole by the browser's own way, too, which waits for nothing", async () => {
  const id = await makeDashboard(project, 'Sheet', 9);
  await project.send('GET', `${DASHBOARDS}${id}/?refresh=blocking`);
  await using visit = await project.open(`/dashboards/${id}`);
  const { page, faults } = visit;
  await page.getByRole('img', { name: 'Chart: Sheet 1' }).waitFor();
  await settle(page);

  await page.pdf();

  assert.equal(await page.getByRole('img', { name: 'Chart: ' }).count(), 6);
  assert.deepEqual(faults, []);
});

test('screens of dashboards fit, and keep nobody out', async () => {
  const id = await makeDashboard(project, 'Look', 4);
  await lookAtScreens(project, [
    { name: 'dashboards', path: '/dashboards', heading: 'Dashboards' },
    { name: 'dashboard', path: `/dashboards/${id}`, heading: 'Look' },
    {
      name: 'dashboard-share',
      path: `/dashboards/${id}`,
      heading: 'Look',
      prepare: async (page) => {
        await page.getByRole('button', { name: 'More for this dashboard' }).click();
        await page.getByRole('menuitem', { name: 'Share' }).click();
        await page.getByText('Everyone with the link can see it').waitFor();
      },
    },
  ]);
});
