// When something could be seen on a page, noted in the page itself: who asks from outside comes late by as long as they
// wait between two looks. In milliseconds since the browser set out for the page.
import type { Page } from 'playwright-core';
import { eventually } from '../../test/eventually.ts';
import type { WebApp } from '../../test/web/web-app.ts';

export interface DashboardTimes {
  /** Every chart in sight is painted, with its numbers, and every name leads to its insight. */
  usable: number;
  /** The app has taken over: menus, dragging, what is under the pointer. */
  app: number;
}

/** A frame is painted between the callback for it and the next task. */
const WATCH = `{
  const times = (window.benchTimes = {});
  const note = (name) => {
    if (name in times) return;
    times[name] = undefined;
    requestAnimationFrame(() => setTimeout(() => { times[name] = performance.now(); }));
  };
  const isInSight = (element) => element.getBoundingClientRect().top < innerHeight;
  const isThere = (tile) => tile.querySelector('a[href]') && tile.querySelector('[role=img][aria-busy=false] path');
  const areThere = (selector) => {
    const tiles = [...document.querySelectorAll(selector)].filter(isInSight);
    return tiles.length > 0 && tiles.every(isThere);
  };
  new MutationObserver(() => {
    if (areThere('#drawn article') || areThere('#root .react-grid-item')) note('usable');
    if (!document.getElementById('drawn') && areThere('#root .react-grid-item')) note('app');
  }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['aria-busy'] });
}`;

/** In an empty profile of somebody who is signed in. */
async function openFresh<T>(app: WebApp, look: (page: Page) => Promise<T>): Promise<T> {
  await using visit = await app.visit('/_liveness', {}, await app.signIn());
  return await look(visit.page);
}

export const timeDashboard = (app: WebApp, path: string): Promise<DashboardTimes> =>
  openFresh(app, async (page) => {
    await page.addInitScript(WATCH);
    await page.goto(path);
    const read = () => page.evaluate<Partial<DashboardTimes>>('window.benchTimes');
    await eventually('the app has taken over', async () => (await read()).app !== undefined);
    return (await read()) as DashboardTimes;
  });

/** What the browser itself takes for the least of pages: no app can be there sooner. */
export const timePlainPage = (app: WebApp): Promise<number> =>
  openFresh(app, async (page) => {
    await page.goto('/start');
    const read = () => page.evaluate<number | null>('performance.getEntriesByType("paint")[0]?.startTime ?? null');
    await eventually('something is painted', async () => (await read()) !== null);
    return (await read()) ?? 0;
  });
