// What a person can try before the first run, in databases that speak this protocol. Nothing stays behind.
import type { Client } from 'pg';
import { type Config, DestinationError, type TestStep } from '../destination.ts';
import { columnsOf, type Target } from './table.ts';

/** Runs with a connection to the configured database. */
export type Connected = (
  config: Config,
  signal: AbortSignal,
  run: (client: Client, target: Target) => Promise<void>,
) => Promise<void>;

/** @param name as people call the database */
export function tableSteps(name: string, connected: Connected): TestStep[] {
  return [
    {
      name: `Establish connection to ${name}`,
      description: `Ensure the provided configuration can be used to connect to ${name}.`,
      run: (config, signal) => connected(config, signal, async () => {}),
    },
    {
      name: `Verify ${name} schema`,
      description: `Ensure the configured ${name} schema exists and that we have the required permissions to use it.`,
      run: (config, signal) => connected(config, signal, requireSchema),
    },
    {
      name: `Verify ${name} table`,
      description: `Ensure rows can be inserted into the configured ${name} table, or that it can be created.`,
      run: (config, signal) => connected(config, signal, tryTable),
    },
  ];
}

async function requireSchema(client: Client, { schema }: Target): Promise<void> {
  const { rows } = await client.query<{ usable: boolean }>(
    "SELECT has_schema_privilege(nspname, 'USAGE') AS usable FROM pg_catalog.pg_namespace WHERE nspname = $1",
    [schema],
  );
  if (rows[0]?.usable) return;
  const text = `The schema '${schema}' does not exist or we don't have permissions to use it`;
  throw new DestinationError('InvalidSchemaName', text, { final: true });
}

/** Does what a run does, with no rows, and takes it back. */
async function tryTable(client: Client, target: Target): Promise<void> {
  await client.query('BEGIN');
  const isThere = await columnsOf(client, target.schema, target.name);
  if (!isThere) await client.query(`CREATE TABLE ${target.quoted} (uuid VARCHAR(36))`);
  await client.query(`INSERT INTO ${target.quoted} SELECT * FROM ${target.quoted} WHERE false`);
  await client.query('ROLLBACK');
}
