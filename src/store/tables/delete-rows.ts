// Deleting rows for good. In a cluster that is done on the tables of each machine: those in front of them take no deletion.
import type { ClickHouseClient } from '@clickhouse/client';
import { parts } from './all.ts';
import { shardName } from './ddl.ts';
import { quoteText } from './description.ts';

/** Where a deletion goes; `cluster` is empty for one machine. */
const everywhere = (table: string, cluster: string): string =>
  cluster ? `${shardName(table)} ON CLUSTER ${quoteText(cluster)}` : table;

/** Removes every row of a project from every table, for good: resolves when they are off the disk. */
export async function deleteRowsOfTeam(client: ClickHouseClient, team_id: number, cluster = ''): Promise<void> {
  for (const part of parts) {
    if (part.kind !== 'table') continue;
    await client.command({
      query: `ALTER TABLE ${everywhere(part.name, cluster)} DELETE WHERE team_id = {team_id:Int64}`,
      query_params: { team_id },
      clickhouse_settings: { mutations_sync: '2' },
    });
  }
}

export interface EventsOfPeople {
  team_id: number;
  /** Events that were inserted before, on the clock of batches, in microseconds. */
  insertedBefore: number;
  persons: readonly string[];
  /** All ids that these persons had: their older events may carry another person. */
  distinct_ids: readonly string[];
}

/** The statement has no values bound but those of its parameters, so that the engine's parser can judge it alone. */
export const deleteEventsSql = (cluster: string): string => `DELETE FROM ${everywhere('events', cluster)}
 WHERE team_id = {team_id:Int64} AND inserted_at < fromUnixTimestamp64Micro({before:Int64})
   AND (person_id IN {persons:Array(UUID)} OR distinct_id IN {distinct_ids:Array(String)})`;

/** Removes the events of people who are deleted: resolves when no query finds them any more. */
export async function deleteEventsOfPeople(
  client: ClickHouseClient,
  { team_id, insertedBefore: before, persons, distinct_ids }: EventsOfPeople,
  cluster = '',
): Promise<void> {
  await client.command({
    query: deleteEventsSql(cluster),
    query_params: { team_id, before, persons: [...persons], distinct_ids: [...distinct_ids] },
  });
}
