// A small server that answers the calls which Snowflake's client makes for an export. Tables lie in a real PostgreSQL,
// which also runs the statements; files are put into a folder, as the client does for a stage on the local disk.
import { createVerify, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { Pool, PoolClient } from 'pg';
import { openTestDatabase } from '../db.ts';

export interface SnowflakeServer extends AsyncDisposable {
  readonly url: string;
  /** What a configuration needs to get in. */
  readonly access: Readonly<Record<string, unknown>>;
  /** The same with a key instead of a password, locked with a passphrase. */
  readonly keyAccess: Readonly<Record<string, unknown>>;
  query<Row extends object>(sql: string): Promise<Row[]>;
  /** Called with every statement; what it answers is the error that the client gets. */
  refuse: ((sql: string) => Refusal | undefined) | undefined;
}

export interface Refusal {
  readonly code: string;
  readonly sqlState: string;
  readonly message: string;
}

const PASSPHRASE = 'a passphrase';
const ACCESS = {
  account: 'acme-main',
  user: 'LOADER',
  database: 'WAREHOUSE_DB',
  warehouse: 'LOADING',
  schema: 'analytics',
};
const TYPES: Readonly<Record<string, string>> = {
  ...{ STRING: 'text', VARIANT: 'jsonb', ARRAY: 'jsonb', INTEGER: 'bigint', TIMESTAMP: 'timestamp', FLOAT: 'float8' },
};

export async function startSnowflakeServer(): Promise<SnowflakeServer> {
  const database = await openTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'tenrec-snowflake-stage-'));
  await database.pool.query(`CREATE SCHEMA ${ACCESS.schema}`);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const private_key = privateKey
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: PASSPHRASE })
    .toString();
  const warehouse = new Warehouse(database.pool, folder, (sql) => running.refuse?.(sql));
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(await answer(request, warehouse, publicKey.export({ type: 'spki', format: 'pem' }).toString())),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const running: SnowflakeServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    access: { ...ACCESS, authentication_type: 'password', password: 'a password' },
    keyAccess: { ...ACCESS, authentication_type: 'keypair', private_key, private_key_passphrase: PASSPHRASE },
    query: async <Row extends object>(sql: string) => (await database.pool.query<Row>(sql)).rows,
    refuse: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await warehouse.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return running;
}

async function answer(request: IncomingMessage, warehouse: Warehouse, publicKey: string): Promise<unknown> {
  const { pathname } = new URL(request.url ?? '', 'http://x');
  const body = JSON.parse((await text(request)) || '{}');
  if (pathname === '/session/v1/login-request') {
    if (!isLetIn(body.data, publicKey)) {
      return { success: false, code: '390100', message: 'Incorrect username or password was specified.', data: {} };
    }
    const data = { token: 'token', masterToken: 'master', validityInSeconds: 3600, masterValidityInSeconds: 3600 };
    return { success: true, data: { ...data, sessionId: 1, parameters: [], sessionInfo: {} } };
  }
  if (pathname === '/queries/v1/query-request') return warehouse.run(body.sqlText, body.bindings ?? {});
  return { success: true, data: {} };
}

function isLetIn(data: Record<string, string>, publicKey: string): boolean {
  if (data.AUTHENTICATOR !== 'SNOWFLAKE_JWT') return data.LOGIN_NAME === ACCESS.user && data.PASSWORD === 'a password';
  const [head, claims, signature = ''] = (data.TOKEN ?? '').split('.');
  return createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url');
}

class Warehouse {
  readonly #pool: Pool;
  readonly #folder: string;
  readonly #refuse: (sql: string) => Refusal | undefined;
  #client: PoolClient | undefined;

  constructor(pool: Pool, folder: string, refuse: (sql: string) => Refusal | undefined) {
    this.#pool = pool;
    this.#folder = folder;
    this.#refuse = refuse;
  }

  async close(): Promise<void> {
    this.#client?.release(true);
  }

  async run(sql: string, bindings: Record<string, { value: string }>): Promise<unknown> {
    const refusal = this.#refuse(sql);
    if (refusal) return failure(refusal);
    if (sql.startsWith('PUT')) return this.#put(sql);
    if (sql.startsWith('SHOW'))
      return rowset([{ name: ACCESS.warehouse }, { name: ACCESS.database }, { name: ACCESS.schema }]);
    try {
      this.#client ??= await this.#pool.connect();
      if (sql.startsWith('COPY INTO')) return rowset(await this.#copy(sql));
      const values = Object.keys(bindings).map((number) => bindings[number]?.value);
      const { rows } = await this.#client.query(translate(sql), values);
      return rowset(rows);
    } catch (error) {
      return failure({ code: '001003', sqlState: '42000', message: (error as Error).message });
    }
  }

  #put(sql: string): unknown {
    const [, path = '', stage = ''] = /^PUT 'file:\/\/([^']+)' @.*"%([^"]+)"/.exec(sql) ?? [];
    const stageInfo = { locationType: 'LOCAL_FS', location: join(this.#folder, stage), creds: {} };
    const options = {
      command: 'UPLOAD',
      parallel: 1,
      overwrite: false,
      autoCompress: false,
      sourceCompression: 'gzip',
    };
    return { success: true, data: { ...options, src_locations: [path], stageInfo, statementTypeId: 0x7103 } };
  }

  async #copy(sql: string) {
    const [, table = ''] = /"(tenrec_stage_\w+)"/.exec(sql) ?? [];
    const folder = join(this.#folder, table);
    let loaded = 0;
    for (const name of await readdir(folder).catch(() => [])) {
      for (const line of gunzipSync(await readFile(join(folder, name)))
        .toString()
        .split('\n')
        .filter(Boolean)) {
        await this.#client?.query(
          `INSERT INTO ${ACCESS.schema}."${table}" SELECT * FROM jsonb_populate_record(NULL::${ACCESS.schema}."${table}", $1)`,
          [line],
        );
        loaded += 1;
      }
    }
    return [{ rows_loaded: loaded }];
  }
}

/** What differs between the two databases, in the few statements that are sent. */
function translate(sql: string): string {
  let number = 0;
  const plain = sql
    .replaceAll(`"${ACCESS.database}".`, '')
    .replaceAll(/ COMMENT = '[^']*'/g, '')
    .replace('CREATE TEMPORARY TABLE', 'CREATE TABLE')
    .replaceAll('?', () => `$${++number}`)
    .replaceAll(/AS (NAME|ID|FROM_MICROS|TO_MICROS)\b/g, 'AS "$1"');
  return plain.startsWith('CREATE')
    ? plain.replaceAll(/ ([A-Z]+)(?=[,)])/g, (whole, type) => (TYPES[type] ? ` ${TYPES[type]}` : whole))
    : plain;
}

function rowset(rows: readonly object[]) {
  const names = Object.keys(rows[0] ?? { status: '' });
  const rowtype = names.map((name) => ({
    name,
    type: 'text',
    nullable: true,
    length: 100,
    scale: null,
    precision: null,
  }));
  const values = rows.map((row) => names.map((name) => String((row as Record<string, unknown>)[name])));
  const counts = { total: values.length, returned: values.length };
  return {
    success: true,
    data: {
      rowtype,
      rowset: values,
      ...counts,
      queryId: 'q',
      queryResultFormat: 'json',
      parameters: [],
      statementTypeId: 4096,
    },
  };
}

const failure = ({ code, sqlState, message }: Refusal) => ({
  ...{ success: false, code, message },
  data: { sqlState, errorCode: code, queryId: 'q' },
});
