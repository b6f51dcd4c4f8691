// The whole program with its app, and a real browser in front of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import bundledChromium from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { buildWeb } from '../../src/web/build.ts';
import { findBuild } from '../../src/web/find-build.ts';
import { REPOSITORY } from '../../src/web/sources.ts';
import { openTestDatabase } from '../db.ts';
import { eventually } from '../eventually.ts';
import { openTempFolder } from '../temp-folder.ts';
import { startTenrec } from '../tenrec.ts';

export const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };
export const PROJECT_KEY = 'phc_a_token_that_only_tests_would_use';
export const API_KEY = 'phx_a_key_that_only_tests_would_ever_use';

/** A busy machine may take long for one step; what is broken takes for ever. */
const STEP_MS_MAX = 60_000;
const OUTPUT = join(REPOSITORY, 'test', 'output');
const DIST = join(REPOSITORY, 'web', 'dist');

/** The packaged browser is built for Linux; elsewhere the machine's own Chrome serves. */
async function launchBrowser(): Promise<Browser> {
  if (process.platform !== 'linux') return chromium.launch({ channel: 'chrome' });
  // In a single process, closing the first page would end the whole browser.
  // Nothing here draws in three dimensions, and doing so without a graphics card is slow.
  bundledChromium.setGraphicsMode = false;
  const args = bundledChromium.args.filter((arg) => arg !== '--single-process');
  return chromium.launch({ executablePath: await bundledChromium.executablePath(), args });
}

export interface Visit extends AsyncDisposable {
  page: Page;
  /** What the page complained about, refusals of its policy among it. */
  faults: string[];
  /** Addresses of other hosts that it asked. */
  foreign: string[];
}

export type WebApp = Awaited<ReturnType<typeof startWebApp>>;

export async function startWebApp() {
  if (!findBuild([DIST])) await buildWeb(DIST);
  const folder = await openTempFolder();
  const database = await openTestDatabase();
  const [tenrec, browser] = await Promise.all([
    startTenrec({
      TENREC_DATA: folder.path,
      // A database of the run's own server is there sooner than one that is made for this program.
      DATABASE_URL: database.url,
      TENREC_SECRET_KEY: 'a secret key that only tests would ever use',
      TENREC_BOOTSTRAP_EMAIL: OWNER.email,
      TENREC_BOOTSTRAP_PASSWORD: OWNER.password,
      TENREC_BOOTSTRAP_PROJECT_TOKEN: PROJECT_KEY,
      TENREC_BOOTSTRAP_PERSONAL_API_KEY: API_KEY,
      TENREC_LOG_LEVEL: 'warn',
    }),
    launchBrowser(),
  ]);
  const url = tenrec.address;

  async function send(method: string, path: string, body?: unknown) {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path} answered ${response.status}: ${text}`);
    // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
    return (text === '' ? undefined : JSON.parse(text)) as any;
  }

  async function visit(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(STEP_MS_MAX);
    const page = await context.newPage();
    const faults: string[] = [];
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) foreign.push(request.url());
    });
    page.on('console', (message) => {
      // The browser notes every refusal of the server; asking whether somebody is signed in is meant to be refused.
      const isRefusal = /Failed to load resource: the server responded with a status of 4\d\d/.test(message.text());
      if (message.type() === 'error' && !isRefusal) faults.push(message.text());
    });
    page.on('pageerror', (error) => void faults.push(error.message));
    await page.goto(url + path);
    return { page, faults, foreign, [Symbol.asyncDispose]: () => context.close() };
  }

  let cookies: Awaited<ReturnType<typeof signIn>> | undefined;
  async function signIn() {
    const response = await fetch(`${url}/api/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(OWNER),
    });
    return response.headers.getSetCookie().map((cookie) => {
      const [name = '', value = ''] = (cookie.split(';', 1)[0] ?? '').split('=');
      return { name, value, domain: '127.0.0.1', path: '/', expires: -1, httpOnly: false, secure: false };
    });
  }

  return {
    url,
    /** With the owner's key. */
    send,
    /** Sends events the way an SDK does. */
    capture: (batch: readonly object[]) => send('POST', '/batch/', { api_key: PROJECT_KEY, batch }),
    /** Waits until so many events can be asked about. */
    stored: (count: number) =>
      eventually(`${count} events are stored`, async () => {
        const query = { kind: 'HogQLQuery', query: 'select count() from events' };
        const { results } = await send('POST', '/api/environments/1/query/', { query, refresh: 'force_blocking' });
        return results[0][0] >= count;
      }),
    visit,
    /** A page for somebody who is signed in already. */
    async open(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
      cookies ??= await signIn();
      const storageState = { cookies: cookies.map((cookie) => ({ ...cookie, sameSite: 'Lax' as const })), origins: [] };
      return visit(path, { storageState, ...options });
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await tenrec[Symbol.asyncDispose]();
      await database.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export const keepScreenshot = (page: Page, name: string) =>
  page.screenshot({ path: join(OUTPUT, `web-${name}.png`), fullPage: true });

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What keeps people out, of serious or critical kind: nothing, on any page. */
export async function requireAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const violations = await page.evaluate<string[]>(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html + ' ' + node.failureSummary).join(' | ')))`);
  assert.deepEqual(violations, []);
}

/** The page is not wider than the screen. */
export async function requireFits(page: Page): Promise<void> {
  const [needed, given] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]');
  assert.ok(needed <= given, `the page needs ${needed} pixels and has ${given}`);
}
