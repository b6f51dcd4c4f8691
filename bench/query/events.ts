// Events like those of a shop: 50,000 users over the 30 days of June 2025, 20 properties an event; made by the engine itself.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestTables } from '../../test/tables.ts';

const CHUNK = 100_000;
const USERS = 50_000;
/** So many events are made with everything; beyond that their properties come again, under new names, times and ids. */
const ORIGINALS_MAX = 1_000_000;

const LOOK_EVERY_MS = 200;
/** Between one merge and the next there may be a pause. */
const QUIET_LOOKS = 15;

const quiet = () => ({ insert_deduplication_token: randomUUID(), max_execution_time: 600 });

/** Adds events until there are so many. */
export async function growTo(tables: TestTables, before: number, count: number): Promise<void> {
  const run = (query: string) => tables.client.command({ query, clickhouse_settings: quiet() });
  const chunk = async (from: number, to: number, print: (from: number, count: number) => string) => {
    for (let at = from; at < to; at += CHUNK) await run(print(at, Math.min(CHUNK, to - at)));
  };
  await chunk(before, Math.min(count, ORIGINALS_MAX), originalsSql);
  if (count > ORIGINALS_MAX) {
    const columns = (await listColumns(tables)).map((name) => `\`${name}\``);
    await run(`
      CREATE TABLE originals ENGINE = MergeTree ORDER BY log_position AS SELECT ${columns.join(', ')} FROM events
      SETTINGS min_insert_block_size_rows = ${CHUNK}, min_insert_block_size_bytes = 0`);
    await chunk(ORIGINALS_MAX, count, (from, rows) => copiesSql(columns, from, rows));
    await run('DROP TABLE originals');
  }
  await run('OPTIMIZE TABLE events');
  await waitForMerges(tables);
}

/** Merging ten million events keeps both cores busy for a while after they are there, and is not what is measured. */
async function waitForMerges(tables: TestTables): Promise<void> {
  for (let quietLooks = 0; quietLooks < QUIET_LOOKS; await delay(LOOK_EVERY_MS)) {
    const merges = await tables.ask('SELECT 1 FROM system.merges WHERE database = currentDatabase() LIMIT 1');
    quietLooks = merges.length === 0 ? quietLooks + 1 : 0;
  }
}

/** The persons behind the events. */
export async function insertPersons(tables: TestTables): Promise<void> {
  const query = `
    INSERT INTO person (id, created_at, team_id, properties, is_identified, is_deleted, version, inserted_at)
    SELECT ${personId('number')}, ${createdAt('number')}, 1, ${personProperties('number')}, true, false, 1, now64(6)
      FROM numbers(${USERS})`;
  await tables.client.command({ query, clickhouse_settings: quiet() });
}

const personId = (user: string) => `toUUID(concat('00000000-0000-4000-8000-', leftPad(lower(hex(${user})), 12, '0')))`;
const createdAt = (user: string) => `toDateTime64('2025-06-01 00:00:00', 3, 'UTC') + toIntervalDay(${user} % 30)`;
const personProperties = (user: string) =>
  `concat('{"plan":"', ['free', 'free', 'free', 'pro'][1 + ${user} % 4], '","email":"u', toString(${user}), '@example.com"}')`;
const timestamp = (n: string) =>
  `toDateTime64('2025-06-01 00:00:00', 6, 'UTC') + toIntervalSecond(cityHash64(${n}, 'at') % (30 * 86400))`;

/** Every column, also those that the table would work out by itself. */
async function listColumns(tables: TestTables): Promise<string[]> {
  const rows = await tables.ask<{ name: string }>(
    "SELECT name FROM system.columns WHERE database = currentDatabase() AND table = 'events' AND default_kind IN ('', 'MATERIALIZED')",
  );
  return rows.map(({ name }) => name);
}

/** Reading properties anew is most of what an insert costs, so copies bring the columns that were read from them. */
function copiesSql(columns: readonly string[], from: number, count: number): string {
  const first = from % ORIGINALS_MAX;
  const n = `log_position + ${from - first}`;
  const anew: Readonly<Record<string, string>> = {
    '`uuid`': 'generateUUIDv4()',
    '`event`': eventName(n),
    '`timestamp`': timestamp(n),
    '`log_position`': n,
  };
  return `
    INSERT INTO events (${columns.join(', ')})
    SELECT ${columns.map((name) => anew[name] ?? name).join(', ')}
      FROM originals
     WHERE log_position >= ${first} AND log_position < ${first + count}
  SETTINGS insert_allow_materialized_columns = 1`;
}

const pick = (words: readonly string[], seed: string, n = 'n') =>
  `[${words.map((word) => `'${word}'`).join(', ')}][1 + cityHash64(${n}, '${seed}') % ${words.length}]`;

const eventName = (n: string) =>
  pick(
    [
      '$pageview',
      '$pageview',
      '$pageview',
      '$pageview',
      '$autocapture',
      '$autocapture',
      'added to cart',
      'added to cart',
      'signed up',
      'purchased',
    ],
    'event',
    n,
  );

function originalsSql(from: number, count: number): string {
  const properties = [
    `'"$browser":"', ${pick(['Chrome', 'Safari', 'Firefox', 'Edge'], 'browser')}, '"'`,
    `'"$os":"', ${pick(['Mac OS X', 'Windows', 'iOS', 'Android', 'Linux'], 'os')}, '"'`,
    `'"$current_url":"https://shop.example/', ${pick(['', 'cart', 'checkout', 'product/1', 'product/2', 'about'], 'url')}, '"'`,
    `'"$pathname":"/', toString(n % 20), '"'`,
    `'"$device_type":"Desktop"'`,
    `'"$lib":"web"'`,
    `'"$lib_version":"1.2.3"'`,
    `'"$host":"shop.example"'`,
    `'"$referrer":"https://search.example/"'`,
    `'"$referring_domain":"search.example"'`,
    `'"$session_id":"0197', leftPad(lower(hex(intDiv(n, 20) % 65536)), 4, '0'), '-0000-7000-8000-', leftPad(lower(hex(intDiv(n, 20))), 12, '0'), '"'`,
    `'"price":', toString(n % 500)`,
    `'"quantity":', toString(n % 7)`,
    `'"category":"', ${pick(['shoes', 'shirts', 'hats'], 'category')}, '"'`,
    `'"currency":"EUR"'`,
    `'"experiment":"', ${pick(['a', 'b'], 'experiment')}, '"'`,
    `'"is_member":', if(n % 3 = 0, 'true', 'false')`,
    `'"referral_code":"r', toString(n % 1000), '"'`,
    `'"page_load_ms":', toString(n % 3000)`,
    `'"locale":"de-DE"'`,
  ];
  return `
    INSERT INTO events (uuid, event, properties, timestamp, team_id, distinct_id, created_at, person_id,
                        person_created_at, person_properties, inserted_at, log_partition, log_position, batch_id)
    SELECT generateUUIDv4(), ${eventName('n')},
           concat('{', ${properties.join(`, ',', `)}, '}'),
           ${timestamp('n')}, 1, concat('user-', toString(user)), now64(6),
           ${personId('user')}, ${createdAt('user')}, ${personProperties('user')},
           now64(6), 0, n, 1
      FROM (SELECT number AS n, cityHash64(number, 'user') % ${USERS} AS user FROM numbers(${from}, ${count}))
     SETTINGS allow_suspicious_low_cardinality_types = 1`;
}
