// Writes merged persons into the rows of their events. Until then queries find the person through the overrides; what is
// folded needs no override any more, so the list stays short and most queries join nothing.
import type { ClickHouseClient } from '@clickhouse/client';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../metadata/tables.ts';
import { readWatermark } from '../../pipeline/watermark.ts';

/** Ids in one mutation: each rewrites a column of every part that holds one of them, and its text is kept by the engine. */
const IDS_MAX = 5_000;

export interface FoldParts {
  db: Kysely<Database>;
  client: ClickHouseClient;
  /** In a cluster the tables behind the distributed ones are changed, on every machine. */
  cluster?: string | undefined;
}

interface Overridden {
  team_id: number;
  distinct_id: string;
  person_id: string;
  is_deleted: boolean;
}

/** Nothing below the watermark will change any more: neither the events nor what is known about their ids by then. */
export async function foldOverrides(parts: FoldParts): Promise<number> {
  const { db, client } = parts;
  const until = await readWatermark(db);
  let folded = 0;
  for (;;) {
    const ids = await listOverridden(client, until);
    if (ids.length === 0) break;
    for (const [team_id, ofTeam] of Map.groupBy(ids, (each) => each.team_id))
      await foldIds(parts, team_id, ofTeam, until);
    folded += ids.length;
  }
  await sql`update override_fold set folded_until = ${until}, folded_at = now()`.execute(db);
  return folded;
}

async function listOverridden(client: ClickHouseClient, until: number): Promise<Overridden[]> {
  const result = await client.query({
    query: `
      SELECT team_id, distinct_id, argMax(person_id, version) AS person_id, argMax(is_deleted, version) AS is_deleted
        FROM person_distinct_id_overrides
       WHERE inserted_at < fromUnixTimestamp64Micro({until:Int64}, 'UTC')
       GROUP BY team_id, distinct_id
       ORDER BY team_id, distinct_id
       LIMIT {limit:UInt32}`,
    query_params: { until, limit: IDS_MAX },
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  return result.json<Overridden>();
}

/** The events first, then the overrides: in between both say the same. Doing it again changes nothing. */
async function foldIds(parts: FoldParts, team_id: number, ids: readonly Overridden[], until: number): Promise<void> {
  const live = ids.filter(({ is_deleted }) => !is_deleted);
  if (live.length > 0) {
    await mutate(
      parts,
      'events',
      `UPDATE person_id = toUUID(transform(distinct_id, {ids:Array(String)}, {persons:Array(String)}, toString(person_id)))
        WHERE team_id = {team_id:Int64} AND distinct_id IN {ids:Array(String)}`,
      {
        team_id,
        ids: live.map(({ distinct_id }) => distinct_id),
        persons: live.map(({ person_id }) => person_id),
      },
    );
  }
  await mutate(
    parts,
    'person_distinct_id_overrides',
    `DELETE
        WHERE team_id = {team_id:Int64} AND distinct_id IN {ids:Array(String)}
          AND inserted_at < fromUnixTimestamp64Micro({until:Int64}, 'UTC')`,
    {
      team_id,
      ids: ids.map(({ distinct_id }) => distinct_id),
      until,
    },
  );
}

async function mutate(
  { client, cluster }: FoldParts,
  table: string,
  change: string,
  query_params: Record<string, unknown>,
): Promise<void> {
  const target = cluster ? `${table}_shard ON CLUSTER '${cluster.replaceAll("'", "\\'")}'` : table;
  await client.command({
    query: `ALTER TABLE ${target} ${change}`,
    query_params,
    clickhouse_settings: {
      // The answer comes when all parts are rewritten, so that the override is not gone before.
      mutations_sync: '2',
      max_query_size: String(64 * 1024 * 1024),
    },
  });
}
