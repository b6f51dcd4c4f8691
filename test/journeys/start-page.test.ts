// The start page in a real browser: what a newcomer sees, on a phone and on a desk, by day and by night.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import bundledChromium from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../app.ts';

const OUTPUT = join(import.meta.dirname, '..', 'output');

let app: TestApp;
let browser: Browser;

before(async () => {
  app = await startTestApp();
  browser = await launchBrowser();
});

after(async () => {
  await browser?.close();
  await app?.[Symbol.asyncDispose]();
});

/** The packaged browser is built for Linux; elsewhere the machine's own Chrome serves. */
async function launchBrowser(): Promise<Browser> {
  if (process.platform !== 'linux') return chromium.launch({ channel: 'chrome' });
  // In a single process, closing the first page would end the whole browser.
  // Nothing here draws in three dimensions, and doing so without a graphics card is slow.
  bundledChromium.setGraphicsMode = false;
  const args = bundledChromium.args.filter((arg) => arg !== '--single-process');
  return chromium.launch({ executablePath: await bundledChromium.executablePath(), args });
}

/** The start page, and everything that it asked for or complained about. */
async function visit(
  options: BrowserContextOptions = {},
): Promise<{ page: Page; requests: string[]; faults: string[] }> {
  const page = await browser.newPage(options);
  const requests: string[] = [];
  const faults: string[] = [];
  page.on('request', (request) => void requests.push(request.url()));
  page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
  page.on('pageerror', (error) => void faults.push(error.message));
  await page.goto(app.url);
  return { page, requests, faults };
}

for (const width of [390, 1440]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`the page fits ${width} pixels in ${colorScheme} colours and asks nobody else for anything`, async () => {
      const { page, requests, faults } = await visit({ viewport: { width, height: 900 }, colorScheme });

      await page.screenshot({ path: join(OUTPUT, `start-page-${width}-${colorScheme}.png`), fullPage: true });
      const widthNeeded = await page.evaluate<number>('document.documentElement.scrollWidth');
      await page.close();

      assert.equal(widthNeeded, width);
      assert.deepEqual(requests, [`${app.url}/`]);
      assert.deepEqual(faults, []);
    });
  }
}

test('a click copies the project key', async () => {
  const { page } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });

  await page.getByRole('button', { name: 'Copy: Project key' }).click();
  await page.getByRole('status').getByText('Copied').waitFor({ state: 'attached' });
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  await page.close();

  assert.equal(copied, app.project.api_token);
});

test('the ways to send an event are tabs that the arrow keys turn', async () => {
  const { page } = await visit();

  await page.getByRole('tab', { name: 'curl' }).press('ArrowLeft');
  const shown = await page.getByRole('tabpanel').allInnerTexts();
  const focused = await page.locator(':focus').textContent();
  await page.close();

  assert.equal(focused, 'Python');
  assert.equal(shown.length, 1);
  assert.match(shown[0] ?? '', /pip install posthog/);
});

test('without scripts every snippet can be read', async () => {
  const { page } = await visit({ javaScriptEnabled: false });

  const headings = await page.getByRole('heading', { level: 3 }).allInnerTexts();
  const buttons = await page.getByRole('button').count();
  await page.close();

  assert.deepEqual(headings, ['curl', 'JavaScript', 'Node', 'Python']);
  assert.equal(buttons, 0);
});

test('a script that was not in the page does not run', async () => {
  const { page, faults } = await visit();

  const ran = await page.evaluate<boolean>(`{
    const script = document.createElement('script');
    script.textContent = 'window.intruded = true';
    document.body.append(script);
    window.intruded === true;
  }`);
  await page.close();

  assert.equal(ran, false);
  assert.match(faults.join('\n'), /Content Security Policy/);
});

test('every link of the page leads somewhere', async () => {
  const { page } = await visit();

  const targets = await page.evaluate<string[]>('[...document.links].map((link) => link.href)');
  await page.close();

  assert.ok(targets.includes(`${app.url}/api/docs/`));
  for (const target of targets) assert.equal((await fetch(target)).status, 200, target);
});
