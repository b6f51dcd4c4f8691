import type { Kysely, Transaction } from 'kysely';
import type { Database } from './tables.ts';

/** Runs in the transaction that is already open, or in one of its own. */
export function inTransaction<T>(db: Kysely<Database>, run: (tx: Transaction<Database>) => Promise<T>): Promise<T> {
  return db.isTransaction ? run(db as Transaction<Database>) : db.transaction().execute(run);
}
