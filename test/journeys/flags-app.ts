// Flags on a fresh database, over a real socket, with the people that tests need.
import type { AddressInfo } from 'node:net';
import { captureEndpoints } from '../../src/capture/endpoints.ts';
import { type CohortParts, cohortRoutes } from '../../src/cohorts/routes.ts';
import { configWith } from '../../src/config.ts';
import { openFlags } from '../../src/flags/open.ts';
import { openRegistry, requestMetrics } from '../../src/http/metrics.ts';
import { publicHandler } from '../../src/http/public.ts';
import { BodyReader } from '../../src/http/read-bytes.ts';
import { buildServer } from '../../src/http/server.ts';
import { openLmdbLog } from '../../src/log/lmdb.ts';
import { openLogger } from '../../src/platform/logger.ts';
import { Unavailable } from '../../src/platform/unavailable.ts';
import { openGate } from '../../src/projects/access/gate.ts';
import { bootstrap } from '../../src/projects/bootstrap.ts';
import { insertProject } from '../../src/projects/sql.ts';
import { openProjectTokens } from '../../src/projects/tokens.ts';
import type { EventStore } from '../../src/store/open.ts';
import { surveyRoutes } from '../../src/surveys/routes.ts';
import { openTestDatabase, type TestDatabase } from '../db.ts';
import { openTempFolder } from '../temp-folder.ts';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
}

export interface StoredPerson {
  distinct_ids: string[];
  properties?: Record<string, unknown>;
}

type Project = Awaited<ReturnType<typeof insertProject>>;
export type FlagsApp = Awaited<ReturnType<typeof startFlagsApp>>;

const SECRET_KEY = 'a secret key that only tests would ever use';

/** Most of these tests ask for no events; whoever does is told that there is no ClickHouse. */
const noStore = {
  get client(): EventStore['client'] {
    throw new Unavailable('ClickHouse', 'these tests run without it');
  },
} as EventStore;

const noQueries: CohortParts['askQuery'] = async () => {
  throw new Unavailable('ClickHouse', 'these tests run without it');
};

/** On a database of its own, or on one that is migrated and empty. */
export async function startFlagsApp(
  given?: TestDatabase,
  store: EventStore = noStore,
  askQuery: CohortParts['askQuery'] = noQueries,
) {
  const database = given ?? (await openTestDatabase());
  const { db, pool } = database;
  const log = await openLogger({ level: 'debug', format: 'json', destination: { write: () => {} } });
  const first = await bootstrap(db, configWith({}));
  if (!first) throw new Error('the test database is not empty');
  const project = await db.selectFrom('project').selectAll().executeTakeFirstOrThrow();
  const gate = openGate(db, SECRET_KEY);
  const folder = await openTempFolder();
  const eventLog = await openLmdbLog({ path: folder.path, maxBytes: 64 * 1024 * 1024, diskReserveBytes: 0 }, log);
  const findProject = openProjectTokens(db).find;
  const flags = await openFlags({
    db,
    pool,
    store,
    eventLog,
    gate,
    secretKey: SECRET_KEY,
    findProject,
    findPlace: (address) => (address === '13.106.122.3' ? AUSTRALIA : undefined),
    // On the database that all tests share, a busy moment is no outage.
    answerMsMax: given ? undefined : 10_000,
    log,
  });
  const server = await buildServer({
    routes: [
      ...flags.routes,
      ...surveyRoutes({ db, store, definitions: flags.definitions }),
      ...cohortRoutes({ db, pool, store, definitions: flags.definitions, askQuery, log }),
    ],
    gate,
    throttle: undefined,
    first: publicHandler({
      // There is no pipeline here: whatever is captured waits for ever.
      endpoints: [...flags.endpoints, ...captureEndpoints({ log: flags.eventLog, findProject, strict: false })],
      bodies: new BodyReader(20 * 1024 * 1024),
      metrics: requestMetrics(openRegistry()),
      log,
    }),
    trustProxy: false,
    checkResponses: true,
    log,
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;

  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(url + path, {
      method,
      headers: { ...(!isRaw && body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  }

  /** What tests say and store about one project, and how they ask for its flags. */
  const inProject = (project: Project, token: string) => ({
    project,
    token,
    /** With the owner's key. */
    api: (method: string, path: string, body?: unknown) =>
      send(method, `/api/projects/${project.id}${path}`, body, { authorization: `Bearer ${first.personalApiKey}` }),
    post: (path: string, body: object, headers?: Record<string, string>) =>
      send('POST', path, { token, ...body }, headers),

    async addFlag(key: string, filters: object, more: Record<string, unknown> = {}): Promise<number> {
      const values = { team_id: project.id, key, filters: JSON.stringify(filters), ...more };
      const { id } = await db.insertInto('feature_flag').values(values).returning('id').executeTakeFirstOrThrow();
      await flags.definitions.refresh(project.id);
      return id;
    },

    async addPerson({ distinct_ids, properties = {} }: StoredPerson): Promise<string> {
      const uuid = crypto.randomUUID();
      const created_at = new Date().toISOString();
      const person = { team_id: project.id, uuid, created_at, is_identified: true, version: 0 };
      await db
        .insertInto('person')
        .values({ ...person, properties: JSON.stringify(properties) })
        .execute();
      const ids = distinct_ids.map((distinct_id) => ({
        team_id: project.id,
        distinct_id,
        person_uuid: uuid,
        version: 0,
      }));
      await db.insertInto('person_distinct_id').values(ids).execute();
      return uuid;
    },

    async addGroupType(group_type: string, group_type_index: number): Promise<void> {
      await db.insertInto('group_type').values({ team_id: project.id, group_type, group_type_index }).execute();
      await flags.definitions.refresh(project.id);
    },

    async addGroup(group_type_index: number, group_key: string, properties: object): Promise<void> {
      const created_at = new Date().toISOString();
      const group = { team_id: project.id, group_type_index, group_key, created_at, version: 0 };
      await db
        .insertInto('groups')
        .values({ ...group, properties: JSON.stringify(properties) })
        .execute();
    },
  });

  return {
    ...inProject(project, first.projectToken),
    url,
    db,
    pool,
    key: first.personalApiKey,
    definitions: flags.definitions,
    eventLog,
    log,
    send,
    /** Another project of the same people, with nothing in it. */
    async addProject() {
      const made = await insertProject(db, { organization_id: project.organization_id, name: 'Another' });
      return inProject(made, made.api_token);
    },

    async [Symbol.asyncDispose]() {
      await server.close();
      await flags.close();
      await eventLog.close();
      await folder[Symbol.asyncDispose]();
      await database.close();
    },
  };
}

const AUSTRALIA = {
  city_name: 'Sydney',
  subdivision_1_name: null,
  subdivision_1_code: null,
  subdivision_2_name: null,
  subdivision_2_code: null,
  country_name: 'Australia',
  country_code: 'AU',
  continent_name: 'Oceania',
  continent_code: 'OC',
  postal_code: '2000',
  latitude: null,
  longitude: null,
  accuracy_radius: null,
  time_zone: 'Australia/Sydney',
};
