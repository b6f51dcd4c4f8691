// Formats in which rows can be sent, and what they cost on both sides.
import { printTable } from '../../src/cli/table.ts';
import { encodeEvents } from '../../src/store/tables/encode-events.ts';
import { events } from '../../src/store/tables/events.ts';
import type { EventRow } from '../../src/store/tables/rows.ts';
import { sampleEvents } from '../measure/sample-events.ts';
import { type Bench, type Encode, insertAll, insertAs, PEOPLE, ratio, timeEncoding, whole } from './bench.ts';
import { given } from './ways.ts';

const text = (value: string | Uint8Array): string => (typeof value === 'string' ? value : value.toString());
const toPlain = (row: EventRow) => ({
  ...row,
  properties: text(row.properties),
  person_properties: text(row.person_properties),
});
const names = given.map(({ name }) => name) as (keyof EventRow)[];
const escapeTsv = (value: unknown): string =>
  String(value).replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');

const formats: readonly { name: string; format: string; encode: Encode; compressed?: boolean }[] = [
  { name: 'RowBinary (chosen)', format: 'RowBinary', encode: encodeEvents },
  { name: 'RowBinary, gzip', format: 'RowBinary', encode: encodeEvents, compressed: true },
  {
    name: 'JSONEachRow',
    format: 'JSONEachRow',
    encode: (rows) => rows.map((row) => Buffer.from(`${JSON.stringify(toPlain(row))}\n`)),
  },
  {
    name: 'JSONCompactEachRow',
    format: 'JSONCompactEachRow',
    encode: (rows) =>
      rows.map((row) => {
        const plain = toPlain(row);
        return Buffer.from(`${JSON.stringify(names.map((name) => plain[name]))}\n`);
      }),
  },
  {
    name: 'TabSeparated by hand',
    format: 'TabSeparated',
    encode: (rows) =>
      rows.map((row) => {
        const plain = toPlain(row);
        return Buffer.from(`${names.map((name) => escapeTsv(plain[name])).join('\t')}\n`);
      }),
  },
];

export async function measureFormats({ store, inDatabase }: Bench): Promise<void> {
  const table: string[][] = [];
  const kinds = [
    [...sampleEvents({ rows: 40_000, webShare: 1, people: PEOPLE, days: 30 })],
    [...sampleEvents({ rows: 40_000, webShare: 0, people: PEOPLE, days: 30 })],
  ];
  const chosen: { encode: number; cpu: number }[] = [];
  for (const { name, format, encode, compressed = false } of formats) {
    const cells: string[] = [];
    for (const [kind, rows] of kinds.entries()) {
      const encodeMicros = timeEncoding(encode, rows);
      // Into text columns alone, so that the formats are seen and not what is derived afterwards.
      const { cpuMicros, rowsPerSecond } = await inDatabase(
        [{ ...events, columns: given }],
        (client) => insertAll(store, rows, 20_000, (batch) => insertAs(client, given, format, encode(batch))),
        { compression: { request: compressed } },
      );
      chosen[kind] ??= { encode: encodeMicros, cpu: cpuMicros };
      cells.push(
        ratio(encodeMicros, chosen[kind].encode, 'µs'),
        ratio(cpuMicros, chosen[kind].cpu, 'µs'),
        whole(rowsPerSecond),
      );
    }
    table.push([name, ...cells]);
  }
  console.log(
    '\nFormats of an insert: processor time to encode a row here and to take it in the engine, and both together.',
  );
  console.log(printTable(['FORMAT', 'WEB: ENCODE', 'ENGINE', 'ROWS/S', 'SERVER: ENCODE', 'ENGINE', 'ROWS/S'], table));
}
