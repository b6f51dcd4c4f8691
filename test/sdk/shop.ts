// A web page with posthog-js on it, in a real browser, on another origin than the program's.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { promisify } from 'node:util';
import bundledChromium from '@sparticuz/chromium';
import { type Browser, chromium, type Page } from 'playwright-core';

const BUNDLE = new URL('../../node_modules/posthog-js/dist/array.full.js', import.meta.url);

const PAGE = `<!doctype html>
<title>Shop</title>
<script src="/array.full.js"></script>
<nav id="menu"><a href="/elsewhere" class="link">Elsewhere</a></nav>
<button id="buy" class="big button" data-attr="buy-button">Buy now</button>
<form><input id="note" type="text"><input id="secret" type="password"></form>`;

/** The SDK stays silent for browsers that say they are driven or have no window; a person's say neither. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36';
const LOOK_LIKE_A_PERSON = `
  Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false });
  Object.defineProperty(Navigator.prototype, 'userAgentData', { get: () => undefined });`;

export interface SentRequest {
  method: string;
  url: URL;
  type: string;
  body: Buffer;
  /** Undefined until it is answered. */
  status: number | undefined;
}

export interface Visit {
  page: Page;
  /** Runs in the page, with `posthog` at hand. */
  run<Result>(script: string): Promise<Result>;
  /** What the page asked of the program. */
  requests: SentRequest[];
  /** Everything that the browser's console or a script complained about. */
  faults: string[];
}

export interface VisitOptions {
  path?: string;
  /** Remote configuration that came along with the script, as a project's own `array.js` brings it. */
  remoteConfig?: object;
}

export interface Shop {
  url: string;
  /** A new visitor with a browser of their own; `init` is the object given to `posthog.init`, as JavaScript. */
  visit(token: string, apiHost: string, init?: string, more?: VisitOptions): Promise<Visit>;
}

let shared: Promise<Shop> | undefined;
const opened = new AsyncDisposableStack();
after(() => opened.disposeAsync());

/** One for all the test files of a process: every visit has cookies and a cache of its own. */
export function openShop(): Promise<Shop> {
  shared ??= open();
  return shared;
}

async function open(): Promise<Shop> {
  const bundle = await readFile(BUNDLE);
  const server = createServer(({ url }, response) => {
    if (url === '/array.full.js') response.setHeader('content-type', 'text/javascript').end(bundle);
    else response.setHeader('content-type', 'text/html').end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The program listens on 127.0.0.1: for a browser, `localhost` is somebody else.
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  opened.defer(async () => void (await promisify(server.close.bind(server))()));
  opened.defer(() => server.closeAllConnections());
  const browser = await launchBrowser();
  opened.defer(() => browser.close());
  return {
    url,
    async visit(token, apiHost, init = '{}', { path = '/', remoteConfig } = {}) {
      const context = await browser.newContext();
      await context.addInitScript(LOOK_LIKE_A_PERSON);
      const page = await context.newPage();
      const visit = watch(page, apiHost);
      await page.goto(url + path);
      const preloaded = remoteConfig && { [token]: { config: remoteConfig, siteApps: [] } };
      if (preloaded) await page.evaluate(`window._POSTHOG_REMOTE_CONFIG = ${JSON.stringify(preloaded)}, undefined`);
      await page.evaluate(`posthog.init('${token}', { api_host: '${apiHost}', ...${init} }), undefined`);
      return visit;
    },
  };
}

function watch(page: Page, apiHost: string): Visit {
  const requests: SentRequest[] = [];
  const faults: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(apiHost)) return;
    const sent: SentRequest = {
      method: request.method(),
      url: new URL(request.url()),
      type: request.headers()['content-type'] ?? '',
      body: request.postDataBuffer() ?? Buffer.alloc(0),
      status: undefined,
    };
    requests.push(sent);
    void request.response().then(
      (response) => {
        sent.status = response?.status();
      },
      () => {}, // a page that is gone hears no answers
    );
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => void faults.push(error.message));
  return { page, requests, faults, run: (script) => page.evaluate(script) };
}

/** The packaged browser is built for Linux; elsewhere the machine's own Chrome serves. */
async function launchBrowser(): Promise<Browser> {
  // Given to the whole browser: one given to a page is forgotten while the page is being left.
  const userAgent = `--user-agent=${USER_AGENT}`;
  if (process.platform !== 'linux') return chromium.launch({ channel: 'chrome', args: [userAgent] });
  // In a single process, closing the first page would end the whole browser.
  // Nothing here draws in three dimensions, and doing so without a graphics card is slow.
  bundledChromium.setGraphicsMode = false;
  const args = [...bundledChromium.args.filter((arg) => arg !== '--single-process'), userAgent];
  return chromium.launch({ executablePath: await bundledChromium.executablePath(), args });
}
