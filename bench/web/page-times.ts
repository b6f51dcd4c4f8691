// When something could be seen on a page, noted in the page itself: who asks from outside comes late by as long as they
// wait between two looks. In milliseconds since the browser set out for the page.
import type { Page } from 'playwright-core';
import { eventually } from '../../test/eventually.ts';
import type { WebApp } from '../../test/web/web-app.ts';

export interface DashboardTimes {
  /** The first chart is painted, with its numbers. */
  first: number;
  /** So is every other that is in sight. */
  all: number;
}

/** A frame is painted between the callback for it and the next task. */
const WATCH = `{
  const times = (window.benchTimes = {});
  const note = (name) => {
    if (name in times) return;
    times[name] = undefined;
    requestAnimationFrame(() => setTimeout(() => { times[name] = performance.now(); }));
  };
  new MutationObserver(() => {
    const charts = [...document.querySelectorAll('[role=img][aria-label^="Chart: "]')];
    if (charts[0]?.ariaBusy === 'false') note('first');
    if (charts.length > 0 && charts.every((chart) => chart.ariaBusy === 'false')) note('all');
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
    await eventually('all charts are painted', async () => (await read()).all !== undefined);
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
