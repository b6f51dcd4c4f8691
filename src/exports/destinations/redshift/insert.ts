// Rows into Redshift by INSERT: slower than COPY, but it needs no bucket.
import type { Client } from 'pg';
import type { Shipment } from '../destination.ts';
import { readLines } from '../lines.ts';
import type { Part } from '../outside.ts';
import type { TableColumn } from '../postgres/layout.ts';
import type { Loaded } from '../postgres/ship.ts';
import { namesOf } from '../postgres/table.ts';

/** A statement of Redshift has 16 MiB at most, and a message 32,767 values. */
const STATEMENT_BYTES_MAX = 8 * 1024 * 1024;
const VALUES_MAX = 32_000;

export async function insertRows(
  client: Client,
  table: string,
  columns: readonly TableColumn[],
  shipment: Shipment,
  part: Part,
): Promise<Loaded> {
  const stream = await shipment.read({
    select: columns.map(({ name, sql }) => ({ name, sql })),
    ...part,
    format: 'JSONEachRow',
    settings: { output_format_json_quote_64bit_integers: 1 },
  });
  const rowsMax = Math.floor(VALUES_MAX / columns.length);
  const done = { rows: 0, bytes: 0 };
  let batch: unknown[][] = [];
  let length = 0;
  const flush = async () => {
    await client.query(insertStatement(table, columns, batch.length), batch.flat());
    done.rows += batch.length;
    done.bytes += length;
    shipment.progress({ records: done.rows, bytes: done.bytes });
    [batch, length] = [[], 0];
  };
  for await (const line of readLines(stream)) {
    const size = Buffer.byteLength(line);
    if (batch.length > 0 && length + size > STATEMENT_BYTES_MAX) await flush();
    const row = JSON.parse(line) as Record<string, unknown>;
    batch.push(columns.map(({ name }) => row[name]));
    length += size;
    if (batch.length === rowsMax) await flush();
  }
  if (batch.length > 0) await flush();
  return done;
}

function insertStatement(table: string, columns: readonly TableColumn[], rows: number): string {
  const tuples = Array.from({ length: rows }, (_, row) => {
    const values = columns.map(({ type }, n) => {
      const value = `$${row * columns.length + n + 1}`;
      // Text becomes SUPER by being parsed; as it is, it would become a string.
      return type === 'SUPER' ? `JSON_PARSE(${value})` : value;
    });
    return `(${values.join(', ')})`;
  });
  return `INSERT INTO ${table} (${namesOf(columns)}) VALUES ${tuples.join(', ')}`;
}
