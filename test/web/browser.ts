// A real browser. Whoever is signed in keeps one profile, as people do; strangers come with a new one each.
import bundledChromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type Cookie, chromium, type Page } from 'playwright-core';

/** A busy machine may take long for one step; what is broken takes for ever. */
const STEP_MS_MAX = 60_000;

/** Made for machines without any protection of their own; pages are to be tried under the browser's. */
const UNWANTED = new Set([
  // In a single process, closing the first page would end the whole browser.
  '--single-process',
  '--disable-web-security',
  '--allow-running-insecure-content',
  // A process that is copied from one that is ready begins sooner than one from nothing.
  '--no-zygote',
]);

/** Pages here live for a second or two: code that is made faster with much effort is hardly ever run again. */
export const SHORT_LIVED = ['--js-flags=--no-opt,--no-maglev'];

/** The packaged browser is built for Linux; elsewhere the machine's own Chrome serves. */
async function launchBrowser(flags: readonly string[]): Promise<Browser> {
  if (process.platform !== 'linux') return chromium.launch({ channel: 'chrome' });
  // Nothing here draws in three dimensions, and doing so without a graphics card is slow.
  bundledChromium.setGraphicsMode = false;
  const args = [...bundledChromium.args.filter((arg) => !UNWANTED.has(arg)), ...flags];
  return chromium.launch({ executablePath: await bundledChromium.executablePath(), args });
}

/** How somebody looks at a page. */
export interface Look {
  width?: number;
  height?: number;
  colorScheme?: 'light' | 'dark';
}

export async function setLook(page: Page, { width = 1440, height = 900, colorScheme = 'light' }: Look): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
}

export interface Visit extends AsyncDisposable {
  page: Page;
  /** What the page complained about, refusals of its policy among it. */
  faults: string[];
  /** Addresses of other hosts that it asked. */
  foreign: string[];
}

type Watched = Omit<Visit, keyof AsyncDisposable>;

export async function openBrowser(url: string, signIn: () => Promise<Cookie[]>, flags: readonly string[]) {
  const browser = await launchBrowser(flags);
  let signedIn: Promise<BrowserContext> | undefined;
  /** A page that was left is taken again: it holds the app's code ready, which is most of what a page costs. */
  const idle: Watched[] = [];

  async function newContext(cookies: Cookie[]): Promise<BrowserContext> {
    const context = await browser.newContext({
      baseURL: url,
      reducedMotion: 'reduce',
      storageState: { cookies, origins: [] },
    });
    context.setDefaultTimeout(STEP_MS_MAX);
    return context;
  }

  async function go({ page }: Watched, path: string, look: Look): Promise<void> {
    await setLook(page, look);
    await page.goto(path);
  }

  return {
    /** In a profile that nobody has used yet. */
    async visit(path: string, look: Look = {}, cookies: Cookie[] = []): Promise<Visit> {
      const context = await newContext(cookies);
      const watched = watch(await context.newPage(), url);
      await go(watched, path, look);
      return { ...watched, [Symbol.asyncDispose]: () => context.close() };
    },
    /** In the profile of somebody who is signed in. */
    async open(path: string, look: Look = {}): Promise<Visit> {
      signedIn ??= signIn().then(newContext);
      const watched = idle.pop() ?? watch(await (await signedIn).newPage(), url);
      for (const list of [watched.faults, watched.foreign]) list.length = 0;
      await go(watched, path, look);
      return { ...watched, [Symbol.asyncDispose]: async () => void idle.push(watched) };
    },
    close: () => browser.close(),
  };
}

function watch(page: Page, url: string): Watched {
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
  return { page, faults, foreign };
}
