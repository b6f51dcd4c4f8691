export interface SnowflakeTable {
  readonly database: string;
  readonly schema: string;
  readonly table_name: string;
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A table of the configured schema, as statements name it. */
export const nameOf = ({ database, schema }: SnowflakeTable, table: string): string =>
  [database, schema, table].map(quote).join('.');
