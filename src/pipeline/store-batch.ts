// Brings the rows of a recorded batch to the event store, each once. The first try relies on nothing; every later one
// asks first which rows are there already. The engine's own memory of tokens is the second guard, not the first: after
// it was killed it has been seen to forget one.
import { randomUUID } from 'node:crypto';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Errand } from '../people/errand.ts';
import { deleteEventsOfPeople } from '../store/tables/delete-rows.ts';
import { BATCH_BYTES_MAX, insertEvents, insertRows, mendSessions } from '../store/tables/insert.ts';
import type { EventRow } from '../store/tables/rows.ts';
import { type BatchRows, noRows, type OtherRows } from './batch-rows.ts';
import type { BatchRecord } from './record-batch.ts';
import { placeOf } from './settle-batch.ts';

/** Once as before, once under another name; what is not there then is for somebody to look into. */
const ATTEMPTS_MAX = 3;

const tokenOf = ({ id, inserted_at }: BatchRecord): string => `batch ${id} at ${inserted_at}`;

export async function storeBatch(client: ClickHouseClient, batch: BatchRecord, rows: BatchRows): Promise<void> {
  const token = tokenOf(batch);
  await Promise.all([insertInChunks(client, rows.events, token), insertOthers(client, rows.others, token)]);
}

/** For a batch that somebody has begun to store. */
export async function storeBatchAgain(client: ClickHouseClient, batch: BatchRecord, rows: BatchRows): Promise<void> {
  const token = tokenOf(batch);
  const told = rows.others.ingestion_warnings.length > 0 && (await hasWarnings(client, batch));
  // Rows about people replace those of the same version; warnings do not.
  await insertOthers(client, told ? { ...rows.others, ingestion_warnings: [] } : rows.others, token);
  for (let attempt = 0; ; attempt += 1) {
    const stored = rows.events.length === 0 ? new Set() : await findStored(client, batch);
    const missing = rows.events.filter(
      ({ log_partition, log_position }) => !stored.has(placeOf({ partition: log_partition, position: log_position })),
    );
    if (missing.length === 0) break;
    if (attempt === ATTEMPTS_MAX) throw new Error(`${missing.length} rows were inserted and are not there`);
    // What the engine takes for a repetition but does not have can only be sent under another name.
    const repeats = attempt === 0 && stored.size === 0;
    await insertInChunks(client, missing, repeats ? token : `${token} ${randomUUID()}`);
  }
  if (rows.events.length > 0) await mendSessions(client, batch, `${token} ${randomUUID()}`);
}

async function insertInChunks(client: ClickHouseClient, rows: readonly EventRow[], token: string): Promise<void> {
  let chunk = 0;
  for (const part of splitIntoChunks(rows)) {
    await insertEvents(client, part, `${token} ${chunk}`);
    chunk += 1;
  }
}

function* splitIntoChunks(rows: readonly EventRow[]): Generator<readonly EventRow[]> {
  let from = 0;
  let bytes = 0;
  for (const [index, { properties, properties_sent, person_properties }] of rows.entries()) {
    const length =
      Buffer.byteLength(properties) + Buffer.byteLength(properties_sent) + Buffer.byteLength(person_properties);
    if (index > from && bytes + length > BATCH_BYTES_MAX) {
      yield rows.slice(from, index);
      from = index;
      bytes = 0;
    }
    bytes += length;
  }
  if (from < rows.length) yield from === 0 ? rows : rows.slice(from);
}

async function insertOthers(client: ClickHouseClient, others: OtherRows, token: string): Promise<void> {
  const tables = Object.keys(others) as (keyof OtherRows)[];
  await Promise.all(tables.map((table) => insertRows(client, table, others[table], token)));
}

const AT = 'fromUnixTimestamp64Micro({at:Int64})';

/** Where the stored rows of this batch stood in the log. */
async function findStored(client: ClickHouseClient, { id, inserted_at }: BatchRecord): Promise<Set<string>> {
  const result = await client.query({
    query: `SELECT log_partition, log_position FROM events WHERE inserted_at = ${AT} AND batch_id = {id:UInt64}`,
    query_params: { at: inserted_at, id },
    format: 'JSONCompactEachRow',
  });
  const rows = await result.json<[number, string]>();
  return new Set(rows.map(([partition, position]) => placeOf({ partition, position: Number(position) })));
}

/** Warnings have no place in the log, but nothing else has the time of this batch. */
async function hasWarnings(client: ClickHouseClient, { inserted_at }: BatchRecord): Promise<boolean> {
  const result = await client.query({
    query: `SELECT 1 FROM ingestion_warnings WHERE timestamp = ${AT} LIMIT 1`,
    query_params: { at: inserted_at },
    format: 'JSONCompactEachRow',
  });
  return (await result.json()).length > 0;
}

/** Everything here may be done twice. */
export async function runErrand(
  client: ClickHouseClient,
  batch: BatchRecord,
  errand: Errand,
  cluster = '',
): Promise<void> {
  const { inserted_at } = batch;
  const { team_id, persons, distinct_ids, delete_events_of } = errand;
  const others = noRows();
  for (const { uuid, version, deleted, created_at } of persons) {
    others.person.push({
      id: uuid,
      team_id,
      created_at: created_at === undefined ? 0 : Date.parse(created_at),
      properties: '{}',
      is_identified: false,
      is_deleted: deleted,
      version,
      inserted_at,
    });
  }
  for (const { distinct_id, person_uuid, version, deleted } of distinct_ids) {
    const row = { team_id, distinct_id, person_id: person_uuid, is_deleted: deleted, version, inserted_at };
    others.person_distinct_id.push(row);
    others.person_distinct_id_overrides.push(row);
  }
  await insertOthers(client, others, tokenOf(batch));
  if (delete_events_of.length > 0) {
    const ids = distinct_ids.map(({ distinct_id }) => distinct_id);
    const gone = { team_id, insertedBefore: inserted_at, persons: delete_events_of, distinct_ids: ids };
    await deleteEventsOfPeople(client, gone, cluster);
  }
}
