// What is done while nobody asks: merged persons become part of the rows, and answers that people look at stay fresh.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { configWith } from '../../src/config.ts';
import { foldOverrides } from '../../src/query/background/fold.ts';
import { warmOnce } from '../../src/query/background/warm.ts';
import { openQuery } from '../../src/query/open.ts';
import { startQueryApp } from './query-app.ts';

const app = await startQueryApp();
const log = pino({ level: 'silent' });
const opened = openQuery({
  db: app.db,
  store: app.store,
  config: configWith({}),
  listCohortMembers: async () => [],
  log,
});
after(async () => {
  await opened.close();
  await app[Symbol.asyncDispose]();
});

const ANN = randomUUID();
const BOB = randomUUID();
const now = Date.now() * 1_000;

test('merged persons are folded into the rows, and the answers stay the same', async () => {
  const event = { event: 'view', timestamp: now, inserted_at: now - 1_000 };
  await app.storeEvents([
    { ...event, person_id: ANN, distinct_id: 'ann' },
    { ...event, person_id: BOB, distinct_id: 'bob' },
    { ...event, person_id: BOB, distinct_id: 'other bob' },
    { ...event, person_id: BOB, distinct_id: 'bob', team_id: app.other.id },
  ]);
  const override = { distinct_id: 'bob', person_id: ANN, is_deleted: false, version: 1, team_id: app.project.id };
  await app.insert('person_distinct_id_overrides', [{ ...override, inserted_at: now - 1_000 }]);
  // This one came after the watermark, and is left for the next time.
  await app.insert('person_distinct_id_overrides', [
    { ...override, distinct_id: 'later', inserted_at: now + 3_600_000_000 },
  ]);
  const persons = async () => {
    const { body } = await app.sql('select person_id, count() as c from events group by person_id order by c desc', {
      refresh: 'force_blocking',
    });
    return body.results;
  };
  const stored = () =>
    app.tables.ask<{ team_id: number; distinct_id: string; person_id: string }>(
      'SELECT toInt32(team_id) AS team_id, distinct_id, person_id FROM events ORDER BY team_id, distinct_id',
    );
  const before = await persons();
  assert.deepEqual(before, [
    [ANN, 2],
    [BOB, 1],
  ]);

  assert.equal(await foldOverrides({ db: app.db, client: app.store.client }), 1);

  assert.deepEqual(await persons(), before);
  assert.deepEqual(
    (await stored()).map(({ team_id, distinct_id, person_id }) => [team_id, distinct_id, person_id]),
    [
      [app.project.id, 'ann', ANN],
      [app.project.id, 'bob', ANN],
      [app.project.id, 'other bob', BOB],
      [app.other.id, 'bob', BOB],
    ],
  );
  const left = await app.tables.ask('SELECT distinct_id FROM person_distinct_id_overrides');
  assert.deepEqual(left, [{ distinct_id: 'later' }]);
  const { folded_until } = await app.db.selectFrom('override_fold').selectAll().executeTakeFirstOrThrow();
  assert.ok(folded_until >= now);
  assert.equal(await foldOverrides({ db: app.db, client: app.store.client }), 0);
});

test('what was looked at again after it aged is computed once more, and then left alone', async () => {
  const asked = await app.sql('select count() from events');
  const { cache_key } = asked.body;
  const warm = () => warmOnce({ db: app.db, queries: opened.queries, log }, new AbortController().signal);
  await sql`update query_result set computed_at = now() - interval '2 hours', fresh_until = now() - interval '1 hour',
                                    used_at = now() - interval '2 hours'`.execute(app.db);
  assert.equal(await warm(), 0, 'nobody looked');
  await sql`update query_result set used_at = now() where cache_key = ${cache_key}`.execute(app.db);
  assert.equal(await warm(), 1);
  const again = await app.sql('select count() from events');
  assert.equal(again.body.is_cached, true);
  assert.ok(again.body.last_refresh > asked.body.last_refresh);
  assert.equal(await warm(), 0);
});
