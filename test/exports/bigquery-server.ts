// A small server that answers the calls which Google's client makes for an export. Tables lie in a real PostgreSQL, which
// also runs the statements: so they mean what they say.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Pool } from 'pg';
import { openTestDatabase } from '../db.ts';

export interface BigQueryServer extends AsyncDisposable {
  readonly url: string;
  query<Row extends object>(sql: string): Promise<Row[]>;
  tables(): Promise<string[]>;
  /** Called for every request; what it answers is the error that the client gets. */
  refuse: ((method: string, path: string) => Refusal | undefined) | undefined;
}

export interface Refusal {
  readonly code: number;
  readonly reason: string;
}

export const DATASET = 'analytics';

const TYPES: Readonly<Record<string, string>> = {
  ...{ STRING: 'text', JSON: 'jsonb', INTEGER: 'bigint', FLOAT: 'double precision', BOOLEAN: 'boolean' },
  TIMESTAMP: 'timestamptz',
};

interface Field {
  name: string;
  type: string;
  mode?: string;
}

interface Job {
  readonly jobReference: { projectId: string; jobId: string };
  readonly status: { state: 'DONE'; errorResult?: { reason: string; message: string }; errors?: unknown[] };
  readonly statistics: object;
}

/** What a statement selected, in the form that Google's client reads. */
interface Selected {
  readonly schema: { fields: Field[] };
  readonly rows: { f: { v: unknown }[] }[];
}

interface QueryConfiguration {
  query: string;
  queryParameters?: { parameterValue: { arrayValues: { value: string }[] } }[];
}

class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

const notFound = (what: string) => new Refused({ code: 404, reason: 'notFound' }, `Not found: ${what}`);

export async function startBigQueryServer(): Promise<BigQueryServer> {
  const database = await openTestDatabase();
  await database.pool.query(`CREATE SCHEMA ${DATASET}`);
  const warehouse = new Warehouse(database.pool);
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname.replace(
      /^\/(?:upload\/)?bigquery\/v2\/projects\/[^/]+/,
      '',
    );
    try {
      const refusal = running.refuse?.(request.method ?? '', path);
      if (refusal) throw new Refused(refusal, `refused: ${refusal.reason}`);
      const answer = await warehouse.answer(request, path);
      response.writeHead(answer === undefined ? 204 : 200, { 'content-type': 'application/json' });
      response.end(answer === undefined ? undefined : JSON.stringify(answer));
    } catch (error) {
      const { message } = error as Error;
      const { code, reason } = error instanceof Refused ? error.refusal : { code: 500, reason: 'backendError' };
      response.writeHead(code, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { code, message, errors: [{ reason, message }] } }));
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const query = async <Row extends object>(sql: string) => (await database.pool.query<Row>(sql)).rows;
  const running: BigQueryServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    query,
    tables: async () => {
      const rows = await query<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${DATASET}' ORDER BY 1`,
      );
      return rows.map(({ name }) => name);
    },
    refuse: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await database.close();
    },
  };
  return running;
}

class Warehouse {
  readonly #pool: Pool;
  readonly #schemas = new Map<string, Field[]>();
  readonly #jobs = new Map<string, Job>();
  readonly #selected = new Map<string, Selected>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async answer(request: IncomingMessage, path: string): Promise<unknown> {
    const [, kind, id = '', , table = ''] = path.split('/');
    if (kind === 'datasets') {
      if (id === '') return { datasets: [{ datasetReference: { datasetId: DATASET } }] };
      if (id !== DATASET) throw notFound(`Dataset ${id}`);
      return path.includes('/tables') ? this.#answerTable(request, table) : { id };
    }
    if (kind === 'jobs' && request.method === 'POST') return this.#startJob(request);
    const job = this.#jobs.get(id);
    if (!job) throw notFound(`Job ${id}`);
    return kind === 'queries' ? { jobComplete: true, jobReference: job.jobReference, ...this.#selected.get(id) } : job;
  }

  async #answerTable(request: IncomingMessage, name: string): Promise<unknown> {
    if (request.method === 'POST') {
      const { tableReference, schema } = JSON.parse(await text(request));
      const fields = (schema.fields ?? schema) as Field[];
      const columns = fields.map(
        (field) => `"${field.name}" ${TYPES[field.type]}${field.mode === 'REPEATED' ? '[]' : ''}`,
      );
      await this.#pool.query(`CREATE TABLE ${DATASET}."${tableReference.tableId}" (${columns.join(', ')})`);
      this.#schemas.set(tableReference.tableId, fields);
      return { tableReference, schema: { fields } };
    }
    const fields = this.#schemas.get(name);
    if (!fields) throw notFound(`Table ${name}`);
    if (request.method !== 'DELETE') return { tableReference: { tableId: name }, schema: { fields } };
    await this.#pool.query(`DROP TABLE ${DATASET}."${name}"`);
    this.#schemas.delete(name);
    return undefined;
  }

  async #startJob(request: IncomingMessage): Promise<Job> {
    const parts = await readParts(request);
    const { configuration, jobReference } = JSON.parse(parts[0] ?? '');
    if (this.#jobs.has(jobReference.jobId)) {
      throw new Refused({ code: 409, reason: 'duplicate' }, `Already Exists: Job ${jobReference.jobId}`);
    }
    const job = await this.#run(jobReference.jobId, configuration, parts[1]).then(
      (statistics): Job => ({ jobReference, status: { state: 'DONE' }, statistics }),
      (error: Error): Job => {
        const failure = { reason: 'invalidQuery', message: error.message };
        return { jobReference, status: { state: 'DONE', errorResult: failure, errors: [failure] }, statistics: {} };
      },
    );
    this.#jobs.set(jobReference.jobId, job);
    return job;
  }

  async #run(
    id: string,
    { load, query }: { load?: { destinationTable: { tableId: string } }; query?: QueryConfiguration },
    data = '',
  ) {
    if (load) return this.#load(load.destinationTable.tableId, data);
    const sql = (query?.query ?? '')
      .replaceAll(/`[\w-]+\.([\w-]+)\.([\w-]+)`/g, '"$1"."$2"')
      .replaceAll('`', '"')
      .replaceAll(/TIMESTAMP '/g, "TIMESTAMPTZ '")
      .replaceAll('CURRENT_TIMESTAMP()', 'now()')
      .replace('IN UNNEST(@ids)', '= ANY($1)');
    const values = query?.queryParameters?.map(({ parameterValue }) =>
      parameterValue.arrayValues.map(({ value }) => value),
    );
    const { rowCount, rows, fields } = await this.#pool.query(sql, values);
    this.#selected.set(id, {
      schema: { fields: fields.map(({ name }) => ({ name, type: 'STRING' })) },
      rows: rows.map((row) => ({ f: fields.map(({ name }) => ({ v: row[name] })) })),
    });
    return { query: { numDmlAffectedRows: String(rowCount) } };
  }

  async #load(table: string, data: string) {
    const lines = data.split('\n').filter((line) => line !== '');
    const fields = this.#schemas.get(table) ?? [];
    for (const line of lines) {
      const row = JSON.parse(line);
      const values = fields.map(({ name, type }) =>
        type === 'JSON' && row[name] !== null ? JSON.stringify(row[name]) : row[name],
      );
      const marks = values.map((_, n) => `$${n + 1}`).join(', ');
      await this.#pool.query(`INSERT INTO ${DATASET}."${table}" VALUES (${marks})`, values);
    }
    return { load: { outputRows: String(lines.length) } };
  }
}

/** The one part of a plain body, or the two of an upload: what to do, and with which rows. */
async function readParts(request: IncomingMessage): Promise<string[]> {
  const body = await text(request);
  const boundary = /boundary=(?:"([^"]+)"|([^;]+))/.exec(request.headers['content-type'] ?? '');
  if (!boundary) return [body];
  return body
    .split(`--${boundary[1] ?? boundary[2]}`)
    .slice(1, -1)
    .map((part) => part.slice(part.indexOf('\r\n\r\n') + 4, -2));
}
