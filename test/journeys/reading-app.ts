// The routes that read back, on both engines, with rows put straight into their tables.
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { configWith } from '../../src/config.ts';
import { definitionRoutes } from '../../src/events/definitions/routes.ts';
import { ingestionRoutes } from '../../src/events/ingestion/routes.ts';
import { eventRoutes } from '../../src/events/routes.ts';
import { buildServer } from '../../src/http/server.ts';
import { openLmdbLog } from '../../src/log/lmdb.ts';
import { type OwnEvent, peopleRoutes } from '../../src/people/routes.ts';
import { openGate } from '../../src/projects/access/gate.ts';
import { insertKey } from '../../src/projects/api-keys/sql.ts';
import { bootstrap } from '../../src/projects/bootstrap.ts';
import { insertMembership } from '../../src/projects/organizations/sql.ts';
import { insertProject } from '../../src/projects/sql.ts';
import { insertAccount } from '../../src/projects/users/sql.ts';
import { insertEvents, insertRows } from '../../src/store/tables/insert.ts';
import type { EventRow, RowsByTable } from '../../src/store/tables/rows.ts';
import { openTestDatabase } from '../db.ts';
import { makeEvent, openTestTables } from '../tables.ts';
import { openTempFolder } from '../temp-folder.ts';

const SECRET = 'a secret key that only tests would ever use';

export interface PersonDraft {
  team_id?: number;
  uuid?: string;
  distinct_ids: readonly string[];
  properties?: Record<string, unknown>;
  is_identified?: boolean;
  created_at?: string;
}

export type ReadingApp = Awaited<ReturnType<typeof startReadingApp>>;

export async function startReadingApp() {
  const database = await openTestDatabase();
  const { db } = database;
  const tables = await openTestTables();
  const { store } = tables;
  const first = await bootstrap(db, configWith({ TENREC_BOOTSTRAP_PASSWORD: 'correct horse battery' }));
  if (!first) throw new Error('the test database is not empty');
  const project = await db.selectFrom('project').selectAll().executeTakeFirstOrThrow();
  const owner = await db.selectFrom('account').selectAll().executeTakeFirstOrThrow();
  const other = await insertProject(db, { organization_id: project.organization_id, name: 'Other' });

  const folder = await openTempFolder();
  const options = { path: folder.path, partitions: 4, maxBytes: 64 * 1024 * 1024, keepMs: 60_000, diskReserveBytes: 0 };
  const eventLog = await openLmdbLog(options, pino({ level: 'silent' }));
  const stopping = new AbortController();
  const captured: OwnEvent[] = [];
  const capture = async (event: OwnEvent) => void captured.push(event);

  const app = await buildServer({
    routes: [
      ...eventRoutes(db, store, async () => undefined),
      ...peopleRoutes(db, store, capture),
      ...definitionRoutes(db),
      ...ingestionRoutes({ db, store, eventLog, stopping: stopping.signal }),
    ],
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
    eventLog,
    databaseUrl: database.url,
    url,
    here,
    project,
    owner,
    other,
    /** Events that the program sent itself. */
    captured,
    /** The owner's key, with scope `*`. */
    key: first.personalApiKey,
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
    /** A person as the pipeline would leave it in both engines. */
    async addPerson({ team_id = project.id, distinct_ids, properties = {}, ...given }: PersonDraft) {
      const row = {
        team_id,
        uuid: randomUUID(),
        created_at: new Date().toISOString(),
        is_identified: false,
        version: 0,
        ...given,
      };
      const text = JSON.stringify(properties);
      const person = await db
        .insertInto('person')
        .values({ ...row, properties: text })
        .returningAll()
        .executeTakeFirstOrThrow();
      const ids = distinct_ids.map((distinct_id) => ({ team_id, distinct_id, version: 0 }));
      await db
        .insertInto('person_distinct_id')
        .values(ids.map((id) => ({ ...id, person_uuid: row.uuid })))
        .execute();
      const mirrored = { is_deleted: false, inserted_at: Date.now() * 1_000 };
      const created_at = Date.parse(row.created_at);
      await insertRows(
        store.client,
        'person',
        [{ ...row, ...mirrored, id: row.uuid, created_at, properties: text }],
        randomUUID(),
      );
      await insertRows(
        store.client,
        'person_distinct_id',
        ids.map((id) => ({ ...id, ...mirrored, person_id: row.uuid })),
        randomUUID(),
      );
      return person;
    },
    /** A key of somebody new in the organization. */
    async addKey(scopes: string[], scoped_teams: number[] = []): Promise<string> {
      const email = `${randomUUID()}@example.com`;
      const user = await insertAccount(db, { email, password_hash: null, first_name: 'Test' });
      await insertMembership(db, project.organization_id, user.id, 1);
      const made = await insertKey(db, user.id, { label: 'test', scopes, scoped_teams });
      if (made === 'too many') throw new Error('too many keys for this user');
      return made.value;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await app.close();
      await eventLog.close();
      await folder[Symbol.asyncDispose]();
      await tables[Symbol.asyncDispose]();
      await database.close();
    },
  };
}
