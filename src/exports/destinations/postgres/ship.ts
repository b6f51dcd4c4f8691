// Rows into a table, all of them or none: everything that readers can see happens in one transaction.
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { ByteCount } from '../byte-count.ts';
import { DestinationError, modelKeys, type Reading, type Shipment, type Shipped } from '../destination.ts';
import { type TableColumn, tableColumns } from './layout.ts';
import { type Entry, openLedger } from './ledger.ts';
import { namesOf, openTable, quote, type Target } from './table.ts';

export async function shipToTable(client: Client, target: Target, shipment: Shipment): Promise<Shipped> {
  const { model } = shipment;
  if (model !== 'events') return shipMerged(client, target, shipment, modelKeys[model]);
  const columns = await openTable(client, target, tableColumns(shipment));
  const ledger = await openLedger(client, target, shipment);
  return inTransaction(client, async () => {
    const bytes = await insertOnce(client, target, columns, shipment, ledger.overlapping);
    await ledger.record({ records: shipment.total });
    return { records: shipment.total, bytes };
  });
}

/**
 * Three ways to bring events, none of which repeats one. Usually nothing of the interval is there, and rows go straight
 * into the table. Otherwise those are left out whose uuid is found, so that a repetition also mends what was lost; and
 * if rows have no uuid, the parts of the interval that were brought before.
 */
async function insertOnce(
  client: Client,
  target: Target,
  columns: readonly TableColumn[],
  shipment: Shipment,
  overlapping: readonly Entry[] | undefined,
): Promise<number> {
  if (overlapping?.length === 0) return copyInto(client, target.quoted, columns, shipment);
  if (!columns.some(({ name }) => name === 'uuid')) {
    const own = (overlapping ?? []).filter(({ export_id }) => export_id === shipment.exportId);
    return copyInto(client, target.quoted, columns, shipment, outside(own));
  }
  shipment.log('INFO', 'Rows of this interval were brought before: only those that are missing are inserted');
  const stage = await createStage(client, target, columns);
  const bytes = await copyInto(client, stage, columns, shipment);
  await client.query(`ANALYZE ${stage}`);
  const names = namesOf(columns);
  await client.query(
    `INSERT INTO ${target.quoted} (${names})
     SELECT ${names} FROM ${stage} AS stage
      WHERE NOT EXISTS (SELECT FROM ${target.quoted} AS target WHERE target.uuid = stage.uuid)`,
  );
  return bytes;
}

/** Rows that are not in any of these intervals. */
function outside(entries: readonly Entry[]): Pick<Reading, 'where' | 'params'> {
  const params: Record<string, string> = {};
  const conditions = entries.map(({ from, to }, n) => {
    params[`to_${n}`] = to;
    const before = from === null ? [] : [`_inserted_at < fromUnixTimestamp64Micro({from_${n}:Int64}, 'UTC')`];
    if (from !== null) params[`from_${n}`] = from;
    return `(${[...before, `_inserted_at >= fromUnixTimestamp64Micro({to_${n}:Int64}, 'UTC')`].join(' OR ')})`;
  });
  return conditions.length === 0 ? {} : { where: conditions.join(' AND '), params };
}

/** Of two rows with the same key the newer one stays, so bringing a row again changes nothing. */
async function shipMerged(
  client: Client,
  target: Target,
  shipment: Shipment,
  { key, newer }: { key: readonly string[]; newer: readonly string[] },
): Promise<Shipped> {
  const columns = await openTable(client, target, tableColumns(shipment), key);
  const lacking = [...key, ...newer].filter((name) => !columns.some((column) => column.name === name));
  if (lacking.length > 0) {
    const text = `The table lacks ${lacking.join(', ')}, by which rows are merged`;
    throw new DestinationError('UndefinedColumn', text, { final: true });
  }
  return inTransaction(client, async () => {
    const stage = await createStage(client, target, columns);
    const bytes = await copyInto(client, stage, columns, shipment);
    const [names, keys] = [namesOf(columns), key.map(quote).join(', ')];
    const updates = columns
      .filter(({ name }) => !key.includes(name))
      .map(({ name }) => `${quote(name)} = EXCLUDED.${quote(name)}`);
    const isNewer = newer.map((name) => `EXCLUDED.${quote(name)} > target.${quote(name)}`);
    await client.query(
      `INSERT INTO ${target.quoted} AS target (${names})
       SELECT DISTINCT ON (${keys}) ${names} FROM ${stage}
        ORDER BY ${keys}, ${newer.map((name) => `${quote(name)} DESC`).join(', ')}
       ON CONFLICT (${keys}) DO UPDATE SET ${updates.join(', ')} WHERE ${isNewer.join(' OR ')}`,
    );
    return { records: shipment.total, bytes };
  });
}

/** A table of this connection alone, gone with the transaction, with the types of the one that rows go to. */
async function createStage(client: Client, target: Target, columns: readonly TableColumn[]): Promise<string> {
  await client.query(
    `CREATE TEMPORARY TABLE tenrec_stage ON COMMIT DROP AS SELECT ${namesOf(columns)} FROM ${target.quoted} WITH NO DATA`,
  );
  return 'pg_temp.tenrec_stage';
}

async function copyInto(
  client: Client,
  table: string,
  columns: readonly TableColumn[],
  shipment: Shipment,
  part: Pick<Reading, 'where' | 'params'> = {},
): Promise<number> {
  const { from } = await import('pg-copy-streams');
  const rows = await shipment.read({
    select: columns.map(({ name, sql }) => ({ name, sql })),
    ...part,
    format: 'TabSeparated',
    settings: { prefer_column_name_to_alias: 1 },
  });
  const count = new ByteCount((bytes, lines) => shipment.progress({ records: lines, bytes }));
  const copy = client.query(from(`COPY ${table} (${namesOf(columns)}) FROM STDIN`));
  await pipeline(rows, count, copy);
  // What the event store cut off would look like a smaller interval.
  if (!part.where && copy.rowCount !== shipment.total) {
    const text = `The event store answered with ${copy.rowCount} rows of ${shipment.total}.`;
    throw new DestinationError('IncompleteRead', text, { final: false });
  }
  shipment.log('INFO', `Copied ${copy.rowCount} rows, ${count.bytes} bytes`);
  return count.bytes;
}

async function inTransaction<T>(client: Client, run: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await run();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
