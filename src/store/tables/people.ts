// Persons, their distinct ids and groups as PostgreSQL holds them, mirrored for queries. A change is a new row with a
// higher version; rows of older versions disappear when the engine gets to it, so readers ask for the latest.
import { type Column, column, type Table, textColumn } from './description.ts';

export const person: Table = {
  kind: 'table',
  name: 'person',
  columns: [
    column('id', 'UUID'),
    column('created_at', "DateTime64(3, 'UTC')"),
    column('team_id', 'Int64'),
    textColumn('properties'),
    column('is_identified', 'Bool'),
    column('is_deleted', 'Bool'),
    column('version', 'UInt64'),
    column('inserted_at', "DateTime64(6, 'UTC')"),
  ],
  engine: 'ReplacingMergeTree',
  version: 'version',
  orderBy: ['team_id', 'id'],
  indexes: [{ name: 'by_inserted_at', expression: 'inserted_at', type: 'minmax' }],
  shardBy: 'sipHash64(id)',
};

const distinctIdColumns: readonly Column[] = [
  column('team_id', 'Int64'),
  column('distinct_id', 'String'),
  column('person_id', 'UUID'),
  column('is_deleted', 'Bool'),
  column('version', 'UInt64'),
  column('inserted_at', "DateTime64(6, 'UTC')"),
];

export const personDistinctId: Table = {
  kind: 'table',
  name: 'person_distinct_id',
  columns: distinctIdColumns,
  engine: 'ReplacingMergeTree',
  version: 'version',
  orderBy: ['team_id', 'distinct_id'],
  // Ids are looked up one by one, so less is read around each.
  settings: { index_granularity: 512 },
  shardBy: 'sipHash64(distinct_id)',
};

/** Only the ids whose person has changed since events were stored with them. */
export const personDistinctIdOverrides: Table = { ...personDistinctId, name: 'person_distinct_id_overrides' };

export const groups: Table = {
  kind: 'table',
  name: 'groups',
  columns: [
    column('group_type_index', 'UInt8'),
    column('group_key', 'String'),
    column('created_at', "DateTime64(3, 'UTC')"),
    column('team_id', 'Int64'),
    textColumn('group_properties'),
    column('version', 'UInt64'),
    column('inserted_at', "DateTime64(6, 'UTC')"),
  ],
  engine: 'ReplacingMergeTree',
  version: 'version',
  orderBy: ['team_id', 'group_type_index', 'group_key'],
  shardBy: 'sipHash64(group_key)',
};

/** SQL for the ids of one project whose events belong to another person than their rows say: `distinct_id, person_id`. */
export const overriddenIdsSql = (team_id: string): string => `
  SELECT distinct_id, argMax(person_id, version) AS person_id
    FROM person_distinct_id_overrides
   WHERE team_id = ${team_id}
   GROUP BY distinct_id
  HAVING NOT argMax(is_deleted, version)`;
