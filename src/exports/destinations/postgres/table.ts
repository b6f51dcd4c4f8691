import type { Client } from 'pg';
import type { TableColumn } from './layout.ts';

/** A table that rows go to. Names are those of the configuration; quoted, they are exactly these names. */
export interface Target {
  readonly schema: string;
  readonly table: string;
  /** `"schema"."table"` */
  readonly quoted: string;
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const targetOf = ({ schema, table_name }: { schema: string; table_name: string }): Target => ({
  schema,
  table: table_name,
  quoted: `${quote(schema)}.${quote(table_name)}`,
});

export const namesOf = (columns: readonly { readonly name: string }[]): string =>
  columns.map(({ name }) => quote(name)).join(', ');

/**
 * Makes sure that the table is there, and answers with those of the columns that it has: a table that was made before
 * is used as it is. Looking comes first, since who may only insert must not need the right to create.
 */
export async function openTable(
  client: Client,
  target: Target,
  columns: readonly TableColumn[],
  key?: readonly string[],
): Promise<TableColumn[]> {
  let existing = await columnsOf(client, target);
  if (existing.size === 0) {
    const definitions = columns.map(({ name, type }) => `${quote(name)} ${type}`);
    if (key) definitions.push(`PRIMARY KEY (${key.map(quote).join(', ')})`);
    await client.query(`CREATE TABLE IF NOT EXISTS ${target.quoted} (${definitions.join(', ')})`);
    // Another run may have made it, differently, just before.
    existing = await columnsOf(client, target);
  }
  return columns.filter(({ name }) => existing.has(name));
}

async function columnsOf(client: Client, { schema, table }: Target): Promise<Set<string>> {
  const { rows } = await client.query<{ attname: string }>(
    `SELECT attname
       FROM pg_catalog.pg_attribute
       JOIN pg_catalog.pg_class ON pg_class.oid = attrelid
       JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = $1 AND relname = $2 AND attnum > 0 AND NOT attisdropped`,
    [schema, table],
  );
  return new Set(rows.map(({ attname }) => attname));
}
