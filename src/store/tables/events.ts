// The events: one row each, with the person it belonged to at the time.
import { column, type Table, textColumn } from './description.ts';
import {
  CUSTOM_MAP,
  derivedCustom,
  derivedHot,
  derivedPersonCustom,
  derivedPlain,
  HOT_PROPERTIES,
  hotColumn,
  PLAIN_PROPERTIES,
} from './properties.ts';

export const events: Table = {
  kind: 'table',
  name: 'events',
  columns: [
    column('uuid', 'UUID'),
    column('event', 'LowCardinality(String)'),
    /** The same as was sent, but for numbers and texts that the engine's JSON parser refuses. */
    textColumn('properties'),
    /** What was sent, if `properties` differs; otherwise ''. */
    textColumn('properties_sent'),
    column('timestamp', "DateTime64(6, 'UTC')"),
    column('team_id', 'Int64'),
    column('distinct_id', 'String'),
    textColumn('elements_chain'),
    column('created_at', "DateTime64(6, 'UTC')"),
    column('person_id', 'UUID'),
    column('person_created_at', "DateTime64(3, 'UTC')"),
    textColumn('person_properties'),
    column('person_mode', "Enum8('full' = 0, 'propertyless' = 1, 'force_upgrade' = 2)"),
    column('historical_migration', 'Bool'),
    /** The clock of exports: when the batch was recorded in which the row was first inserted. */
    column('inserted_at', "DateTime64(6, 'UTC')"),
    /** Where the row comes from: its place in the log, and the recorded batch that brought it here. */
    column('log_partition', 'UInt32'),
    column('log_position', 'UInt64'),
    column('batch_id', 'UInt64'),

    ...PLAIN_PROPERTIES.map((name) => ({ ...column(name, 'String'), derived: derivedPlain(name) })),
    ...HOT_PROPERTIES.map((name) => ({
      ...column(hotColumn(name), 'LowCardinality(String)'),
      derived: derivedHot(name),
    })),
    { ...textColumn('properties_custom', CUSTOM_MAP), derived: derivedCustom },
    { ...textColumn('person_properties_custom', CUSTOM_MAP), derived: derivedPersonCustom },
  ],
  // Plain, for no row is inserted twice: a repeated batch is known by its token, a repeated event by the pipeline.
  engine: 'MergeTree',
  // By the clock of the batch and not of its events: a batch falls into one month, so it becomes one part, visible as a
  // whole or not at all, and events from a hundred different years cannot break it into a hundred parts.
  partitionBy: 'toYYYYMM(inserted_at)',
  // `toDate` would fold the years before 1970 and after 2149 into those between.
  orderBy: ['team_id', 'toDate32(timestamp)', 'event', 'cityHash64(distinct_id)', 'cityHash64(uuid)'],
  sampleBy: 'cityHash64(distinct_id)',
  indexes: [
    // Events of one day arrive on that day or in one import, so an export finds its hour in few granules.
    { name: 'by_inserted_at', expression: 'inserted_at', type: 'minmax' },
    { name: 'by_timestamp', expression: 'timestamp', type: 'minmax' },
    { name: 'by_uuid', expression: 'uuid', type: 'bloom_filter(0.01)' },
    { name: 'by_person_id', expression: 'person_id', type: 'bloom_filter(0.01)' },
  ],
  shardBy: 'sipHash64(distinct_id)',
};
