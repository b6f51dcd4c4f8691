// Rows into a table, all of them or none: everything that readers can see happens in one transaction.
import type { Client } from 'pg';
import { DestinationError, modelKeys, type Shipment, type Shipped } from '../destination.ts';
import { outside, type Part } from '../outside.ts';
import type { TableColumn } from './layout.ts';
import { type Entry, openLedger } from './ledger.ts';
import { namesOf, openTable, quote, type Table, type Target } from './table.ts';

/** What differs between databases that speak this protocol. */
export interface Dialect {
  columns(shipment: Shipment): readonly TableColumn[];
  /** Brings rows into a table, within the transaction of the connection. */
  load(client: Client, table: string, columns: readonly TableColumn[], shipment: Shipment, part: Part): Promise<Loaded>;
  /** Statements that bring staged rows into a table, unless it has a newer one with the same key. */
  merge(merging: Merging): readonly string[];
}

export interface Loaded {
  readonly rows: number;
  readonly bytes: number;
}

export interface Merging {
  readonly target: string;
  readonly stage: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  readonly newer: readonly string[];
}

export async function shipToTable(
  client: Client,
  target: Target,
  shipment: Shipment,
  dialect: Dialect,
): Promise<Shipped> {
  const { model, total: records } = shipment;
  if (model !== 'events') return shipMerged(client, target, shipment, dialect, modelKeys[model]);
  const table = await openTable(client, target, dialect.columns(shipment));
  const ledger = await openLedger(client, table, shipment);
  return inTransaction(client, async () => {
    const bytes = await insertOnce(client, table, shipment, dialect, ledger.overlapping);
    await ledger.record({ records });
    return { records, bytes };
  });
}

/**
 * Three ways to bring events, none of which repeats one. Usually nothing of the interval is there, and rows go straight
 * into the table. Otherwise those are left out whose uuid is found, so that a repetition also mends what was lost; and
 * if rows have no uuid, the parts of the interval that were brought before.
 */
async function insertOnce(
  client: Client,
  table: Table,
  shipment: Shipment,
  dialect: Dialect,
  overlapping: readonly Entry[] | undefined,
): Promise<number> {
  if (overlapping?.length === 0) return load(client, table.quoted, table.columns, shipment, dialect);
  if (!table.columns.some(({ name }) => name === 'uuid')) {
    const own = (overlapping ?? []).filter(({ export_id }) => export_id === shipment.exportId);
    return load(client, table.quoted, table.columns, shipment, dialect, outside(own));
  }
  shipment.log('INFO', 'Rows of this interval were brought before: only those that are missing are inserted');
  const stage = await createStage(client, table);
  const bytes = await load(client, stage, table.columns, shipment, dialect);
  await client.query(`ANALYZE ${stage}`);
  const names = namesOf(table.columns);
  await client.query(
    `INSERT INTO ${table.quoted} (${names})
     SELECT ${names} FROM ${stage} AS stage
      WHERE NOT EXISTS (SELECT 1 FROM ${table.quoted} AS target WHERE target.uuid = stage.uuid)`,
  );
  return bytes;
}

/** Of two rows with the same key the newer one stays, so bringing a row again changes nothing. */
async function shipMerged(
  client: Client,
  target: Target,
  shipment: Shipment,
  dialect: Dialect,
  { key, newer }: Pick<Merging, 'key' | 'newer'>,
): Promise<Shipped> {
  const table = await openTable(client, target, dialect.columns(shipment), key);
  const columns = table.columns.map(({ name }) => name);
  const lacking = [...key, ...newer].filter((name) => !columns.includes(name));
  if (lacking.length > 0) {
    const text = `The table lacks ${lacking.map(quote).join(', ')}, by which rows are merged`;
    throw new DestinationError('UndefinedColumn', text, { final: true });
  }
  return inTransaction(client, async () => {
    const stage = await createStage(client, table);
    const bytes = await load(client, stage, table.columns, shipment, dialect);
    const statements = dialect.merge({ target: table.quoted, stage, columns, key, newer });
    for (const statement of statements) await client.query(statement);
    return { records: shipment.total, bytes };
  });
}

const STAGE = 'tenrec_stage';

/** A table of this connection alone, which ends with it, with the types of the one that rows go to. */
async function createStage(client: Client, table: Table): Promise<string> {
  const names = namesOf(table.columns);
  await client.query(`CREATE TEMPORARY TABLE ${STAGE} AS SELECT ${names} FROM ${table.quoted} WHERE false`);
  return STAGE;
}

async function load(
  client: Client,
  table: string,
  columns: readonly TableColumn[],
  shipment: Shipment,
  dialect: Dialect,
  part: Part = {},
): Promise<number> {
  const { rows, bytes } = await dialect.load(client, table, columns, shipment, part);
  // What the event store cut off would look like a smaller interval.
  if (!part.where && rows !== shipment.total) {
    const text = `The event store answered with ${rows} rows of ${shipment.total}.`;
    throw new DestinationError('IncompleteRead', text, { final: false });
  }
  shipment.log('INFO', `Copied ${rows} rows, ${bytes} bytes`);
  return bytes;
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
