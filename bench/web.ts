// The app as a newcomer's browser loads it: bytes over the wire, and how long until a dashboard can be used.
import { PROJECT_KEY, projectOf, startWebApp, type WebApp } from '../test/web/web-app.ts';
import { type Figure, median } from './measure/figure.ts';
import { measureLiveFeed } from './web/live-feed.ts';
import { timeDashboard, timePlainPage } from './web/page-times.ts';

const TILES = 20;
const ROUNDS = 5;
const KB = 1000;

export async function run(): Promise<Figure[]> {
  // The browser as people have it, not as tests do.
  await using app = await startWebApp([]);
  const dashboard = await makeDashboard(app);
  const path = `/project/1/dashboards/${dashboard}`;
  const first = await loadedBytes(app, '/project/1/dashboards');
  await timeDashboard(app, path); // the answers are computed and cached
  const times = await repeat(() => timeDashboard(app, path));
  const pageMs = median(times.map((each) => each.usable));
  const apiMs = median(await repeat(() => timeOfApi(app, dashboard)));
  const floorMs = median(await repeat(() => timePlainPage(app)));
  return [
    { name: 'first load, compressed', value: first / KB, unit: 'kB', max: 250 },
    { name: `usable dashboard of ${TILES} cached tiles, fresh profile`, value: pageMs, unit: 'ms' },
    { name: 'the app has taken over from its drawing', value: median(times.map((each) => each.app)), unit: 'ms' },
    { name: 'the API calls of that page alone', value: apiMs, unit: 'ms' },
    { name: 'page beside its API calls', value: pageMs / apiMs, unit: '×', max: 2 },
    { name: 'a page without any script in the same browser, fresh profile', value: floorMs, unit: 'ms' },
    { name: 'usable dashboard beside a page without any script', value: pageMs / floorMs, unit: '×' },
    ...(await measureLiveFeed(projectOf(app, 1, PROJECT_KEY))),
  ];
}

async function makeDashboard(app: WebApp): Promise<number> {
  const { id } = await app.send('POST', '/api/projects/1/dashboards/', { name: 'Bench' });
  for (let index = 0; index < TILES; index++) {
    const series = [{ kind: 'EventsNode', event: `event ${index}`, name: `event ${index}`, math: 'total' }];
    const query = { kind: 'InsightVizNode', source: { kind: 'TrendsQuery', series } };
    await app.send('POST', '/api/projects/1/insights/', {
      name: `Tile ${index}`,
      saved: true,
      dashboards: [id],
      query,
    });
  }
  await app.send('GET', `/api/projects/1/dashboards/${id}/?refresh=blocking`);
  return id;
}

/** Everything that the first page of a fresh profile takes from the network, answers of the API left out. */
async function loadedBytes(app: WebApp, path: string): Promise<number> {
  await using visit = await app.visit('/api/schema/', {}, await app.signIn());
  const client = await visit.page.context().newCDPSession(visit.page);
  await client.send('Network.enable');
  const own = new Set<string>();
  let bytes = 0;
  client.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (!new URL(request.url).pathname.startsWith('/api/')) own.add(requestId);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (own.has(requestId)) bytes += encodedDataLength;
  });
  await visit.page.goto(app.url + path);
  await visit.page.getByRole('heading', { level: 1 }).waitFor();
  await visit.page.waitForLoadState('networkidle');
  return bytes;
}

async function timeOfApi(app: WebApp, dashboard: number): Promise<number> {
  const since = performance.now();
  await app.send('GET', '/api/users/@me/');
  await app.send('GET', `/api/projects/1/dashboards/${dashboard}/`);
  return performance.now() - since;
}

async function repeat<T>(measure: () => Promise<T>): Promise<T[]> {
  const values: T[] = [];
  for (let round = 0; round < ROUNDS; round++) values.push(await measure());
  return values;
}
