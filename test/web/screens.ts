// Looks at screens the way different people do: on a phone and on a desk, by day and by night. Short runs look at each
// screen once, turn and turn about; long runs in every way.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { isLong } from '../random.ts';
import { keepScreenshot, requireAccessible, requireFits, type Visit, type WebApp } from './web-app.ts';

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
export async function lookAtScreens(app: WebApp, screens: readonly Screen[]): Promise<void> {
  for (const [index, way] of (isLong ? WAYS : WAYS.slice(0, 2)).entries()) {
    const shown = isLong ? screens : screens.filter((_, at) => at % 2 === index % 2);
    if (shown.length === 0) continue;
    const { width, colorScheme } = way;
    await using visit = await app.open('/account', { viewport: { width, height: 900 }, colorScheme });
    for (const screen of shown) await lookAt(app, visit, screen, `${width}-${colorScheme}`);
  }
}

async function lookAt(app: WebApp, { page, faults, foreign }: Visit, screen: Screen, way: string): Promise<void> {
  const { name, path, heading, prepare } = screen;
  await page.goto(app.url + path);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  await prepare?.(page);
  await settle(page);
  await keepScreenshot(page, `${name}-${way}`);
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
