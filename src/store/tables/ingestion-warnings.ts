// What the people of a project are told about events that were changed or left out.
import { column, type Table, textColumn } from './description.ts';

export const ingestionWarnings: Table = {
  kind: 'table',
  name: 'ingestion_warnings',
  columns: [
    column('team_id', 'Int64'),
    column('source', 'LowCardinality(String)'),
    column('type', 'LowCardinality(String)'),
    textColumn('details'),
    column('timestamp', "DateTime64(6, 'UTC')"),
  ],
  engine: 'MergeTree',
  partitionBy: 'toYYYYMM(timestamp)',
  orderBy: ['team_id', 'timestamp', 'type'],
  ttl: 'toDateTime(timestamp) + toIntervalDay(90)',
  shardBy: 'sipHash64(team_id)',
};
