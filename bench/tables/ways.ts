// Ways to keep properties so that they are quickly found.
import { parts } from '../../src/store/tables/all.ts';
import { type Column, type Part, quoteText } from '../../src/store/tables/description.ts';
import { encodeEvents, writeEvent } from '../../src/store/tables/encode-events.ts';
import { events } from '../../src/store/tables/events.ts';
import {
  eventPropertySql,
  HOT_PROPERTIES,
  hotColumn,
  PLAIN_PROPERTIES,
  personPropertySql,
} from '../../src/store/tables/properties.ts';
import { RowBinaryWriter } from '../../src/store/tables/row-binary.ts';
import type { EventRow } from '../../src/store/tables/rows.ts';
import type { Encode } from './bench.ts';

/** A way to keep properties: the tables, what is inserted into them, and how each kind of property is asked for. */
export interface Way {
  name: string;
  parts: readonly Part[];
  columns: readonly Column[];
  encode: Encode;
  hot: string;
  custom: string;
  person: string;
}

/** The columns that every event has; those that are filled from properties come after them. */
export const given = events.columns.slice(
  0,
  events.columns.findIndex(({ name }) => name === PLAIN_PROPERTIES[0]),
);

export function* encodeGiven(rows: readonly EventRow[]): Generator<Buffer> {
  const writer = new RowBinaryWriter();
  for (const row of rows) {
    writeEvent(writer, row);
    if (writer.isFull) yield writer.takeChunk();
  }
  yield writer.takeChunk();
}

const MAP = 'Map(LowCardinality(String), String)';
const JSON_TYPE = 'JSON(max_dynamic_paths = 64)';
const pairs = (from: string) => `JSONExtractKeysAndValuesRaw(${from})`;
const customPairs = (from: string) => `arrayFilter(pair -> NOT startsWith(pair.1, '$'), ${pairs(from)})`;
const oneOf = (name: string) =>
  `tupleElement(${pairs('properties')}, 2)[indexOf(tupleElement(${pairs('properties')}, 1), ${quoteText(name)})]`;

/** A column that the engine computes from the text as it inserts. */
const derived = (name: string, type: string, from: string): Column => ({
  name,
  type: `${type} MATERIALIZED ${from}`,
  codec: type.startsWith('LowCardinality') ? 'LZ4' : 'ZSTD(1)',
});
const derivedBoth = (type: string, from: (column: string) => string): Column[] => [
  derived('properties_custom', type, from('properties')),
  derived('person_properties_custom', type, from('person_properties')),
];
const engineWay = (...columns: Column[]) => ({
  parts: [{ ...events, columns: [...given, ...columns] }],
  columns: given,
  encode: encodeGiven,
});

const fromColumns = {
  hot: eventPropertySql('$browser'),
  custom: eventPropertySql('plan'),
  person: personPropertySql('company'),
};

export const ways: readonly Way[] = [
  {
    name: 'text only',
    ...engineWay(),
    hot: "JSONExtractRaw(properties, '$browser')",
    custom: "JSONExtractRaw(properties, 'plan')",
    person: "JSONExtractRaw(person_properties, 'company')",
  },
  { name: 'chosen', parts: [events], columns: events.columns, encode: encodeEvents, ...fromColumns },
  { name: 'chosen, feeding sessions', parts, columns: events.columns, encode: encodeEvents, ...fromColumns },
  {
    name: 'chosen, by the engine',
    ...engineWay(
      ...PLAIN_PROPERTIES.map((name) => derived(name, 'String', oneOf(name))),
      ...HOT_PROPERTIES.map((name) => derived(hotColumn(name), 'LowCardinality(String)', oneOf(name))),
      ...derivedBoth(MAP, (from) => `CAST(${customPairs(from)}, '${MAP}')`),
    ),
    ...fromColumns,
  },
  {
    name: 'maps of all, by the engine',
    ...engineWay(...derivedBoth(MAP, (from) => `CAST(${pairs(from)}, '${MAP}')`)),
    hot: "properties_custom['$browser']",
    custom: "properties_custom['plan']",
    person: "person_properties_custom['company']",
  },
  {
    name: 'JSON columns',
    ...engineWay(...derivedBoth(JSON_TYPE, (from) => `CAST(${from}, '${JSON_TYPE}')`)),
    hot: 'properties_custom.`$browser`.:String',
    custom: 'properties_custom.plan.:String',
    person: 'person_properties_custom.company.:String',
  },
];
