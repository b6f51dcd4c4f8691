// Queries that ask for too much end within their limits, with a clear answer, and nobody else waits for them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isLong, seededRandom, seedOfRun } from '../random.ts';
import { doEach } from '../reference/query/at-a-time.ts';
import { startQueryApp } from './query-app.ts';
import { hostileTexts } from './query-hostile-texts.ts';

const SECONDS = 2;
const app = await startQueryApp({ TENREC_QUERY_SECONDS: SECONDS, TENREC_QUERY_MEMORY_MB: 200 });
after(() => app[Symbol.asyncDispose]());
await app.storeEvents(
  Array.from({ length: 200 }, (_, n) => ({ event: `event ${n % 10}`, timestamp: Date.now() * 1_000 })),
);

const numbers = (name: string) => `(select arrayJoin(range(30000)) as ${name})`;
const hostile: [title: string, text: string, statuses: number[]][] = [
  [
    'a cross join without end',
    `select count() from ${numbers('a')} x cross join ${numbers('b')} y cross join ${numbers('c')} z where cityHash64(a, b, c) = 1`,
    [504],
  ],
  [
    'more memory than there is',
    'select groupArray(range(100000)) from events e cross join events f cross join events g',
    [504],
  ],
  [
    'a window over everything, again and again',
    `select max(n) from (select sum(a) over (order by a rows between unbounded preceding and unbounded following) as n from ${numbers('a')} x cross join (select arrayJoin(range(3000)) as b) y)`,
    [504],
  ],
  ['an array that fills the memory', "select length(arrayMap(x -> repeat('x', 100000), range(100000)))", [504, 400]],
  ['a text of 1 MB', `select '${'x'.repeat(1_000_000)}'`, [400]],
  ['brackets 3,000 deep', `select ${'('.repeat(3_000)}1${')'.repeat(3_000)}`, [400]],
  ['functions 400 deep', `select ${'toString('.repeat(400)}1${')'.repeat(400)}`, [400]],
  ['subqueries 60 deep', `${'select * from ('.repeat(60)}select 1${')'.repeat(60)}`, [200, 400]],
  ['20,000 additions', `select 1${'+1'.repeat(20_000)}`, [400]],
  [
    'names that double',
    `with a0 as (select 1 as x), ${Array.from({ length: 20 }, (_, n) => `a${n + 1} as (select l.x from a${n} l cross join a${n} r)`).join(', ')} select * from a20`,
    [400],
  ],
  ['a regular expression that is none', "select match(event, '(((') from events", [400]],
  ['a million rows', 'select arrayJoin(range(1000000)) limit 1000000', [200]],
];

/** Beyond the limit of a statement: on a busy machine, everything around it takes its time as well. */
const PATIENCE_SECONDS = 30;

/** Something ordinary. Where all cores are busy it may take longer than a statement may, and is asked again. */
async function askOther() {
  const deadline = performance.now() + PATIENCE_SECONDS * 1_000;
  for (;;) {
    const other = await app.sql(`select count(), ${Math.random()} from events where event = 'event 1'`);
    if (other.status !== 504 || performance.now() > deadline) return other;
  }
}

for (const [title, text, statuses] of hostile) {
  test(`${title} ends with ${statuses.join(' or ')}, and others go on`, async () => {
    const startedAt = performance.now();
    const asked = app.sql(text);
    // Another question, and an insert, while it runs.
    const other = await askOther();
    await app.storeEvents([{ event: 'meanwhile', timestamp: Date.now() * 1_000 }]);
    const answer = await asked;
    const seconds = (performance.now() - startedAt) / 1_000;
    assert.equal(other.status, 200, other.text);
    assert.ok(statuses.includes(answer.status), `${answer.status}: ${answer.text.slice(0, 300)}`);
    if (answer.status !== 200) assert.ok(answer.body.detail.length < 1_000, answer.body.detail);
    assert.ok(seconds < SECONDS + PATIENCE_SECONDS, `${seconds} s`);
  });
}

test('a caller gets 50,000 rows at most, and 100 without asking', async () => {
  const many = await app.sql('select arrayJoin(range(100000)) limit 80000');
  assert.deepEqual([many.body.results.length, many.body.hasMore], [50_000, true]);
  const few = await app.sql('select arrayJoin(range(100000))');
  assert.deepEqual([few.body.results.length, few.body.hasMore], [100, true]);
});

const TEXTS_OF_EACH_KIND = 60;
/** Long texts are parsed one after the other, so each may wait for as many. */
const AT_A_TIME = 3;
const skip = isLong ? false : 'takes minutes: npm run test:long query-hostile';

for (const [kind, make] of Object.entries(hostileTexts)) {
  test(`${kind}, many at a time: each ends, and another project asks and stores on`, { skip }, async () => {
    const asOther = (text: string) =>
      app.send('POST', `/api/projects/${app.other.id}/query/`, {
        query: { kind: 'HogQLQuery', query: text },
        refresh: 'force_blocking',
      });
    const stop = new AbortController();
    const event = `beside ${kind}`;
    let [stored, asked] = [0, 0];
    const others = (async () => {
      while (!stop.signal.aborted) {
        await app.storeEvents([{ event, team_id: app.other.id, timestamp: Date.now() * 1_000 }]);
        stored += 1;
        const { status, text, body } = await asOther(`select count() from events where event = '${event}'`);
        if (status === 504) continue;
        assert.deepEqual([status, body.results], [200, [[stored]]], text.slice(0, 300));
        asked += 1;
      }
    })();

    const ended = new Map<number, number>();
    await doEach(Array(TEXTS_OF_EACH_KIND).keys(), AT_A_TIME, async (n) => {
      const text = make(seededRandom(seedOfRun + n));
      const startedAt = performance.now();
      const { status, body } = await app.sql(text);
      const seconds = (performance.now() - startedAt) / 1_000;
      const told = `seed ${seedOfRun}, text ${n} (${text.length} characters: ${text.slice(0, 200)}): ${status}, ${seconds} s`;
      assert.ok([200, 400, 504].includes(status), told);
      if (status !== 200) assert.ok(body.detail.length > 0 && body.detail.length < 1_000, told);
      assert.ok(seconds < SECONDS + AT_A_TIME * PATIENCE_SECONDS, told);
      ended.set(status, (ended.get(status) ?? 0) + 1);
    }).finally(() => stop.abort());
    await others;

    assert.ok(asked > 0, 'the other project was never answered');
    console.log(
      `seed ${seedOfRun}, ${kind}: ${JSON.stringify(Object.fromEntries(ended))}, ${asked} answers beside them`,
    );
  });
}
