import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeEvent, openTestTables, SOME_DAY, type TestTables } from '../../../test/tables.ts';
import { insertEvents } from './insert.ts';

let tables: TestTables;
before(async () => {
  tables = await openTestTables();
});
after(() => tables[Symbol.asyncDispose]());

const SECOND = 1_000_000;
/** A UUID of version 7 whose time is the given one. */
const sessionAt = (ms: number, last = 'b302099a8057') => {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-774b-bcce-${last}`;
};
const session = sessionAt(SOME_DAY / 1_000);

const page = (n: number, team_id: number, event: string, atSecond: number, properties: object) =>
  makeEvent(n, {
    team_id,
    event,
    timestamp: SOME_DAY + atSecond * SECOND,
    distinct_id: `d${atSecond}`,
    properties: JSON.stringify({ $session_id: session, ...properties }),
  });

test('a session is put together from its events, in whatever order and batches they arrive', async () => {
  const https = (path: string) => ({ $current_url: `https://example.com/${path}`, $browser: 'Firefox' });
  await insertEvents(
    tables.client,
    [page(0, 1, '$pageview', 60, https('b')), page(1, 1, '$autocapture', 70, https('b')), page(2, 1, 'paid', 90, {})],
    'second half',
  );
  await insertEvents(
    tables.client,
    [
      page(3, 1, 'server side', 0, {}),
      page(4, 1, '$pageview', 10, { ...https('a'), utm_source: 'mail', $browser: 'Chrome "x"' }),
      page(5, 1, '$screen', 20, { $screen_name: 'Home' }),
    ],
    'first half',
  );

  const [found] = await tables.ask<{ entry: Record<string, string>; urls: string[] } & Record<string, unknown>>(
    `SELECT session_id, distinct_id, duration, entry, end_url, urls, event_count, pageview_count, autocapture_count,
            screen_count, start_timestamp FROM sessions WHERE team_id = 1
     SETTINGS output_format_json_named_tuples_as_objects = 1, output_format_json_quote_64bit_integers = 0`,
  );
  const { entry, urls, ...rest } = found!;
  assert.deepEqual(rest, {
    session_id: session,
    distinct_id: 'd90',
    duration: 90,
    end_url: 'https://example.com/b',
    event_count: 6,
    pageview_count: 2,
    autocapture_count: 1,
    screen_count: 1,
    start_timestamp: '2025-03-10 00:00:00.000000',
  });
  assert.deepEqual(urls.sort(), ['https://example.com/a', 'https://example.com/b']);
  assert.deepEqual(
    [entry.url, entry.utm_source, entry.browser, entry.os],
    ['https://example.com/a', 'mail', 'Chrome "x"', ''],
  );
});

test('only ids of version 7 are sessions', async () => {
  const ids = ['', 'abc', 7, null, {}, '11111111-1111-4111-8111-111111111111', session.replaceAll('-', ''), session];
  const rows = ids.map(($session_id, n) => makeEvent(n, { team_id: 2, properties: JSON.stringify({ $session_id }) }));
  await insertEvents(tables.client, rows, 'ids');
  assert.deepEqual(await tables.ask('SELECT session_id FROM sessions WHERE team_id = 2'), [{ session_id: session }]);
});

test('an id with an absurd time is a session like any other', async () => {
  const ids = ['000000000000', 'ffffffffffff'].map(
    (time) => `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`,
  );
  const rows = ids.map(($session_id, n) => makeEvent(n, { team_id: 3, properties: JSON.stringify({ $session_id }) }));
  await insertEvents(tables.client, rows, 'absurd');
  const found = await tables.ask<{ session_id: string }>('SELECT session_id FROM sessions WHERE team_id = 3');
  assert.deepEqual(found.map(({ session_id }) => session_id).sort(), ids);
});

test('sessions of many different times fit into one batch', async () => {
  const rows = Array.from({ length: 600 }, (_, n) => {
    const $session_id = sessionAt(SOME_DAY / 1_000 - n * 31 * 86_400_000);
    return makeEvent(n, { team_id: 4, properties: JSON.stringify({ $session_id }) });
  });
  await insertEvents(tables.client, rows, 'many times');
  const [{ n } = { n: '' }] = await tables.ask<{ n: string }>('SELECT count() AS n FROM sessions WHERE team_id = 4');
  assert.equal(Number(n), 600);
});
