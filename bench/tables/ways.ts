// Ways to keep properties so that they are quickly found.
import { parts } from '../../src/store/tables/all.ts';
import { type Column, type Part, textColumn } from '../../src/store/tables/description.ts';
import { events } from '../../src/store/tables/events.ts';
import { CUSTOM_MAP, eventPropertySql, personPropertySql } from '../../src/store/tables/properties.ts';

/** A way to keep properties: the tables, and how each kind of property is asked for. */
export interface Way {
  name: string;
  parts: readonly Part[];
  hot: string;
  custom: string;
  person: string;
}

/** The columns that an insert gives; each way derives others from them. */
export const given = events.columns.filter(({ derived }) => derived === undefined);
const eventsWith = (...columns: Column[]): readonly Part[] => [{ ...events, columns: [...given, ...columns] }];

const MAP = 'Map(LowCardinality(String), String)';
const JSON_TYPE = 'JSON(max_dynamic_paths = 64)';

const both = (type: string, from: (column: string) => string): Column[] => [
  { ...textColumn('properties_parsed', type), derived: from('properties') },
  { ...textColumn('person_properties_parsed', type), derived: from('person_properties') },
];

const fromText = {
  hot: "JSONExtractRaw(properties, '$browser')",
  custom: "JSONExtractRaw(properties, 'plan')",
  person: "JSONExtractRaw(person_properties, 'company')",
};
const fromColumns = {
  hot: eventPropertySql('$browser'),
  custom: eventPropertySql('plan'),
  person: personPropertySql('company'),
};

const derivedColumns = events.columns.filter(({ derived }) => derived !== undefined);
const withoutMaps = derivedColumns.filter(({ type }) => type !== CUSTOM_MAP);

export const ways: readonly Way[] = [
  { name: 'text only', parts: eventsWith(), ...fromText },
  { name: 'hot columns', parts: eventsWith(...withoutMaps), ...fromText, hot: fromColumns.hot },
  { name: 'hot columns and maps (chosen)', parts: [events], ...fromColumns },
  { name: 'chosen, feeding sessions', parts, ...fromColumns },
  {
    name: 'maps of everything',
    parts: eventsWith(...both(MAP, (from) => `CAST(JSONExtractKeysAndValuesRaw(${from}), '${MAP}')`)),
    hot: "properties_parsed['$browser']",
    custom: "properties_parsed['plan']",
    person: "person_properties_parsed['company']",
  },
  {
    name: 'JSON columns',
    parts: eventsWith(...both(JSON_TYPE, (from) => `CAST(${from}, '${JSON_TYPE}')`)),
    hot: 'properties_parsed.`$browser`.:String',
    custom: 'properties_parsed.plan.:String',
    person: 'person_properties_parsed.company.:String',
  },
];
