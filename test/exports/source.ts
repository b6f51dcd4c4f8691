// Rows to ship, for tests of destinations: the embedded event store holds them and writes them, as it does for a run.
import type { Readable } from 'node:stream';
import {
  type Column,
  type Config,
  type Model,
  modelColumns,
  type Reading,
  type Shipment,
} from '../../src/exports/destinations/destination.ts';
import { insertEvents } from '../../src/store/tables/insert.ts';
import type { EventRow } from '../../src/store/tables/rows.ts';
import { makeEvent, openTestTables, type TestTables } from '../tables.ts';

export interface Source extends AsyncDisposable {
  readonly tables: TestTables;
  insert(rows: readonly EventRow[]): Promise<void>;
  /** A run over the hour that begins at `START`, for one project. */
  shipment(given: ShipmentGiven): Promise<TestShipment>;
}

export interface ShipmentGiven {
  readonly config: Config;
  readonly teamId: number;
  readonly model?: Model;
  /** ClickHouse SQL of the rows, when they are not the project's events. */
  readonly rows?: string;
  readonly columns?: readonly Column[];
  readonly interval?: { start: Date | null; end: Date };
  readonly signal?: AbortSignal;
  readonly exportId?: string;
  /** Changes what is read on its way: to cut it off, or to slow it down. */
  readonly through?: (stream: Readable) => Readable;
}

export interface TestShipment extends Shipment {
  readonly logged: string[];
  readonly done: { records: number; bytes: number }[];
}

export const START = new Date('2025-03-04T09:00:00Z');
export const END = new Date('2025-03-04T10:00:00Z');

export const EXPORT_ID = '0195a1c2-7f00-0001-9b0a-3f2f5f1e7c11';

export async function openSource(): Promise<Source> {
  const tables = await openTestTables();
  let runs = 0;
  return {
    tables,
    insert: (rows) => insertEvents(tables.client, rows, `test ${rows[0]?.uuid} ${rows[0]?.team_id}`),
    async shipment({ model = 'events', interval = { start: START, end: END }, ...given }) {
      const rows = given.rows ?? eventRowsSql(given.teamId, interval);
      const [{ total = '0' } = {}] = await tables.ask<{ total: string }>(`SELECT count() AS total FROM (${rows})`);
      const logged: string[] = [];
      const done: { records: number; bytes: number }[] = [];
      return {
        exportId: given.exportId ?? EXPORT_ID,
        runId: `0195a1f0-1111-0001-aaaa-${String(++runs).padStart(12, '0')}`,
        teamId: given.teamId,
        model,
        config: given.config,
        interval,
        columns: given.columns ?? modelColumns[model],
        customColumns: given.columns !== undefined,
        total: Number(total),
        signal: given.signal ?? new AbortController().signal,
        async read(reading) {
          const stream = await readRows(tables, rows, reading);
          return given.through ? given.through(stream) : stream;
        },
        progress: (at) => done.push({ ...at }),
        log: (level, message) => logged.push(`${level} ${message}`),
        logged,
        done,
      };
    },
    [Symbol.asyncDispose]: () => tables[Symbol.asyncDispose](),
  };
}

async function readRows(tables: TestTables, rows: string, reading: Reading): Promise<Readable> {
  const select = reading.select.map(({ name, sql }) => `${sql} AS \`${name.replaceAll('`', '\\`')}\``).join(', ');
  const clauses = [
    `SELECT ${select} FROM (${rows})`,
    reading.where && `WHERE ${reading.where}`,
    reading.groupBy && `GROUP BY ${reading.groupBy}`,
    reading.orderBy && `ORDER BY ${reading.orderBy}`,
    `FORMAT ${reading.format}`,
  ];
  const { stream } = await tables.client.exec({
    query: clauses.filter(Boolean).join('\n'),
    query_params: { ...reading.params },
    clickhouse_settings: { prefer_column_name_to_alias: 1, ...reading.settings },
  });
  return stream as Readable;
}

/** The columns of `modelColumns.events`, for the rows that came in during the interval. */
function eventRowsSql(teamId: number, { start, end }: { start: Date | null; end: Date }): string {
  const micros = (date: Date) => `fromUnixTimestamp64Micro(${date.getTime() * 1_000}, 'UTC')`;
  return `
    SELECT toString(uuid) AS uuid, toString(event) AS event, distinct_id, toString(person_id) AS person_id, team_id,
           if(properties_sent = '', properties, properties_sent) AS properties, person_properties, elements_chain,
           timestamp, created_at, inserted_at AS _inserted_at
      FROM events
     WHERE team_id = ${teamId} AND inserted_at < ${micros(end)}${start ? ` AND inserted_at >= ${micros(start)}` : ''}`;
}

/** An event that came in during the hour. */
export const eventInHour = (n: number, given: Partial<EventRow> = {}): EventRow =>
  makeEvent(n, {
    timestamp: START.getTime() * 1_000 + n,
    created_at: START.getTime() * 1_000 + n * 1_000_000,
    inserted_at: START.getTime() * 1_000 + Math.floor(n / 50) * 1_000_000,
    ...given,
  });
