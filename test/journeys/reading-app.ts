// The routes that read back, on both engines, with rows put straight into their tables.
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { configWith } from '../../src/config.ts';
import { eventRoutes } from '../../src/events/routes.ts';
import type { Route } from '../../src/http/route.ts';
import { buildServer } from '../../src/http/server.ts';
import { openGate } from '../../src/projects/access/gate.ts';
import { insertKey } from '../../src/projects/api-keys/sql.ts';
import { bootstrap } from '../../src/projects/bootstrap.ts';
import { insertProject } from '../../src/projects/sql.ts';
import type { EventStore } from '../../src/store/open.ts';
import { insertEvents, insertRows } from '../../src/store/tables/insert.ts';
import type { EventRow, RowsByTable } from '../../src/store/tables/rows.ts';
import { makeEvent, openTestTables } from '../../src/store/tables/test-tables.ts';
import { openTestDatabase } from '../db.ts';

const SECRET = 'a secret key that only tests would ever use';

export type ReadingApp = Awaited<ReturnType<typeof startReadingApp>>;

export async function startReadingApp(more: (parts: { store: EventStore }) => Route[] = () => []) {
  const database = await openTestDatabase();
  const { db } = database;
  const tables = await openTestTables(process.env.CLICKHOUSE_URL);
  const store: EventStore = { ...tables.store, client: tables.client };
  const first = await bootstrap(db, configWith({ TENREC_BOOTSTRAP_PASSWORD: 'correct horse battery' }));
  if (!first) throw new Error('the test database is not empty');
  const project = await db.selectFrom('project').selectAll().executeTakeFirstOrThrow();
  const owner = await db.selectFrom('account').selectAll().executeTakeFirstOrThrow();
  const other = await insertProject(db, { organization_id: project.organization_id, name: 'Other' });

  const app = await buildServer({
    routes: [...eventRoutes(db, store), ...more({ store })],
    gate: openGate(db, SECRET),
    throttle: undefined,
    trustProxy: false,
    checkResponses: true,
    log: pino({ level: 'silent' }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const here = `${url}/api/projects/${project.id}`;

  async function send(
    method: string,
    path: string,
    { body, key = first?.personalApiKey }: { body?: unknown; key?: string } = {},
  ) {
    const response = await fetch(path.startsWith('http') ? path : here + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
    const parsed: any =
      text && response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : undefined;
    return { status: response.status, text, body: parsed };
  }

  let rows = 0;
  return {
    db,
    store,
    url,
    here,
    project,
    other,
    send,
    get: (path: string) => send('GET', path),
    /** Stores events of this project, each like any other but for what is given. */
    async storeEvents(given: readonly Partial<EventRow>[]) {
      const made = given.map((event) => makeEvent(++rows, { team_id: project.id, ...event }));
      await insertEvents(store.client, made, randomUUID());
      return made;
    },
    insert: <Name extends keyof RowsByTable>(table: Name, given: readonly RowsByTable[Name][]) =>
      insertRows(store.client, table, given, randomUUID()),
    async addKey(scopes: string[]): Promise<string> {
      const made = await insertKey(db, owner.id, { label: 'test', scopes });
      if (made === 'too many') throw new Error('too many keys for this user');
      return made.value;
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await tables[Symbol.asyncDispose]();
      await database.close();
    },
  };
}
