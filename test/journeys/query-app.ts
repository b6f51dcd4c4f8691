// The routes of queries, insights and dashboards on both engines, with rows put straight into their tables.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { buildApp } from '../../src/app.ts';
import { type Config, configWith } from '../../src/config.ts';
import { openLmdbLog } from '../../src/log/lmdb.ts';
import { insertKey } from '../../src/projects/api-keys/sql.ts';
import { bootstrap } from '../../src/projects/bootstrap.ts';
import { insertProject } from '../../src/projects/sql.ts';
import { insertEvents, insertRows } from '../../src/store/tables/insert.ts';
import type { EventRow, RowsByTable } from '../../src/store/tables/rows.ts';
import { openWeb } from '../../src/web/open.ts';
import { openTestDatabase } from '../db.ts';
import { makeEvent, openTestTables } from '../tables.ts';

export type QueryApp = Awaited<ReturnType<typeof startQueryApp>>;

/** `checkResponses` compares every answer with the shape that its route declares; measurements do without. */
export async function startQueryApp(given: Partial<Config> = {}, { checkResponses = true } = {}) {
  const database = await openTestDatabase();
  const { db, pool } = database;
  const tables = await openTestTables();
  const { store } = tables;
  const config = configWith({ TENREC_BOOTSTRAP_PASSWORD: 'correct horse battery', ...given });
  const first = await bootstrap(db, config);
  if (!first) throw new Error('the test database is not empty');
  const project = await db.selectFrom('project').selectAll().executeTakeFirstOrThrow();
  const owner = await db.selectFrom('account').selectAll().executeTakeFirstOrThrow();
  const other = await insertProject(db, { organization_id: project.organization_id, name: 'Other' });
  const folder = await mkdtemp(join(tmpdir(), 'tenrec-query-'));
  const log = pino({ level: 'silent' });
  const eventLog = await openLmdbLog({ path: join(folder, 'log'), maxBytes: 64 * 1024 * 1024 }, log);
  const stopping = new AbortController();
  const web = openWeb(folder, log);
  const app = await buildApp({
    db,
    pool,
    findPlace: undefined,
    eventLog,
    store,
    stopping: stopping.signal,
    config,
    log,
    secretKey: 'a secret key that only tests would ever use',
    services: [],
    web,
    checkResponses,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

  async function send(method: string, path: string, body?: unknown, key = first?.personalApiKey) {
    const response = await fetch(
      `${url}${path.startsWith('/api') || path.startsWith('/shared') ? '' : `/api/projects/${project.id}`}${path}`,
      {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    );
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
    return { status: response.status, text, body: (isJson && text ? JSON.parse(text) : undefined) as any };
  }

  let rows = 0;
  return {
    db,
    store,
    tables,
    url,
    project,
    other,
    owner,
    send,
    /** Asks a query node. */
    query: (query: unknown, more: object = {}) => send('POST', '/query/', { query, ...more }),
    /** Asks in SQL. */
    sql: (text: string, more: object = {}) =>
      send('POST', '/query/', { query: { kind: 'HogQLQuery', query: text }, ...more }),
    async storeEvents(drafts: readonly Partial<EventRow>[]) {
      const made = drafts.map((draft) => makeEvent(++rows, { team_id: project.id, ...draft }));
      await insertEvents(store.client, made, randomUUID());
      return made;
    },
    insert: <Name extends keyof RowsByTable>(table: Name, given: readonly RowsByTable[Name][]) =>
      insertRows(store.client, table, given, randomUUID()),
    async addKey(scopes: string[]): Promise<string> {
      const made = await insertKey(db, owner.id, { label: randomUUID(), scopes });
      if (made === 'too many') throw new Error('too many keys for this user');
      return made.value;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await app.close();
      await web.close();
      await eventLog.close();
      await tables[Symbol.asyncDispose]();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
