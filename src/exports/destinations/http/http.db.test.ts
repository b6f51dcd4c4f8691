// Events over HTTP: the bodies that arrive, and what becomes of bad answers.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, test } from 'node:test';
import { assertTold, type Told } from '../../../../test/exports/cases.ts';
import { hostileProperties, hostileTexts } from '../../../../test/exports/hostile.ts';
import { eventInHour, openSource, type Source } from '../../../../test/exports/source.ts';
import { openGuard } from '../../network/guard.ts';
import { httpDestination } from './destination.ts';

type Answer = { status: number; body?: string; headers?: Record<string, string> } | 'cut';

let source: Source;
let server: Server;
let url: string;
/** What the server says next; when there is nothing left, that it has the events. */
let answers: Answer[] = [];
let bodies: { api_key: string; historical_migration: boolean; batch: Record<string, unknown>[] }[] = [];

const destination = httpDestination(openGuard({ privateNetworksAllowed: true }), 1);
const HOSTILE = 1;
const MANY = 2;
const rows = Object.values(hostileProperties).map((properties, n) => {
  const value = hostileTexts[n % hostileTexts.length]!;
  return eventInHour(n, { team_id: HOSTILE, event: value, distinct_id: value, properties });
});
rows.push(
  eventInHour(500, {
    team_id: HOSTILE,
    event: '$autocapture',
    elements_chain: 'a:text="x"',
    properties: '{"$geoip_disable":false}',
  }),
);

before(async () => {
  server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = answers.shift() ?? { status: 200, body: '{"status":"Ok"}' };
    if (answer === 'cut') return request.socket.destroy();
    if (answer.status === 200) bodies.push(JSON.parse(body));
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body ?? '');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/batch/`;
  source = await openSource();
  await source.insert(rows);
  await source.insert(Array.from({ length: 12_000 }, (_, n) => eventInHour(n, { team_id: MANY })));
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await source[Symbol.asyncDispose]();
});
beforeEach(() => {
  [answers, bodies] = [[], []];
});

const ship = async (teamId: number) =>
  destination.ship(await source.shipment({ teamId, config: { url, token: 'phc_x' } }));

test('every event arrives as it was captured, under its own uuid', async () => {
  const shipped = await ship(HOSTILE);

  assert.equal(shipped.records, rows.length);
  assert.deepEqual(
    bodies.map(({ api_key, historical_migration }) => ({ api_key, historical_migration })),
    [{ api_key: 'phc_x', historical_migration: true }],
  );
  const items = bodies[0]?.batch ?? [];
  assert.equal(items.length, rows.length);
  for (const [n, item] of items.entries()) {
    const row = rows[n]!;
    const chain = row.elements_chain === '' ? {} : { $elements_chain: row.elements_chain };
    assert.deepEqual(item, {
      ...{ uuid: row.uuid, event: row.event, distinct_id: row.distinct_id },
      timestamp: new Date(row.timestamp / 1_000).toISOString().replace(/\.(\d{3})Z/, (_, millis) => {
        const micros = `${millis}${String(row.timestamp % 1_000).padStart(3, '0')}`;
        return micros === '000000' ? '+00:00' : `.${micros}+00:00`;
      }),
      properties: { ...JSON.parse(String(row.properties)), $geoip_disable: true, ...chain },
    });
  }
});

test('many events go in batches, each once', async () => {
  await ship(MANY);
  assert.deepEqual(
    bodies.map(({ batch }) => batch.length),
    [5_000, 5_000, 2_000],
  );
  assert.equal(new Set(bodies.flatMap(({ batch }) => batch.map(({ uuid }) => uuid))).size, 12_000);
});

test('a server that is busy or breaks off is asked again', async () => {
  answers = [
    { status: 503 },
    { status: 429, headers: { 'retry-after': '0' } },
    'cut',
    { status: 200, body: '{"status":1}' },
  ];
  await ship(HOSTILE);
  assert.equal(bodies.length, 1);
});

const refusals: (Told & { title: string; answers: Answer[] })[] = [
  {
    title: 'a wrong token',
    answers: [{ status: 401, body: '{"detail":"no such key"}' }],
    kind: 'ClientError',
    final: true,
    text: /401.*no such key/,
  },
  { title: 'a body that is too large', answers: [{ status: 413 }], kind: 'ClientError', final: true, text: /413/ },
  {
    title: 'another address',
    answers: [{ status: 301, headers: { location: 'https://elsewhere.example/' } }],
    kind: 'Redirect',
    final: true,
    text: /elsewhere/,
  },
  {
    title: 'a page instead of an answer',
    answers: [{ status: 200, body: '{}' }],
    kind: 'InvalidResponse',
    final: true,
    text: /Check `url`/,
  },
  {
    title: 'a quota that is used up',
    answers: Array(5).fill({ status: 200, body: '{"status":1,"quota_limited":["events"]}' }),
    kind: 'QuotaLimited',
    final: false,
    text: /quota/,
  },
  {
    title: 'a server that stays down',
    answers: Array(5).fill({ status: 502 }),
    kind: 'ServerError',
    final: false,
    text: /502/,
  },
];
for (const { title, answers: given, ...told } of refusals) {
  test(`told in words: ${title}`, async () => {
    answers = [...given];
    await assertTold(ship(HOSTILE), told);
  });
}

test('columns that somebody chose are no events', async () => {
  const columns = [{ name: 'event', type: 'string' as const }];
  const shipment = await source.shipment({ teamId: HOSTILE, config: { url, token: 'phc_x' }, columns });
  await assert.rejects(destination.ship(shipment), { kind: 'UnsupportedSchema', final: true });
});

test('a private network is not entered unless the operator allows it', async () => {
  const guarded = httpDestination(openGuard({ privateNetworksAllowed: false }), 1);
  for (const target of [url, url.replace('127.0.0.1', 'localhost')]) {
    const shipment = await source.shipment({ teamId: HOSTILE, config: { url: target, token: 'phc_x' } });
    await assert.rejects(guarded.ship(shipment), { kind: 'PrivateNetworkError', final: true });
  }
  assert.equal(bodies.length, 0);
});

test('the test of a configuration passes when the server knows the token, and sends nothing', async () => {
  const [step] = destination.tests;
  const run = () => step!.run({ url, token: 'phc_x' }, new AbortController().signal);
  await run();
  assert.deepEqual(
    bodies.map(({ api_key, batch }) => ({ api_key, batch })),
    [{ api_key: 'phc_x', batch: [] }],
  );
  answers = [{ status: 400, body: '{"detail":"empty batch"}' }];
  await run();
  answers = [{ status: 401, body: '{"detail":"no such key"}' }];
  await assert.rejects(run(), { kind: 'ClientError', message: /401.*no such key/ });
});
