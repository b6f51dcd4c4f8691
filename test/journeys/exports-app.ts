// Batch exports on both engines, with a clock that a test moves and events put straight into their table.
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { configWith } from '../../src/config.ts';
import type { Destinations } from '../../src/exports/destinations/all.ts';
import { destinationsFor, type Exports, openExports } from '../../src/exports/open.ts';
import type { WorkerTiming } from '../../src/exports/worker.ts';
import { buildServer } from '../../src/http/server.ts';
import { openGate } from '../../src/projects/access/gate.ts';
import { insertKey } from '../../src/projects/api-keys/sql.ts';
import { bootstrap } from '../../src/projects/bootstrap.ts';
import { insertOrganization } from '../../src/projects/organizations/sql.ts';
import { insertProject } from '../../src/projects/sql.ts';
import { userRoutes } from '../../src/projects/users/routes.ts';
import { insertAccount } from '../../src/projects/users/sql.ts';
import { insertEvents, insertRows } from '../../src/store/tables/insert.ts';
import type { EventRow, RowsByTable } from '../../src/store/tables/rows.ts';
import { openTestDatabase } from '../db.ts';
import { makeEvent, openTestTables } from '../tables.ts';
import { openTempFolder } from '../temp-folder.ts';

export const SECRET = 'a secret key that only tests would ever use';
export const PASSWORD = 'correct horse battery';
const log = pino({ level: process.env.TENREC_LOG_LEVEL ?? 'silent' });

export type ExportsApp = Awaited<ReturnType<typeof startExportsApp>>;

export interface Sent {
  body?: unknown;
  key?: string | null;
  headers?: Record<string, string>;
}

export interface ExportsAppOptions {
  timing?: Partial<WorkerTiming>;
  /** Added to the real ones, or in their place. */
  destinations?: Partial<Destinations>;
}

export async function startExportsApp({ timing = {}, destinations = {} }: ExportsAppOptions = {}) {
  const database = await openTestDatabase();
  const { db } = database;
  const folder = await openTempFolder();
  const config = configWith({ TENREC_DATA: folder.path, TENREC_EXPORT_PRIVATE_NETWORKS: true });
  const tables = await openTestTables();
  const { store } = tables;
  const first = await bootstrap(db, { ...config, TENREC_BOOTSTRAP_PASSWORD: PASSWORD });
  if (!first) throw new Error('the test database is not empty');
  const project = await db.selectFrom('project').selectAll().executeTakeFirstOrThrow();
  const owner = await db.selectFrom('account').selectAll().executeTakeFirstOrThrow();

  let now: number | undefined;
  const exports: Exports = openExports({
    db,
    store,
    secretKey: SECRET,
    config,
    log,
    clock: async () => now ?? Date.now(),
    destinations: { ...destinationsFor(config), ...destinations },
    timing: { pollMs: 20, beatMs: 50, leaseMs: 1_000, retry: { firstMs: 20, maxMs: 50 }, ...timing },
  });
  const app = await buildServer({
    routes: [...exports.routes, ...userRoutes(db, SECRET)],
    gate: openGate(db, SECRET),
    throttle: undefined,
    trustProxy: false,
    checkResponses: true,
    log,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const here = `/api/environments/${project.id}`;
  let rows = 0;

  const send = async (method: string, path: string, { body, key = first.personalApiKey, headers = {} }: Sent = {}) => {
    const address = path.startsWith('http') ? path : url + (path.startsWith('/api/') ? path : here + path);
    const response = await fetch(address, {
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json');
    // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
    const parsed: any = isJson ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, body: parsed };
  };

  return {
    database,
    db,
    store,
    exports,
    folder: folder.path,
    project,
    owner,
    url,
    here,
    key: first.personalApiKey,
    send,

    /** The clock stands still there from now on. */
    setClock(text: string) {
      now = Date.parse(text);
    },
    /** Creates an export; `NoOp` every hour unless told otherwise. */
    async create(given: Record<string, unknown> = {}) {
      const draft = { name: 'test', interval: 'hour', destination: { type: 'NoOp', config: {} }, ...given };
      const { status, text, body } = await send('POST', '/batch_exports/', { body: draft });
      if (status !== 201) throw new Error(`create answered ${status}: ${text}`);
      return body;
    },
    /** Runs of an export, in the order of their intervals. */
    runs: (id: string) =>
      db
        .selectFrom('batch_export_run')
        .selectAll()
        .where('batch_export_id', '=', id)
        .orderBy('data_interval_end')
        .orderBy('id')
        .execute(),
    /** Works until nothing is left to do, then stops. */
    async workUntilIdle() {
      const worker = exports.work();
      await worker.idle();
      await worker.close();
    },
    /** Stores events that arrived at this time, each like any other but for what is given. */
    async storeEvents(arrived: string, given: readonly Partial<EventRow>[]) {
      const inserted_at = Date.parse(arrived) * 1_000;
      const made = given.map((event) => makeEvent(++rows, { team_id: project.id, inserted_at, ...event }));
      await insertEvents(store.client, made, randomUUID());
      return made;
    },
    insert: <Name extends keyof RowsByTable>(table: Name, given: readonly RowsByTable[Name][]) =>
      insertRows(store.client, table, given, randomUUID()),
    async addKey(scopes: string[], user_id = owner.id): Promise<string> {
      const made = await insertKey(db, user_id, { label: 'test', scopes });
      if (made === 'too many') throw new Error('too many keys');
      return made.value;
    },
    /** Another project of the same organization. */
    addProject: () => insertProject(db, { organization_id: project.organization_id, name: 'Other' }),
    /** Another organization with a project, whose owner has a key. */
    async addOrganization() {
      const user = await insertAccount(db, {
        email: `${randomUUID()}@example.com`,
        password_hash: null,
        first_name: 'T',
      });
      const organization = await insertOrganization(db, `Org ${randomUUID()}`, user.id);
      return { organization, user, project: await insertProject(db, { organization_id: organization.id, name: 'P' }) };
    },

    async [Symbol.asyncDispose]() {
      await app.close();
      await exports.close();
      await tables[Symbol.asyncDispose]();
      await database.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
