// What each way bears when rows come in and questions are asked at the same time.
import { readFile } from 'node:fs/promises';
import { printTable } from '../../src/cli/table.ts';
import type { EventStore } from '../../src/store/open.ts';
import { insertEvents } from '../../src/store/tables/insert.ts';
import { median } from '../measure/figure.ts';
import { sampleEvents } from '../measure/sample-events.ts';
import { type Bench, cut, nextToken, PEOPLE, whole } from './bench.ts';
import { ways } from './ways.ts';

const MIXED_LOAD_MS = 20_000;

/** Two insert batches of 2,000 web events, two ask, all the time. */
export async function measureMixedLoad({ store, inDatabase }: Bench): Promise<void> {
  const rows = [...sampleEvents({ rows: 40_000, webShare: 0.7, people: PEOPLE, days: 30 })];
  const pool = [...cut(rows, 2_000)];
  const table: string[][] = [];
  for (const way of ways) {
    await inDatabase(way.parts, async (client) => {
      const until = performance.now() + MIXED_LOAD_MS;
      let stored = 0;
      let peakMb = 0;
      const times: number[] = [];
      const inserting = async (): Promise<void> => {
        for (let n = 0; performance.now() < until; n += 1) {
          await insertEvents(client, pool[n % pool.length]!, nextToken());
          stored += 2_000;
          peakMb = Math.max(peakMb, await residentMb(store));
        }
      };
      const asking = async (sql: string): Promise<void> => {
        const query = `SELECT ${sql} AS k, count(), uniq(person_id) FROM events WHERE team_id = 1 GROUP BY k`;
        while (performance.now() < until) {
          const startedAt = performance.now();
          await (await client.query({ query, format: 'JSONEachRow' })).text();
          times.push(performance.now() - startedAt);
        }
      };
      await Promise.all([inserting(), inserting(), asking(way.hot), asking(way.custom)]);
      const found = await client.query({
        query:
          "SELECT count() AS n FROM system.parts WHERE active AND table = 'events' AND database = currentDatabase()",
        format: 'JSONEachRow',
      });
      const [{ n } = { n: '?' }] = await found.json<{ n: string }>();
      table.push([
        way.name,
        whole(stored / (MIXED_LOAD_MS / 1_000)),
        `${whole(times.length)} of ${median(times).toFixed(0)} ms`,
        String(n),
        `${whole(peakMb)} MB`,
      ]);
    });
  }
  console.log(`\nMixed load for ${MIXED_LOAD_MS / 1_000} s: two inserters of 2,000 web events each, two who ask.`);
  console.log(printTable(['WAY', 'ROWS/S', 'QUERIES', 'PARTS LEFT', 'ENGINE'], table));
}

async function residentMb({ engine }: EventStore): Promise<number> {
  const status = await readFile(`/proc/${engine!.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}
