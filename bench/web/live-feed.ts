// An hour of the live feed in a few moments: as many events as a busy hour has, and what the page keeps of them.
import type { CDPSession } from 'playwright-core';
import type { WebProject } from '../../test/web/web-app.ts';
import type { Figure } from '../measure/figure.ts';

const ROUNDS = 54;
/** Three a second. */
const EVENTS_PER_ROUND = 200;
/** The feed is full from here on. */
const FULL_AFTER = 6;
const MB = 1_000_000;

export async function measureLiveFeed(project: WebProject): Promise<Figure[]> {
  await using visit = await project.open('/events/live');
  const { page } = visit;
  await page.getByText('Connected').waitFor();
  const client = await page.context().newCDPSession(page);
  let full = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const name = `round ${round} of the hour`;
    const batch = Array.from({ length: EVENTS_PER_ROUND }, (_, index) => ({
      event: name,
      distinct_id: `person ${index}`,
      properties: {},
    }));
    await project.capture(batch);
    await page.getByText(name).first().waitFor();
    if (round === FULL_AFTER) full = await heapBytes(client);
  }
  const after = await heapBytes(client);
  return [
    { name: 'live feed: memory of the page when the feed is full', value: full / MB, unit: 'MB' },
    { name: 'live feed: memory after an hour beside that', value: after / full, unit: '×', max: 1.25 },
  ];
}

async function heapBytes(client: CDPSession): Promise<number> {
  await client.send('HeapProfiler.collectGarbage');
  return (await client.send('Runtime.getHeapUsage')).usedSize;
}
