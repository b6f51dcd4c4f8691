// Millions of events in a moment.
import type { ClickHouseClient } from '@clickhouse/client';
import { events } from '../../src/store/tables/events.ts';
import { insertEvents } from '../../src/store/tables/insert.ts';
import { sampleEvents } from '../measure/sample-events.ts';

const SEED_ROWS = 20_000;

const COLUMNS = events.columns
  .filter(({ derived }) => derived === undefined)
  .map(({ name }) => name)
  .join(', ');

/**
 * Fills an interval that begins at `start` with some events as people's clients send them, again and again until there
 * are enough. The engine takes a part of another table in without reading it. Answers how many rows there are.
 */
export async function fillInterval(
  client: ClickHouseClient,
  team_id: number,
  start: number,
  rows: number,
): Promise<number> {
  const seeds = Math.min(SEED_ROWS, rows);
  const inserted_at = start * 1_000;
  // A third comes from browsers, so that a row has about a kilobyte.
  const sample = sampleEvents({ rows: seeds, webShare: 0.35, people: 5_000, days: 1 });
  const stamped = function* () {
    for (const row of sample) yield { ...row, team_id, inserted_at, timestamp: inserted_at + row.log_position };
  };
  await insertEvents(client, stamped(), `seed ${start}`);
  // Merges would go on while we measure.
  await client.command({ query: 'SYSTEM STOP MERGES events' });
  await client.command({ query: 'CREATE TABLE seed AS events' });
  await client.command({
    query: `INSERT INTO seed (${COLUMNS}) SELECT ${COLUMNS} FROM events
             WHERE team_id = {team_id:Int64} AND inserted_at = fromUnixTimestamp64Micro({inserted_at:Int64})`,
    query_params: { team_id, inserted_at },
    clickhouse_settings: { insert_deduplication_token: `copy ${start}` },
  });
  const parts = await client.query({
    query: "SELECT DISTINCT partition_id AS id FROM system.parts WHERE table = 'seed'",
  });
  const { data } = await parts.json<{ id: string }>();
  const copies = Math.ceil(rows / seeds);
  for (let copy = 1; copy < copies; copy += 1) {
    for (const { id } of data) {
      await client.command({ query: `ALTER TABLE events ATTACH PARTITION ID '${id}' FROM seed` });
    }
  }
  await client.command({ query: 'DROP TABLE seed' });
  return copies * seeds;
}
