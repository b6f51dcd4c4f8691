// A table beside the exported ones that says which intervals they hold. It is written in the transaction that brings
// the rows, so whatever happened to whoever started it, the destination itself knows what it has.
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { DestinationError, type Shipment } from '../destination.ts';
import type { MicrosInterval } from '../outside.ts';
import { columnsOf, createTable, quote, type Table } from './table.ts';

const NAME = 'tenrec_export_ledger';
const COLUMNS = [
  'id VARCHAR(36) NOT NULL',
  'table_oid BIGINT NOT NULL',
  'from_micros BIGINT',
  'to_micros BIGINT NOT NULL',
  'export_id VARCHAR(36) NOT NULL',
  'run_id VARCHAR(36) NOT NULL',
  'records BIGINT NOT NULL',
  'recorded_at TIMESTAMPTZ NOT NULL',
];
const INSUFFICIENT_PRIVILEGE = '42501';

/** An interval that was brought before. */
export interface Entry extends MicrosInterval {
  readonly id: string;
  readonly export_id: string;
}

export interface Ledger {
  /** What overlaps the shipment and was there when the ledger was opened. Unknown when we may not keep a ledger. */
  readonly overlapping: readonly Entry[] | undefined;
  /**
   * Writes the shipment down, as the last thing in its transaction. Fails when another run has brought a part of the
   * interval since the ledger was opened: the rows at hand would repeat it.
   */
  record(shipped: { readonly records: number }): Promise<void>;
}

/** Entries are about this very table, not about its name: one that was dropped and made anew begins empty. */
export async function openLedger(client: Client, table: Table, shipment: Shipment): Promise<Ledger> {
  const ledger = `${quote(table.schema)}.${quote(NAME)}`;
  if (!(await ensureLedger(client, table.schema, ledger, shipment))) {
    return { overlapping: undefined, record: async () => {} };
  }
  const { interval, exportId, runId } = shipment;
  const from = interval.start && micros(interval.start);
  const to = micros(interval.end);
  const find = async (): Promise<Entry[]> => {
    const { rows } = await client.query<Entry>(
      `SELECT id, export_id, from_micros, to_micros
         FROM ${ledger}
        WHERE table_oid = $1 AND to_micros > $2 AND (from_micros IS NULL OR from_micros < $3)`,
      [table.oid, from ?? 0, to],
    );
    return rows;
  };
  const overlapping = await find();
  return {
    overlapping,
    async record({ records }) {
      // Of two runs that end at the same time, the second waits here for what the first wrote down.
      await client.query(`LOCK TABLE ${ledger}`);
      const known = new Set(overlapping.map(({ id }) => id));
      if ((await find()).some(({ id }) => !known.has(id))) {
        const text = 'Another run brought rows of the same interval meanwhile; the next attempt brings what is missing';
        throw new DestinationError('ConcurrentRun', text, { final: false });
      }
      await client.query(
        `INSERT INTO ${ledger} (id, table_oid, from_micros, to_micros, export_id, run_id, records, recorded_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [randomUUID(), table.oid, from, to, exportId, runId, records, new Date()],
      );
    },
  };
}

const micros = (date: Date): number => date.getTime() * 1_000;

/** Whether there is a ledger to write to. */
async function ensureLedger(client: Client, schema: string, ledger: string, shipment: Shipment): Promise<boolean> {
  if (await columnsOf(client, schema, NAME)) return true;
  try {
    await createTable(client, ledger, COLUMNS);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== INSUFFICIENT_PRIVILEGE) throw error;
    const consequence = 'every row is looked up before it is inserted, which is slower';
    shipment.log('WARNING', `${ledger} cannot be created, so ${consequence}`);
    return false;
  }
}
