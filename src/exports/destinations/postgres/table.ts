import type { Client } from 'pg';
import type { TableColumn } from './layout.ts';

/** A table that rows go to, by exactly these names. */
export interface Target {
  readonly schema: string;
  readonly name: string;
  /** `"schema"."name"` */
  readonly quoted: string;
}

/** The same, once it is there. */
export interface Table extends Target {
  /** What the database knows it by, also under another name. */
  readonly oid: number;
  /** Those of the columns to ship that it has. */
  readonly columns: readonly TableColumn[];
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const targetOf = (schema: string, name: string): Target => ({
  ...{ schema, name },
  quoted: `${quote(schema)}.${quote(name)}`,
});

export const namesOf = (columns: readonly { readonly name: string }[]): string =>
  columns.map(({ name }) => quote(name)).join(', ');

/**
 * Makes sure that the table is there. One that was made before is used as it is: columns that it lacks are left out.
 * Looking comes first, since who may only insert must not need the right to create.
 */
export async function openTable(
  client: Client,
  target: Target,
  columns: readonly TableColumn[],
  key?: readonly string[],
): Promise<Table> {
  let existing = await columnsOf(client, target.schema, target.name);
  if (!existing) {
    const definitions = columns.map(({ name, type }) => `${quote(name)} ${type}`);
    if (key) definitions.push(`PRIMARY KEY (${key.map(quote).join(', ')})`);
    await createTable(client, target.quoted, definitions);
    // Another run may have made it, differently, just before.
    existing = await columnsOf(client, target.schema, target.name);
  }
  if (!existing) throw new Error('a table is there after it was created');
  const { oid, names } = existing;
  return { ...target, oid, columns: columns.filter(({ name }) => names.has(name)) };
}

/** `IF NOT EXISTS` looks before it creates: of two runs that do so at once, one is told that the other was quicker. */
export async function createTable(client: Client, quoted: string, definitions: readonly string[]): Promise<void> {
  try {
    await client.query(`CREATE TABLE IF NOT EXISTS ${quoted} (${definitions.join(', ')})`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== UNIQUE_VIOLATION && code !== DUPLICATE_TABLE) throw error;
  }
}

const UNIQUE_VIOLATION = '23505';
const DUPLICATE_TABLE = '42P07';

/** Undefined when there is no such table. */
export async function columnsOf(
  client: Client,
  schema: string,
  table: string,
): Promise<{ oid: number; names: ReadonlySet<string> } | undefined> {
  const { rows } = await client.query<{ oid: number; name: string }>(
    `SELECT pg_class.oid AS oid, attname AS name
       FROM pg_catalog.pg_attribute
       JOIN pg_catalog.pg_class ON pg_class.oid = attrelid
       JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = $1 AND relname = $2 AND attnum > 0 AND NOT attisdropped`,
    [schema, table],
  );
  const [first] = rows;
  return first && { oid: first.oid, names: new Set(rows.map(({ name }) => name)) };
}
