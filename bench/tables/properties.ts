// What each way costs when rows are inserted and merged, on the disk, and when a question is asked.
import type { ClickHouseClient } from '@clickhouse/client';
import { printTable } from '../../src/cli/table.ts';
import { insertEvents } from '../../src/store/tables/insert.ts';
import { sampleEvents } from '../measure/sample-events.ts';
import { type Bench, costOfQuery, engineCpuMicros, insertAll, nextToken, PEOPLE, ratio, whole } from './bench.ts';
import { ways } from './ways.ts';

const ASKED_ROWS = 1_000_000;

/** Makes `events_many` of the merged parts of `events`, taken several times over: linked, not copied. */
export async function multiply(client: ClickHouseClient, times: number): Promise<void> {
  await client.command({ query: 'CREATE TABLE events_many AS events' });
  // A merge of so many rows would be counted as part of the questions.
  await client.command({ query: 'SYSTEM STOP MERGES events_many' });
  const found = await client.query({
    query: `SELECT DISTINCT partition_id AS id FROM system.parts
             WHERE active AND table = 'events' AND database = currentDatabase()`,
    format: 'JSONEachRow',
  });
  for (const { id } of await found.json<{ id: string }>()) {
    for (let n = 0; n < times; n += 1) {
      await client.command({ query: `ALTER TABLE events_many ATTACH PARTITION ID '${id}' FROM events` });
    }
  }
}

export async function measureWays({ store, inDatabase }: Bench, rows: number): Promise<void> {
  const web = [...sampleEvents({ rows, webShare: 0.7, people: PEOPLE, days: 30 })];
  const server = [...sampleEvents({ rows: Math.min(rows, 100_000), webShare: 0, people: PEOPLE, days: 30 })];
  const table: string[][] = [];
  let plain: { web: number; server: number; bytes: number; queries: number[] } | undefined;
  for (const way of ways) {
    const small = await inDatabase(way.parts, (client) =>
      insertAll(store, server, 20_000, (batch) => insertEvents(client, batch, nextToken())),
    );
    const often = await inDatabase(way.parts, (client) =>
      insertAll(store, web.slice(0, 40_000), 2_000, (batch) => insertEvents(client, batch, nextToken())),
    );
    await inDatabase(way.parts, async (client) => {
      const large = await insertAll(store, web, 20_000, (batch) => insertEvents(client, batch, nextToken()));
      const mergeFrom = await engineCpuMicros(store);
      await client.command({ query: 'OPTIMIZE TABLE events FINAL' });
      const merge = ((await engineCpuMicros(store)) - mergeFrom) / web.length;
      const size = await client.query({
        query: `SELECT sum(bytes_on_disk) / sum(rows) AS bytes FROM system.parts
                 WHERE active AND table = 'events' AND database = currentDatabase()`,
        format: 'JSONEachRow',
      });
      const [{ bytes } = { bytes: 0 }] = await size.json<{ bytes: number }>();
      const queries: number[] = [];
      await multiply(client, Math.ceil(ASKED_ROWS / web.length));
      for (const sql of [way.hot, way.custom, way.person]) {
        const question = `SELECT ${sql} AS k, count(), uniq(person_id) FROM events_many WHERE team_id = 1 GROUP BY k`;
        queries.push(await costOfQuery(store, client, question));
      }
      plain ??= { web: large.cpuMicros, server: small.cpuMicros, bytes, queries };
      table.push([
        way.name,
        ratio(large.cpuMicros, plain.web, 'µs'),
        ratio(often.cpuMicros, plain.web, 'µs'),
        ratio(small.cpuMicros, plain.server, 'µs'),
        `${whole(large.rowsPerSecond)} / ${whole(small.rowsPerSecond)}`,
        `${merge.toFixed(1)} µs`,
        ratio(bytes, plain.bytes, 'B'),
        ...queries.map((ms, n) => ratio(ms, plain!.queries[n]!, 'ms')),
      ]);
    });
  }
  console.log(
    `Ways to keep properties, ${whole(rows)} rows of which 70 % come from browsers; in brackets × text only.`,
  );
  console.log('Processor time of the engine for a row: web in batches of 20,000 and of 2,000, server, and the merge.');
  console.log(
    `Processor time to count events and persons by a property, over ${whole(ASKED_ROWS)} rows: hot, custom, of the person.`,
  );
  console.log(
    printTable(
      ['WAY', 'WEB', 'WEB, 2,000', 'SERVER', 'WEB / SERVER ROWS/S', 'MERGE', 'ON DISK', 'HOT', 'CUSTOM', 'PERSON'],
      table,
    ),
  );
}
