// Queries that ask for too much end within their limits, with a clear answer, and nobody else waits for them.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startQueryApp } from './query-app.ts';

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

for (const [title, text, statuses] of hostile) {
  test(`${title} ends with ${statuses.join(' or ')}, and others go on`, async () => {
    const startedAt = performance.now();
    const asked = app.sql(text);
    // Another question, and an insert, while it runs.
    const other = await app.sql(`select count(), ${Math.random()} from events where event = 'event 1'`);
    await app.storeEvents([{ event: 'meanwhile', timestamp: Date.now() * 1_000 }]);
    const answer = await asked;
    const seconds = (performance.now() - startedAt) / 1_000;
    assert.equal(other.status, 200, other.text);
    assert.ok(statuses.includes(answer.status), `${answer.status}: ${answer.text.slice(0, 300)}`);
    if (answer.status !== 200) assert.ok(answer.body.detail.length < 1_000, answer.body.detail);
    assert.ok(seconds < SECONDS + 20, `${seconds} s`);
  });
}

test('a caller gets 50,000 rows at most, and 100 without asking', async () => {
  const many = await app.sql('select arrayJoin(range(100000)) limit 80000');
  assert.deepEqual([many.body.results.length, many.body.hasMore], [50_000, true]);
  const few = await app.sql('select arrayJoin(range(100000))');
  assert.deepEqual([few.body.results.length, few.body.hasMore], [100, true]);
});
