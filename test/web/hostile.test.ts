// Data that means harm, and data that nobody thought of: it is shown as what it is, and nothing of it runs.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { isLong } from '../random.ts';
import { keepScreenshot, requireFits, settle } from './screens.ts';
import { openProject } from './shared-app.ts';
import type { WebProject } from './web-app.ts';

let project: WebProject;
before(async () => {
  project = await openProject('Hostile');
});

const SCRIPT = `"'><img src=x onerror="window.intruded=1"><script>window.intruded=2</script>`;
const NAMES = [SCRIPT, 'a'.repeat(200), 'עברית وعربية \u202e backwards', '{{constructor}} %00 {a|b}', '  '];

test('names made of markup, of one endless word or written from right to left are only names', async () => {
  await project.capture(
    NAMES.map((event, index) => ({
      event,
      distinct_id: SCRIPT,
      properties: { long: 'x'.repeat(10_000), [SCRIPT.slice(0, 100)]: SCRIPT, many: `value ${index}` },
    })),
  );
  await project.settled();
  const dashboard = await project.send('POST', '/dashboards/', {
    name: SCRIPT,
    tags: [SCRIPT.slice(0, 50)],
  });
  await project.send('PATCH', `/dashboards/${dashboard.id}/`, {
    tiles: [{ text: { body: `# ${SCRIPT}\n[x](javascript:window.intruded=3)` } }],
  });
  for (const [index, display] of ['ActionsLineGraph', 'ActionsPie', 'ActionsBarValue', 'ActionsTable'].entries()) {
    const series = [{ kind: 'EventsNode', event: null, name: NAMES[index % NAMES.length], math: 'total' }];
    const breakdownFilter = { breakdown: SCRIPT.slice(0, 100), breakdown_type: 'event' };
    const source = { kind: 'TrendsQuery', series, trendsFilter: { display }, breakdownFilter };
    const insight = { name: NAMES[index], dashboards: [dashboard.id], query: { kind: 'InsightVizNode', source } };
    await project.send('POST', '/insights/', { saved: true, ...insight });
  }

  const places = [
    { path: `/dashboards/${dashboard.id}`, heading: SCRIPT },
    { path: '/dashboards', heading: 'Dashboards' },
    { path: '/insights', heading: 'Insights' },
  ];
  for (const { path, heading } of places) {
    await using visit = await project.open(path, { width: 390, height: 2400 });
    const { page, faults, foreign } = visit;
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await settle(page);
    await page.mouse.move(200, 700);
    if (path.endsWith(String(dashboard.id))) await keepScreenshot(page, 'hostile');

    await requireFits(page);
    assert.equal(await page.evaluate('window.intruded'), undefined);
    assert.deepEqual({ path, faults, foreign }, { path, faults: [], foreign: [] });
  }
});

test('a script that is put into the page by any means does not run', async () => {
  await using visit = await project.app.open('/account');
  const { page, faults } = visit;
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();

  await page.evaluate(`{
    const script = document.createElement('script');
    script.textContent = 'window.intruded = 1';
    document.body.append(script);
    document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.intruded = 2">');
    document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc="<script>parent.intruded = 3</script>"></iframe>');
  }`);
  await page.waitForLoadState();

  assert.equal(await page.evaluate('window.intruded'), undefined);
  assert.match(faults.join('\n'), /Content Security Policy/);
});

test('a dashboard of sixty tiles asks for what is in sight only, and shows the rest when one comes there', async () => {
  const count = isLong ? 60 : 24;
  const { id } = await project.send('POST', '/dashboards/', { name: 'Many' });
  for (let index = 0; index < count; index++) {
    const series = [{ kind: 'EventsNode', event: `event ${index}`, name: `event ${index}`, math: 'total' }];
    const query = { kind: 'InsightVizNode', source: { kind: 'TrendsQuery', series } };
    await project.send('POST', '/insights/', {
      name: `Tile ${index}`,
      saved: true,
      dashboards: [id],
      query,
    });
  }
  await using visit = await project.app.open('/account');
  const { page, faults } = visit;
  let asked = 0;
  page.on('request', (request) => void (request.url().endsWith('/query/') && asked++));
  await page.goto(project.page(`/dashboards/${id}`));
  await page.getByRole('img', { name: 'Chart: Tile 0' }).waitFor();
  await settle(page);
  const askedAtFirst = asked;
  await page.getByRole('link', { name: `Tile ${count - 1}`, exact: true }).scrollIntoViewIfNeeded();
  await page.getByRole('img', { name: `Chart: Tile ${count - 1}` }).waitFor();

  assert.ok(askedAtFirst < count, `${askedAtFirst} of ${count} tiles were asked for at first`);
  assert.deepEqual(faults, []);
});

test('five hundred values of a breakdown are drawn and listed', async () => {
  const VALUES = 500;
  await project.capture(
    Array.from({ length: VALUES }, (_, index) => ({
      event: 'many values',
      distinct_id: 'ada',
      properties: { many: `value ${index} ${index % 50 === 0 ? SCRIPT : ''}` },
    })),
  );
  await project.settled();
  const series = [{ kind: 'EventsNode', event: 'many values', name: 'many values', math: 'total' }];
  const breakdownFilter = { breakdown: 'many', breakdown_type: 'event' };
  const query = { kind: 'TrendsQuery', series, breakdownFilter };
  await using visit = await project.open(`/insights/new?q=${encodeURIComponent(JSON.stringify(query))}`, {
    width: 390,
  });
  const { page, faults } = visit;

  await page.getByRole('combobox', { name: 'Values at most' }).click();
  await page.getByRole('option', { name: 'top 500' }).click();
  await page.getByRole('button', { name: 'Show the other 400' }).click();
  const named = page.locator('td').getByText(/^value \d/);
  await named.nth(VALUES - 1).waitFor();

  assert.equal(await named.count(), VALUES);
  await requireFits(page);
  assert.equal(await page.evaluate('window.intruded'), undefined);
  assert.deepEqual(faults, []);
});
