// A whole app on a fresh database, over a real socket, with the people that tests need.
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../src/app.ts';
import { type Config, configWith } from '../src/config.ts';
import { openLmdbLog } from '../src/log/lmdb.ts';
import { openLogger } from '../src/platform/logger.ts';
import { Unavailable } from '../src/platform/unavailable.ts';
import { hashPassword } from '../src/projects/access/passwords.ts';
import { insertKey, type KeyDraft } from '../src/projects/api-keys/sql.ts';
import { bootstrap } from '../src/projects/bootstrap.ts';
import { insertMembership, insertOrganization } from '../src/projects/organizations/sql.ts';
import { insertProject } from '../src/projects/sql.ts';
import { insertAccount, updateAccount } from '../src/projects/users/sql.ts';
import type { EventStore } from '../src/store/open.ts';
import { openTestDatabase } from './db.ts';

export const PASSWORD = 'correct horse battery';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
}

export interface Ask {
  key?: string;
  session?: Session;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The cookies of a signed-in browser. */
export interface Session {
  cookie: string;
  csrf: string;
}

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

export async function startTestApp(given: Partial<Config> = {}) {
  const database = await openTestDatabase();
  const { db } = database;
  const config = configWith(given);
  const lines: string[] = [];
  const log = await openLogger({
    level: 'debug',
    format: 'json',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const first = await bootstrap(db, { ...config, TENREC_BOOTSTRAP_PASSWORD: PASSWORD });
  if (!first) throw new Error('the test database is not empty');
  const folder = await mkdtemp(join(tmpdir(), 'tenrec-app-'));
  const eventLog = await openLmdbLog({ path: join(folder, 'log'), maxBytes: 256 * 1024 * 1024 }, log);
  const app = await buildApp({
    db,
    pool: database.pool,
    findPlace: undefined,
    eventLog,
    store: noStore,
    stopping: new AbortController().signal,
    config,
    log,
    secretKey: 'a secret key that only tests would ever use',
    services: [],
    checkResponses: true,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

  async function send(method: string, path: string, { key, session, body, headers }: Ask = {}): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(session && { cookie: session.cookie, 'x-csrftoken': session.csrf }),
        ...(body !== undefined && typeof body !== 'string' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : undefined };
  }

  async function signIn(email: string, password = PASSWORD): Promise<Session> {
    const { status, headers, text } = await send('POST', '/api/login/', { body: { email, password } });
    if (status !== 200) throw new Error(`sign-in answered ${status}: ${text}`);
    const pairs = headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] as string);
    const csrf = pairs.find((pair) => pair.startsWith('posthog_csrftoken='))?.split('=')[1] ?? '';
    return { cookie: pairs.join('; '), csrf };
  }

  const owner = await db.selectFrom('account').selectAll().executeTakeFirstOrThrow();
  const organization = await db.selectFrom('organization').selectAll().executeTakeFirstOrThrow();
  const project = await db.selectFrom('project').selectAll().executeTakeFirstOrThrow();

  return {
    url,
    db,
    app,
    eventLog,
    lines,
    send,
    signIn,
    owner,
    organization,
    project,
    /** The owner's key, with scope `*`. */
    key: first.personalApiKey,

    /** Another person, who belongs to the first organization unless told otherwise. */
    async addUser(email: string, level: 1 | 8 | 15 = 1, organization_id: string | null = organization.id) {
      const user = await insertAccount(db, { email, password_hash: await cheapHash(), first_name: 'Test' });
      if (organization_id) await insertMembership(db, organization_id, user.id, level);
      return user;
    },

    /** Another organization with an owner and a project of its own. */
    async addOrganization(name: string) {
      const email = `owner@${name.toLowerCase().replace(/\W+/g, '-')}.example.com`;
      const user = await insertAccount(db, { email, password_hash: await cheapHash(), first_name: 'Test' });
      const made = await insertOrganization(db, name, user.id);
      const project = await insertProject(db, { organization_id: made.id, name: `${name}'s project` });
      await updateAccount(db, user.id, { current_project_id: project.id });
      return { organization: made, user, project };
    },

    /** A personal API key of that user. */
    async addKey(user_id: number, draft: Partial<KeyDraft> = {}): Promise<string> {
      const made = await insertKey(db, user_id, { label: 'test', scopes: ['*'], ...draft });
      if (made === 'too many') throw new Error('too many keys for this user');
      return made.value;
    },

    async [Symbol.asyncDispose]() {
      await app.close();
      await eventLog.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** These tests are about people and their keys; whoever asks for events here is told that there is no ClickHouse. */
const noStore: EventStore = {
  kind: 'server',
  engine: undefined,
  get client(): EventStore['client'] {
    throw new Unavailable('ClickHouse', 'these tests run without it');
  },
  connect: () => noStore.client,
  address: { url: 'http://127.0.0.1:1' },
  onMove: () => {},
  health: async () => void noStore.client,
  close: async () => {},
};

let hashed: Promise<string> | undefined;
/** One slow hash serves every test user. */
function cheapHash(): Promise<string> {
  hashed ??= hashPassword(PASSWORD);
  return hashed;
}
