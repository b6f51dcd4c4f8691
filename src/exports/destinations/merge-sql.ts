// One statement that brings staged rows into a table, as BigQuery and Snowflake understand it.

export interface Merge {
  readonly target: string;
  readonly stage: string;
  /** Columns that both have. */
  readonly columns: readonly string[];
  /** What makes two rows one. */
  readonly key: readonly string[];
  /** Of two rows with the same key, the one that has more of any of these stays. Without, the one that is there. */
  readonly newer: readonly string[];
  /** A condition that all rows of interest in the target fulfil, so that the others need not be read. */
  readonly within?: string;
  /** What is set beside the columns when a row is inserted. */
  readonly extra?: { readonly name: string; readonly sql: string } | undefined;
  quote(name: string): string;
}

/** Rows that are there already change nothing, so the statement can be repeated. */
export function mergeSql(merge: Merge): string {
  const { target, columns, key, newer, within, extra, quote } = merge;
  const same = key.map((name) => `target.${quote(name)} = stage.${quote(name)}`);
  const isNewer = newer.map((name) => `stage.${quote(name)} > target.${quote(name)}`);
  const updated = columns.filter((name) => !key.includes(name)).map((name) => `${quote(name)} = stage.${quote(name)}`);
  const update = `WHEN MATCHED AND (${isNewer.join(' OR ')}) THEN UPDATE SET ${updated.join(', ')}`;
  const names = [...columns, ...(extra ? [extra.name] : [])].map(quote);
  const values = [...columns.map((name) => `stage.${quote(name)}`), ...(extra ? [extra.sql] : [])];
  return [
    `MERGE INTO ${target} AS target`,
    `USING (${latestSql(merge)}) AS stage`,
    `ON ${[...same, ...(within ? [within] : [])].join(' AND ')}`,
    ...(newer.length > 0 ? [update] : []),
    `WHEN NOT MATCHED THEN INSERT (${names.join(', ')}) VALUES (${values.join(', ')})`,
  ].join('\n');
}

/** Of staged rows with the same key, one. */
function latestSql({ stage, columns, key, newer, quote }: Merge): string {
  const names = columns.map(quote).join(', ');
  const order = (newer.length > 0 ? newer : key).map((name) => `${quote(name)} DESC`).join(', ');
  const number = `ROW_NUMBER() OVER (PARTITION BY ${key.map(quote).join(', ')} ORDER BY ${order})`;
  return `SELECT ${names} FROM (SELECT ${names}, ${number} AS staged_row FROM ${stage}) AS staged WHERE staged_row = 1`;
}
