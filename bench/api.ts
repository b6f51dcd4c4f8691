// The management API of dashboards beside the bare SQL that each call needs, through the same pool, and beside a bare
// Fastify route that answers as many bytes without doing anything. Sixteen connections, from a process of their own.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fastify, { type FastifyInstance } from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import { printTable } from '../src/cli/table.ts';
import { configWith } from '../src/config.ts';
import { dashboardRoutes } from '../src/dashboards/routes.ts';
import { buildServer } from '../src/http/server.ts';
import { migrateMetadata } from '../src/metadata/migrate.ts';
import { type Metadata, openMetadata } from '../src/metadata/open.ts';
import { openGate } from '../src/projects/access/gate.ts';
import { bootstrap } from '../src/projects/bootstrap.ts';
import { openQuery } from '../src/query/open.ts';
import type { EventStore } from '../src/store/open.ts';
import { type Figure, median } from './measure/figure.ts';

const CONNECTIONS = 16;
const ROUNDS = 3;
const RUN_SECONDS = 2;
const WARM_UP = 1_000;
const LISTED = 200;
const TILES = 20;
const SECRET = 'a secret key for measuring only';
/** The API reaches at least 0.4 of the bare SQL. */
const TIMES_SLOWER_MAX = 1 / 0.4;

interface Request {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  /** `[<id>]` becomes a new text each time, so that every change changes something. */
  body?: object;
}

/** What one call is, for each of the connections. */
interface Operation {
  name: string;
  requests: Request[];
}

interface Load {
  url: string;
  key: string;
  requests: Request[];
}

// The side that asks, in a process of its own

/** What of the tool is used here. */
type Autocannon = (options: object) => Promise<{
  requests: { total: number };
  latency: { p99: number };
  errors: number;
  non2xx: number;
}>;

async function generate({ url, key, requests }: Load): Promise<void> {
  const { default: autocannon } = (await import('autocannon')) as unknown as { default: Autocannon };
  const startedAt = performance.now();
  const {
    requests: answered,
    errors,
    non2xx,
    latency,
  } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: RUN_SECONDS,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    requests: requests.map(({ method, path, body }) => ({
      method,
      path,
      ...(body && { setupRequest: (request: object) => ({ ...request, body: bodyText(body) }) }),
    })),
  });
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(JSON.stringify({ perSecond: answered.total / seconds, failed: errors + non2xx, p99Ms: latency.p99 }));
}

const bodyText = (body: object) => JSON.stringify(body).replaceAll('[<id>]', randomUUID());

interface Asked {
  perSecond: number;
  p99Ms: number;
}

async function ask(load: Load): Promise<Asked> {
  const child = spawn(process.execPath, [import.meta.filename, '--generate', JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const { failed, ...asked } = JSON.parse(said) as Asked & { failed: number };
  if (failed > 0) throw new Error(`${failed} requests failed: ${load.requests[0]?.method} ${load.requests[0]?.path}`);
  return asked;
}

// The side that answers

interface Statement {
  text: string;
  values: unknown[] | undefined;
}

/** The statements that one call sends to PostgreSQL, with their values. */
async function record(call: () => Promise<void>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [statement, values] = args as [string, unknown[] | undefined];
    seen.push({ text: statement, values: Array.isArray(values) ? values : undefined });
    return Reflect.apply(query, this, args);
  } as typeof query;
  await call().finally(() => {
    pg.Client.prototype.query = query;
  });
  return seen;
}

/** Sends them again, one after the other; a transaction keeps its connection, everything else takes one each. */
async function replay(pool: pg.Pool, statements: readonly Statement[]): Promise<void> {
  let client: pg.PoolClient | undefined;
  for (const { text: statement, values } of statements) {
    const isBegin = statement.startsWith('begin');
    if (isBegin) client = await pool.connect();
    await (client ?? pool).query(statement, values);
    if (statement !== 'commit') continue;
    client?.release();
    client = undefined;
  }
}

/** How often a second sixteen at once get through one of the recordings each. */
async function measureSql(pool: pg.Pool, recordings: readonly Statement[][]): Promise<number> {
  const startedAt = performance.now();
  const until = startedAt + RUN_SECONDS * 1000;
  let done = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, n) => {
      const statements = recordings[n % recordings.length] ?? [];
      for (; performance.now() < until; done += 1) await replay(pool, statements);
    }),
  );
  return (done * 1000) / (performance.now() - startedAt);
}

const noStore = new Proxy({} as EventStore, {
  get() {
    throw new Error('this bench runs without ClickHouse');
  },
});

async function openApi(metadata: Metadata) {
  const { db } = metadata;
  const first = await bootstrap(db, configWith({ TENREC_BOOTSTRAP_PASSWORD: 'correct horse battery' }));
  const log = pino({ level: 'silent' });
  // Dashboards are read from what has been computed; nobody asks the engine here.
  const parts = { db, store: noStore, config: configWith({}), listCohortMembers: async () => [], log };
  const routes = dashboardRoutes(db, SECRET, openQuery(parts).queries);
  const app = await buildServer({ routes, gate: openGate(db, SECRET), throttle: undefined, trustProxy: false, log });
  return { app, key: first?.personalApiKey ?? '', url: await listen(app) };
}

async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

type Call = (request: Request) => Promise<{ id: number }>;

const callerOf =
  (url: string, key: string): Call =>
  async ({ method, path, body }) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: bodyText(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { id: number };
  };

const ROOT = '/api/projects/1/dashboards/';

/** Dashboards enough for a page, and one of its own for every connection to read and to change. */
async function fill(call: Call): Promise<Operation[]> {
  const own: number[] = [];
  for (let n = 0; n < LISTED; n += 1) {
    const { id } = await call({ method: 'POST', path: ROOT, body: { name: `Dashboard ${n}`, tags: ['bench'] } });
    if (n < CONNECTIONS) own.push(id);
  }
  const query = {
    kind: 'InsightVizNode',
    source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
  };
  for (let n = 0; n < TILES; n += 1) {
    await call({
      method: 'POST',
      path: '/api/projects/1/insights/',
      body: { name: `Insight ${n}`, query, dashboards: own },
    });
  }
  const each = (request: (path: string) => Request) => own.map((id) => request(`${ROOT}${id}/`));
  return [
    { name: 'list, 100 of 200', requests: [{ method: 'GET', path: ROOT }] },
    { name: `retrieve, ${TILES} tiles`, requests: each((path) => ({ method: 'GET', path })) },
    { name: 'create', requests: [{ method: 'POST', path: ROOT, body: { name: 'Made [<id>]', tags: ['bench'] } }] },
    {
      name: `PATCH, ${TILES} tiles`,
      requests: each((path) => ({ method: 'PATCH', path, body: { name: 'Changed [<id>]' } })),
    },
  ];
}

interface Measured {
  operation: Operation;
  statements: number;
  sql: number;
  api: number;
  p99Ms: number;
  bare: number;
  /** Of this process for one call. On a machine with neighbours they tell more than the rates. */
  sqlCpuMs: number;
  apiCpuMs: number;
}

/** What this process spends on each of the calls that `run` gets done in its time. */
async function withCpu<Result>(run: () => Promise<Result>, perSecond: (result: Result) => number) {
  const before = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  return { result, cpuMs: (user + system) / 1000 / (perSecond(result) * RUN_SECONDS) };
}

async function measure(metadata: Metadata, api: { url: string; key: string }, operation: Operation): Promise<Measured> {
  const { requests } = operation;
  const call = callerOf(api.url, api.key);
  const recordings: Statement[][] = [];
  for (const request of requests) {
    await call(request);
    recordings.push(await record(async () => void (await call(request))));
  }
  const bare = await openBare(api, requests[0]!);
  const rounds: Omit<Measured, 'operation' | 'statements'>[] = [];
  // Neither side is measured cold.
  await measureSql(metadata.pool, recordings);
  for (let n = 0; n < WARM_UP; n += CONNECTIONS) {
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, at) => call(requests[at % requests.length]!)));
  }
  // They take turns, and the middle result counts: neighbours on the machine come and go.
  for (let round = 0; round < ROUNDS; round += 1) {
    const sql = await withCpu(
      () => measureSql(metadata.pool, recordings),
      (perSecond) => perSecond,
    );
    const asked = await withCpu(
      () => ask({ ...api, requests }),
      ({ perSecond }) => perSecond,
    );
    const nothing = await ask({ ...api, url: bare.url, requests: [{ method: 'GET', path: '/' }] });
    rounds.push({
      sql: sql.result,
      api: asked.result.perSecond,
      p99Ms: asked.result.p99Ms,
      bare: nothing.perSecond,
      sqlCpuMs: sql.cpuMs,
      apiCpuMs: asked.cpuMs,
    });
  }
  await bare.app.close();
  const middle = (of: keyof (typeof rounds)[number]) => median(rounds.map((each) => each[of]));
  return {
    operation,
    statements: recordings[0]?.length ?? 0,
    sql: middle('sql'),
    api: middle('api'),
    p99Ms: middle('p99Ms'),
    bare: middle('bare'),
    sqlCpuMs: middle('sqlCpuMs'),
    apiCpuMs: middle('apiCpuMs'),
  };
}

/** A route that answers what the operation answers, from memory. */
async function openBare({ url, key }: { url: string; key: string }, request: Request) {
  const answer = JSON.stringify(await callerOf(url, key)(request));
  const app = fastify();
  app.get('/', (_request, reply) => reply.type('application/json').send(answer));
  return { app, url: await listen(app) };
}

const round = (value: number) => Math.round(value).toLocaleString('en');

function print(measured: readonly Measured[]): string {
  const rows = measured.map(({ operation, statements, sql, api, p99Ms, bare, sqlCpuMs, apiCpuMs }) => [
    operation.name,
    String(statements),
    round(sql),
    round(api),
    `${round(p99Ms)} ms`,
    round(bare),
    (api / sql).toFixed(2),
    `${sqlCpuMs.toFixed(2)} / ${apiCpuMs.toFixed(2)} ms`,
    (sqlCpuMs / apiCpuMs).toFixed(2),
  ]);
  return printTable(
    ['CALL', 'STATEMENTS', 'BARE SQL/s', 'API/s', 'API p99', 'BARE FASTIFY/s', 'API / SQL', 'CPU SQL / API', 'BY CPU'],
    rows,
  );
}

export async function run(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tenrec-bench-api-'));
  const log = pino({ level: 'warn' });
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const metadata = await openMetadata({ DATABASE_URL: '', TENREC_DATA: folder }, log);
  opened.defer(() => metadata.close());
  await migrateMetadata(metadata.pool, pino({ level: 'silent' }));
  const { app, ...api } = await openApi(metadata);
  opened.defer(() => app.close());

  const measured: Measured[] = [];
  for (const operation of await fill(callerOf(api.url, api.key))) {
    measured.push(await measure(metadata, api, operation));
  }
  console.log(`${print(measured)}\n`);
  return measured.map(({ operation, sql, api: perSecond }) => ({
    name: `${operation.name}: bare SQL over API`,
    value: sql / perSecond,
    unit: 'times',
    max: TIMES_SLOWER_MAX,
  }));
}

const [flag, load] = process.argv.slice(2);
if (import.meta.main && flag === '--generate') await generate(JSON.parse(load ?? '') as Load);
