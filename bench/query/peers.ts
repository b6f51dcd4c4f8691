// Events like those of a shop, and questions about them in SQL as somebody would write it who knows the tables by heart.
import { randomUUID } from 'node:crypto';
import type { TestTables } from '../../src/store/tables/test-tables.ts';

const CHUNK = 100_000;
const USERS = 50_000;

/** 50,000 users over the 30 days of June 2025, 20 properties an event; made by the engine itself, some 100,000 at a time. */
export async function insertRealisticEvents(tables: TestTables, count: number): Promise<void> {
  for (let from = 0; from < count; from += CHUNK) {
    await tables.client.command({
      query: insertSql(from, Math.min(CHUNK, count - from)),
      clickhouse_settings: { insert_deduplication_token: randomUUID(), max_execution_time: 600 },
    });
  }
  await tables.client.command({ query: 'OPTIMIZE TABLE events', clickhouse_settings: { max_execution_time: 600 } });
}

const pick = (words: readonly string[], seed: string) =>
  `[${words.map((word) => `'${word}'`).join(', ')}][1 + cityHash64(n, '${seed}') % ${words.length}]`;

function insertSql(from: number, count: number): string {
  const event = pick(
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
  );
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
    SELECT generateUUIDv4(), ${event},
           concat('{', ${properties.join(`, ',', `)}, '}'),
           toDateTime64('2025-06-01 00:00:00', 6, 'UTC') + toIntervalSecond(cityHash64(n, 'at') % (30 * 86400)),
           1, concat('user-', toString(user)), now64(6),
           toUUID(concat('00000000-0000-4000-8000-', leftPad(lower(hex(user)), 12, '0'))),
           toDateTime64('2025-06-01 00:00:00', 3, 'UTC') + toIntervalDay(user % 30),
           concat('{"plan":"', [ 'free', 'free', 'free', 'pro' ][1 + user % 4], '","email":"u', toString(user), '@example.com"}'),
           now64(6), 0, n, 1
      FROM (SELECT number AS n, cityHash64(number, 'user') % ${USERS} AS user FROM numbers(${from}, ${count}))
     SETTINGS allow_suspicious_low_cardinality_types = 1`;
}

const JUNE = `team_id = 1 AND timestamp >= toDateTime64('2025-06-01 00:00:00', 6, 'UTC')
              AND timestamp < toDateTime64('2025-07-01 00:00:00', 6, 'UTC')`;
const VIEWS = `FROM events WHERE ${JUNE} AND event = '$pageview'`;
const DAY = "toUInt16(toDate(timestamp) - toDate('2025-06-01'))";

export const peers = {
  'daily trend with uniques': `SELECT toDate(timestamp) AS day, uniqExact(person_id) ${VIEWS} GROUP BY day ORDER BY day`,
  'breakdown by a property': `
    SELECT \`mat_$browser\` AS browser, toDate(timestamp) AS day, count() ${VIEWS} GROUP BY browser, day ORDER BY browser, day`,
  '3-step funnel': `
    SELECT level, count(), avg(first) FROM (
      SELECT person_id,
             windowFunnel(1209600)(toDateTime(timestamp), event = '$pageview', event = 'added to cart', event = 'purchased') AS level,
             min(timestamp) AS first
        FROM events WHERE ${JUNE} AND event IN ('$pageview', 'added to cart', 'purchased')
       GROUP BY person_id)
     GROUP BY level`,
  'day retention 30 × 30': `
    SELECT pair.1 AS first, pair.2 AS later, count() FROM (
      SELECT person_id, groupUniqArray(${DAY}) AS days ${VIEWS} GROUP BY person_id)
     ARRAY JOIN arrayFlatten(arrayMap(f -> arrayMap(d -> (f, d - f), arrayFilter(d -> d >= f, days)), days)) AS pair
     GROUP BY first, later`,
  lifecycle: `
    SELECT day, status, count() FROM (
      SELECT person_id, groupUniqArray(${DAY}) AS days, min(person_created_at) AS created ${VIEWS} GROUP BY person_id)
     ARRAY JOIN arrayConcat(arrayMap(d -> (d, if(has(days, d - 1), 'returning', if(toDate(created) = toDate('2025-06-01') + d, 'new', 'resurrecting'))), days),
                            arrayMap(d -> (toUInt16(d + 1), 'dormant'), arrayFilter(d -> NOT has(days, d + 1), days))) AS found
     GROUP BY found.1 AS day, found.2 AS status`,
  paths: `
    SELECT step.1 AS source, step.2 AS target, count() AS value FROM (
      SELECT person_id, arraySort(x -> x.1, groupArray((timestamp, JSONExtractString(\`mat_$current_url\`)))) AS visits ${VIEWS} GROUP BY person_id)
     ARRAY JOIN arrayMap(at -> (visits[at].2, visits[at + 1].2), range(1, least(length(visits), 5))) AS step
     GROUP BY source, target ORDER BY value DESC LIMIT 50`,
  'a person-property filter': `
    SELECT toDate(timestamp) AS day, count() ${VIEWS} AND person_properties_custom['plan'] = '"pro"' GROUP BY day ORDER BY day`,
} as const;
