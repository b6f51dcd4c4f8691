import type { ClickHouseClient } from '@clickhouse/client';
import { parts } from './all.ts';
import { shardName } from './ddl.ts';
import { quoteText } from './description.ts';

/** Removes every row of a project from every table, for good: resolves when they are off the disk. */
export async function deleteRowsOfTeam(client: ClickHouseClient, team_id: number, cluster = ''): Promise<void> {
  for (const part of parts) {
    if (part.kind !== 'table') continue;
    const table = cluster ? `${shardName(part.name)} ON CLUSTER ${quoteText(cluster)}` : part.name;
    await client.command({
      query: `ALTER TABLE ${table} DELETE WHERE team_id = {team_id:Int64}`,
      query_params: { team_id },
      clickhouse_settings: { mutations_sync: '2' },
    });
  }
}
