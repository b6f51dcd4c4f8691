// Looks at screens the way different people do: on a phone and on a desk, by day and by night. Short runs look at each
// screen once, turn and turn about; long runs in every way, and keep a picture of each.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { REPOSITORY } from '../../src/web/sources.ts';
import { eventually } from '../eventually.ts';
import { isLong } from '../random.ts';
import { setLook, type Visit } from './browser.ts';
import type { WebApp } from './web-app.ts';

/** Where screens are: the app, or one project in it. */
type Place = Pick<WebApp, 'open' | 'page'>;

export interface Screen {
  name: string;
  path: string;
  /** Its heading: the page is there when this is. */
  heading: string;
  /** Brings the page into the state to look at. */
  prepare?: (page: Page) => Promise<unknown>;
}

const WAYS = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
] as const;

/** Each screen fits, keeps nobody out, complains about nothing and asks nobody else for anything. */
export async function lookAtScreens(place: Place, screens: readonly Screen[]): Promise<void> {
  if (screens.length === 0) return;
  await using visit = await place.open(screens[0]!.path, WAYS[0]);
  for (const [index, screen] of screens.entries()) {
    const ways = isLong ? WAYS : [WAYS[index % WAYS.length]!];
    await setLook(visit.page, ways[0]!);
    if (index > 0) await goOn(visit.page, place.page(screen.path), screen.heading !== screens[index - 1]!.heading);
    await visit.page.getByRole('heading', { name: screen.heading, level: 1 }).waitFor();
    await screen.prepare?.(visit.page);
    for (const way of ways) await lookAt(visit, screen.name, way);
  }
}

/** Within the app, as a link does it, where the heading tells when one is there. */
async function goOn(page: Page, path: string, isTold: boolean): Promise<void> {
  if (isTold) await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
  else await page.goto(path);
}

async function lookAt({ page, faults, foreign }: Visit, name: string, way: (typeof WAYS)[number]): Promise<void> {
  await setLook(page, way);
  await settle(page);
  if (isLong) await keepScreenshot(page, `${name}-${way.width}-${way.colorScheme}`);
  await requireFits(page);
  await requireAccessible(page);
  assert.deepEqual({ name, faults, foreign }, { name, faults: [], foreign: [] });
}

const ON_ITS_WAY = '[aria-busy=true], .mantine-Loader-root, .mantine-Skeleton-root';

/** One answer calls for the next part of a page; it is whole when it has been so for several looks in a row. */
const LOOKS = 5;

/** Until nothing on the page says any more that it is on its way. */
export async function settle(page: Page): Promise<void> {
  let quiet = 0;
  await eventually('everything on the page is there', async () => {
    quiet = (await page.locator(ON_ITS_WAY).count()) === 0 ? quiet + 1 : 0;
    return quiet === LOOKS;
  });
}

const OUTPUT = join(REPOSITORY, 'test', 'output');

/** What is on the page also where nobody has scrolled to, as on paper. */
const SHOW_ALL = `for (const name of ['beforeprint', 'afterprint']) dispatchEvent(new Event(name))`;

/** For a person to look at. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  await page.evaluate(SHOW_ALL);
  await settle(page);
  await page.screenshot({ path: join(OUTPUT, `web-${name}.png`), fullPage: true });
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The tool is told to leave out what nobody reads here: where each element is, and whether other frames are well. */
const RUN = `axe.run({ resultTypes: ['violations'], selectors: false, preload: false, iframes: false })
  .then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html + ' ' + node.failureSummary).join(' | ')))`;

/** What keeps people out, of serious or critical kind: nothing, on any page. */
export async function requireAccessible(page: Page): Promise<void> {
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axe);
  assert.deepEqual(await page.evaluate<string[]>(RUN), []);
}

/** The page is not wider than the screen. */
export async function requireFits(page: Page): Promise<void> {
  const [needed, given] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]');
  assert.ok(needed <= given, `the page needs ${needed} pixels and has ${given}`);
}
