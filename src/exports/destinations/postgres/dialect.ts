import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { ByteCount } from '../byte-count.ts';
import type { Shipment } from '../destination.ts';
import type { Part } from '../outside.ts';
import { type TableColumn, tableColumns } from './layout.ts';
import type { Dialect, Loaded, Merging } from './ship.ts';
import { namesOf, quote } from './table.ts';

export const postgresDialect: Dialect = { columns: tableColumns, load: copyRows, merge: mergeStatements };

/** The bytes that the event store writes are those that the database reads. */
async function copyRows(
  client: Client,
  table: string,
  columns: readonly TableColumn[],
  shipment: Shipment,
  part: Part,
): Promise<Loaded> {
  const { from } = await import('pg-copy-streams');
  const rows = await shipment.read({
    select: columns.map(({ name, sql }) => ({ name, sql })),
    ...part,
    format: 'TabSeparated',
  });
  const count = new ByteCount((bytes, records) => shipment.progress({ records, bytes }));
  const copy = client.query(from(`COPY ${table} (${namesOf(columns)}) FROM STDIN`));
  await pipeline(rows, count, copy);
  return { rows: copy.rowCount, bytes: count.bytes };
}

function mergeStatements({ target, stage, columns, key, newer }: Merging): string[] {
  const [names, keys] = [columns.map(quote).join(', '), key.map(quote).join(', ')];
  const updates = columns
    .filter((name) => !key.includes(name))
    .map((name) => `${quote(name)} = EXCLUDED.${quote(name)}`);
  const isNewer = newer.map((name) => `EXCLUDED.${quote(name)} > target.${quote(name)}`);
  return [
    `INSERT INTO ${target} AS target (${names})
     SELECT DISTINCT ON (${keys}) ${names} FROM ${stage}
      ORDER BY ${keys}, ${newer.map((name) => `${quote(name)} DESC`).join(', ')}
     ON CONFLICT (${keys}) DO UPDATE SET ${updates.join(', ')} WHERE ${isNewer.join(' OR ')}`,
  ];
}
