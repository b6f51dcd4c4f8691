// A table beside the exported ones that says which intervals they hold. It is written in the transaction that brings
// the rows, so whatever happened to whoever started it, the destination itself knows what it has.
import type { Client } from 'pg';
import { DestinationError, type Shipment } from '../destination.ts';
import { quote, type Target } from './table.ts';

const TABLE = 'tenrec_export_ledger';

/** An interval that was brought before. */
export interface Entry {
  readonly id: string;
  readonly export_id: string;
  /** Microseconds since 1970; null is the beginning of time. */
  readonly from: string | null;
  readonly to: string;
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

/** For a table that may be dropped and made anew: entries are about this very table, not about its name. */
export async function openLedger(client: Client, target: Target, shipment: Shipment): Promise<Ledger> {
  const table = `${quote(target.schema)}.${quote(TABLE)}`;
  if (!(await ensureLedger(client, table, shipment))) return { overlapping: undefined, record: async () => {} };
  const { interval, exportId, runId } = shipment;
  const bounds = [interval.start, interval.end];
  const find = async (): Promise<Entry[]> => {
    const { rows } = await client.query<Entry>(
      `SELECT id::text, export_id,
              (extract(epoch FROM interval_start) * 1000000)::bigint::text AS "from",
              (extract(epoch FROM interval_end) * 1000000)::bigint::text AS "to"
         FROM ${table}
        WHERE table_oid = ${OID} AND interval_end > coalesce($2::timestamptz, '-infinity')
          AND coalesce(interval_start, '-infinity') < $3
        ORDER BY id`,
      [target.quoted, ...bounds],
    );
    return rows;
  };
  const overlapping = await find();
  return {
    overlapping,
    async record({ records }) {
      // Of two runs that end at the same time, the second waits here for what the first wrote down.
      await client.query(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
      const known = new Set(overlapping.map(({ id }) => id));
      if ((await find()).some(({ id }) => !known.has(id))) {
        const text = 'Another run brought rows of the same interval meanwhile; the next attempt brings what is missing';
        throw new DestinationError('ConcurrentRun', text, { final: false });
      }
      await client.query(
        `INSERT INTO ${table} (table_oid, interval_start, interval_end, export_id, run_id, records)
         VALUES (${OID}, $2, $3, $4, $5, $6)`,
        [target.quoted, ...bounds, exportId, runId, records],
      );
    },
  };
}

const OID = '$1::regclass::oid::bigint';

/** Whether there is a ledger to write to. */
async function ensureLedger(client: Client, table: string, shipment: Shipment): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [table]);
  if (rows[0]?.found) return true;
  try {
    await client.query(`
      CREATE TABLE IF NOT EXISTS ${table} (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        table_oid bigint NOT NULL,
        interval_start timestamptz,
        interval_end timestamptz NOT NULL,
        export_id text NOT NULL,
        run_id text NOT NULL,
        records bigint NOT NULL,
        recorded_at timestamptz NOT NULL DEFAULT now()
      )`);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Two runs may make it at once; one of them is told so.
    if (code === '23505' || code === '42P07') return true;
    if (code !== '42501') throw error;
    shipment.log(
      'WARNING',
      `${table} cannot be created, so every row is looked up before it is inserted, which is slower`,
    );
    return false;
  }
}
