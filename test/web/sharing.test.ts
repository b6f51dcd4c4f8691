// Who sees a dashboard, and who may change it: everyone with a link, those with a password, those who are invited.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { makeDashboard } from './sample-dashboards.ts';
import { sendSampleEvents } from './sample-events.ts';
import { keepScreenshot, requireAccessible, requireFits } from './screens.ts';
import { openProject } from './shared-app.ts';
import type { WebProject } from './web-app.ts';

let project: WebProject;
before(async () => {
  project = await openProject('Sharing');
  await sendSampleEvents(project);
});

/** A page of somebody else: another origin. */
async function serveSite(html: string) {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: close };
}

const choose = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'More for this dashboard' }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

async function share(page: Page): Promise<string> {
  await choose(page, 'Share');
  await page.getByRole('switch', { name: 'Everyone with the link can see it' }).click();
  const link = await page.getByRole('region', { name: 'Link' }).textContent();
  return new URL(link?.trim() ?? '').pathname;
}

test('a shared dashboard shows its charts to somebody who is not signed in, and nothing else', async () => {
  const id = await makeDashboard(project, 'Shared', 2);
  await using visit = await project.open(`/dashboards/${id}`);
  const { page } = visit;
  const link = await share(page);

  await using stranger = await project.app.visit(link);
  await stranger.page.getByRole('heading', { name: 'Shared', exact: true }).waitFor();
  await stranger.page.getByRole('img', { name: 'Chart: Shared 1' }).waitFor();
  await keepScreenshot(stranger.page, 'shared');

  assert.equal(await stranger.page.getByRole('navigation').count(), 0);
  assert.deepEqual(stranger.faults, []);
  assert.deepEqual(stranger.foreign, []);
});

test('what nobody has asked yet is computed while whoever has the link waits', async () => {
  const id = await makeDashboard(project, 'Unasked', 2);
  const { access_token } = await project.send('PATCH', `/dashboards/${id}/sharing/`, { enabled: true });

  await using stranger = await project.app.visit(`/shared/${access_token}`);
  await stranger.page.getByRole('img', { name: 'Chart: Unasked 1' }).waitFor();
});

test('the embed code puts the dashboard into a page of somebody else, which can reach nothing of it', async () => {
  const id = await makeDashboard(project, 'Embedded', 1);
  await using visit = await project.open(`/dashboards/${id}`);
  await share(visit.page);
  const code = await visit.page.getByRole('region', { name: 'Embed code' }).textContent();

  await using site = await serveSite(`<!doctype html><title>Blog</title>${code}`);
  await using host = await project.app.visit('/_liveness');
  await host.page.goto(site.url);
  const frame = host.page.frameLocator('iframe');
  await frame.getByRole('heading', { name: 'Embedded', exact: true }).waitFor();
  await frame.getByText('Embedded 0').waitFor();
  await keepScreenshot(host.page, 'embedded');

  const reach = await host.page.evaluate('document.querySelector("iframe").contentDocument');
  assert.equal(reach, null);
});

test('a page that is not meant for it cannot be framed', async () => {
  await using site = await serveSite(`<iframe src="${project.app.url}/login"></iframe>`);
  await using host = await project.app.visit('/_liveness');
  await host.page.goto(site.url);

  assert.match(host.faults.join(' '), /frame-ancestors|refused/i);
  assert.equal(await host.page.frameLocator('iframe').getByLabel('E-mail').count(), 0);
});

test('a shared dashboard with a password opens for whoever knows it, and for nobody else', async () => {
  const id = await makeDashboard(project, 'Secret', 1);
  await using visit = await project.open(`/dashboards/${id}`);
  const { page } = visit;
  const link = await share(page);
  await page.getByRole('switch', { name: 'It asks for a password' }).click();
  await page.getByRole('textbox', { name: 'New password' }).fill('open sesame 42');
  await page.getByRole('button', { name: 'Add', exact: true }).last().click();
  await page.getByRole('region', { name: 'The new password, shown only now' }).waitFor();

  await using stranger = await project.app.visit(link, { width: 390, colorScheme: 'dark' });
  await stranger.page.getByRole('heading', { name: 'Password needed' }).waitFor();
  await requireFits(stranger.page);
  await requireAccessible(stranger.page);
  await stranger.page.getByLabel('Password').fill('open wide');
  await stranger.page.getByRole('button', { name: 'Open' }).click();
  await stranger.page.getByText('That password is not right.').waitFor();
  await stranger.page.getByLabel('Password').fill('open sesame 42');
  await stranger.page.getByRole('button', { name: 'Open' }).click();

  await stranger.page.getByRole('heading', { name: 'Secret', exact: true }).waitFor();
  assert.deepEqual(stranger.foreign, []);
});

test('only those who are invited change a dashboard that is restricted', async () => {
  const member = await project.app.addMember('mo@example.com');
  const id = await makeDashboard(project, 'Ours', 1);
  await using visit = await project.open(`/dashboards/${id}`);
  const { page } = visit;
  await choose(page, 'Who can change it');
  await page.getByRole('radio', { name: 'Only those invited' }).click();
  await page.getByRole('combobox', { name: 'Invite' }).waitFor();

  await using theirs = await project.app.visit(project.page(`/dashboards/${id}`), {}, await project.app.signIn(member));
  await theirs.page.getByText('only those invited can change it').waitFor();
  assert.equal(await theirs.page.getByRole('button', { name: 'Add', exact: true }).count(), 0);
  await page.getByRole('combobox', { name: 'Invite' }).click();
  await page.getByRole('option', { name: /mo@example.com/ }).click();
  await page.getByRole('button', { name: 'Take mo@example.com off' }).waitFor();
  await theirs.page.reload();

  await theirs.page.getByRole('button', { name: 'Add', exact: true }).waitFor();
});

test('a tile is moved to another dashboard, and duplicated there', async () => {
  const from = await makeDashboard(project, 'From', 2);
  const to = await makeDashboard(project, 'Onto', 0);
  await using visit = await project.open(`/dashboards/${from}`);
  const { page } = visit;

  await page.getByRole('button', { name: 'Actions for From 1' }).click();
  await page.getByRole('menuitem', { name: 'Move to another dashboard' }).click();
  await page.getByRole('combobox', { name: 'Dashboard' }).click();
  await page.getByRole('option', { name: /Onto/ }).click();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByText('Moved.').waitFor();
  await page.goto(project.page(`/dashboards/${to}`));
  await page.getByRole('button', { name: 'Actions for From 1' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page
    .getByRole('button', { name: /^Actions for From 1/ })
    .nth(1)
    .waitFor();

  const left = await project.send('GET', `/dashboards/${from}/`);
  assert.deepEqual(
    left.tiles.map(({ insight }: { insight: { name: string } }) => insight.name),
    ['From 0'],
  );
});
