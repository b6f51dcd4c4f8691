import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { openTestContext, type TestFacts } from '../../../test/reference/query/context.ts';
import { makeEvent, openTestTables, SOME_DAY } from '../../../test/tables.ts';
import { insertEvents, insertRows } from '../../store/tables/insert.ts';
import type { EventRow } from '../../store/tables/rows.ts';

const tables = await openTestTables();
after(() => tables[Symbol.asyncDispose]());

const ANN = '11111111-1111-4111-8111-111111111111';
const BOB = '22222222-2222-4222-8222-222222222222';
const HOUR = 3_600_000_000;
/** 2025-03-10 12:00 UTC. */
const NOON = SOME_DAY + 12 * HOUR;

const drafts: Partial<EventRow>[] = [
  {
    event: 'view',
    distinct_id: 'ann',
    person_id: ANN,
    timestamp: NOON,
    properties: '{"$browser":"Chrome","price":"10.5","deep":{"list":[1,{"x":"y"}]},"odd name":1}',
  },
  {
    event: 'view',
    distinct_id: 'bob',
    person_id: BOB,
    timestamp: NOON + HOUR,
    properties: '{"$browser":"Safari","price":4,"$group_0":"acme"}',
    person_properties: '{"email":"bob@x.io"}',
  },
  {
    event: 'buy',
    distinct_id: 'ann',
    person_id: ANN,
    timestamp: NOON + 12 * HOUR,
    properties: '{"price":20,"paid":true,"at":"2025-01-02T03:04:05Z"}',
  },
];
await insertEvents(
  tables.client,
  drafts.map((draft, at) => makeEvent(at + 1, draft)),
  randomUUID(),
);
await insertEvents(tables.client, [makeEvent(9, { team_id: 2, event: 'foreign', distinct_id: 'eve' })], randomUUID());
const person = { created_at: SOME_DAY / 1_000, is_identified: true, is_deleted: false, version: 1, inserted_at: 0 };
await insertRows(
  tables.client,
  'person',
  [
    { ...person, team_id: 1, id: ANN, properties: '{"email":"ann@x.io"}' },
    { ...person, team_id: 1, id: BOB, properties: '{"email":"bob@new.io"}' },
    { ...person, team_id: 2, id: randomUUID(), properties: '{"email":"eve@x.io"}' },
  ],
  randomUUID(),
);
await insertRows(
  tables.client,
  'groups',
  [
    {
      team_id: 1,
      group_type_index: 0,
      group_key: 'acme',
      group_properties: '{"size":12}',
      created_at: 0,
      version: 1,
      inserted_at: 0,
    },
  ],
  randomUUID(),
);

const facts: TestFacts = {
  cohorts: new Map([[3, [ANN]]]),
  actions: [{ id: 7, name: 'Bought', steps: [{ event: 'buy' }] }],
  properties: [
    { kind: 'event', name: 'amount', type: 'Numeric' },
    { kind: 'event', name: 'paid', type: 'Boolean' },
    { kind: 'event', name: 'at', type: 'DateTime' },
  ],
};

async function ask(text: string, timezone = 'UTC'): Promise<unknown[][]> {
  const context = await openTestContext(tables, { facts, project: { timezone }, now: NOON / 1_000 });
  const values: Record<string, unknown> = { name: "it's", list: ['view', 'x'] };
  const { sql, bound, limit } = await context.select(text, {
    placeholder: ([name]) => (Object.hasOwn(values, String(name)) ? { value: values[String(name)] } : undefined),
    filters: (events) => events.filters([{ key: '$browser', value: 'Safari' }]),
  });
  return (await context.askTable({ text: limit === undefined ? sql : `${sql} LIMIT ${limit}`, params: bound.params }))
    .rows;
}

const answers: [text: string, rows: unknown[][]][] = [
  ['select 1', [[1]]],
  ['select count() from events', [[3]]],
  [
    'select event, count() as c from events group by event order by c desc',
    [
      ['view', 2],
      ['buy', 1],
    ],
  ],
  [
    'select event, count() from events group by 1 order by 2 desc, 1',
    [
      ['view', 2],
      ['buy', 1],
    ],
  ],
  ['select properties.$browser, properties.nothing from events order by timestamp limit 1', [['Chrome', null]]],
  ['select sum(properties.price), max(properties.price > 5) from events', [[34.5, 1]]],
  ["select count() from events where properties.price >= 10 and event != 'buy'", [[1]]],
  ["select count() from events where properties.$browser != 'Chrome'", [[2]]],
  [
    "select properties.deep.list, properties.deep.list.1, properties.deep.list[2].x, properties['odd name'] from events where event = 'view' order by timestamp limit 1",
    [['[1,{"x":"y"}]', '1', 'y', '1']],
  ],
  ["select distinct person.properties.email from events where distinct_id = 'bob'", [['bob@x.io']]],
  [
    'select p.properties.email, count(distinct e.uuid) from events e join persons p on e.person_id = p.id group by 1 order by 1',
    [
      ['ann@x.io', 2],
      ['bob@new.io', 1],
    ],
  ],
  [
    'select p.properties.email from persons p left join events e on e.person_id = p.id and e.person.properties.email is not null where e.event is not null order by 1',
    [['ann@x.io'], ['bob@new.io']],
  ],
  ["select group_0.properties.size, group_0.key from events where $group_0 = 'acme'", [['12', 'acme']]],
  ['select key, index, properties.size from groups', [['acme', 0, '12']]],
  [
    'with v as (select event as name, count() as c from events group by name), 2 as two select name, c + two from v where c >= two',
    [['view', 4]],
  ],
  [
    'select x.b, x.p.price from (select properties.$browser as b, properties as p from events) x where x.b is not null order by 1',
    [
      ['Chrome', '10.5'],
      ['Safari', '4'],
    ],
  ],
  [
    "select toStartOfDay(timestamp) as day, count() from events where timestamp >= '2025-03-10 13:00' group by day order by day",
    [
      ['2025-03-10T00:00:00Z', 1],
      ['2025-03-11T00:00:00Z', 1],
    ],
  ],
  [
    'select arrayMap(x -> x + 1, [1, 2]), tuple(1, 2).1, [5, 6][2], if(1 > 2, 3, 4), 1 between 0 and 2, null ?? 7',
    [[[2, 3], 1, 6, 4, 1, 7]],
  ],
  ['select count() from events where person_id in cohort 3', [[2]]],
  ['select count() from events where person_id not in cohort 3', [[1]]],
  ['select cohort_id, person_id from cohort_people', [[3, ANN]]],
  ['select count() from events where person_id in (select person_id from cohort_people where cohort_id = 3)', [[2]]],
  ['select count() from static_cohort_people', [[0]]],
  ['select count() from events where matchesAction(7)', [[1]]],
  ['select {name}, event in {list} from events order by timestamp limit 1', [["it's", 1]]],
  ['select count() from events where {filters}', [[1]]],
  [
    "select count() from events where event in ('view', 'buy') and distinct_id not in (select distinct_id from events where event = 'buy')",
    [[1]],
  ],
  [
    'select event, row_number() over (partition by event order by timestamp desc) as n from events order by timestamp',
    [
      ['view', 2],
      ['view', 1],
      ['buy', 1],
    ],
  ],
  ['select 1 as n union all select count() as n from events order by n', [[1], [3]]],
  ['select paid from (select properties.paid as paid from events) where paid = true', [[true]]],
  ['select toYear(properties.at), properties.at < now() from events where properties.at is not null', [[2025, 1]]],
  ['select lower(event) as event from events group by event order by event', [['buy'], ['view']]],
  [
    'select quantile(0.5)(properties.price), countIf(properties.price > 5), uniq(person_id) from events',
    [[10.5, 2, 2]],
  ],
  ['select now(), today() - interval 1 day', [['2025-03-10T12:00:00Z', '2025-03-09']]],
  [
    'select x, y from (select [1, 2] as xs, 3 as y) array join xs as x',
    [
      [1, 3],
      [2, 3],
    ],
  ],
  ["select 'a' =~ '^A$', 'a' =~* '^A$', 'ab' like 'a%', not 1 = 1, -5 % 3", [[0, 1, 1, 0, -2]]],
  [
    "select case when event = 'buy' then 'b' else 'other' end as k, count() from events group by k order by k",
    [
      ['b', 1],
      ['other', 2],
    ],
  ],
  ["select toInt('12') + 1, toFloat('x'), '5'::Int, cast('2025-01-01' as Date)", [[13, null, 5, '2025-01-01']]],
  ['select count() from events sample 1', [[3]]],
  ['select e.event, f.event from events e join events f on e.uuid = f.uuid order by 1 limit 1', [['buy', 'buy']]],
  ['select count(distinct event) from events group by all', [[2]]],
];

for (const [text, rows] of answers) {
  test(text, async () => assert.deepEqual(await ask(text), rows));
}

test('days are the project’s own', async () => {
  const text =
    "select toStartOfDay(timestamp) as day, count(), formatDateTime(min(timestamp), '%H') from events group by day order by day";
  assert.deepEqual(await ask(text, 'Asia/Tokyo'), [
    ['2025-03-09T15:00:00Z', 2, '21'],
    ['2025-03-10T15:00:00Z', 1, '09'],
  ]);
  assert.deepEqual(await ask("select count() from events where timestamp >= '2025-03-11'", 'Asia/Tokyo'), [[1]]);
});

const refused: [text: string, why: RegExp][] = [
  ['select', /Syntax error: .*line 1, column 7/],
  ['select a from events', /Unable to resolve field: a, at line 1, column 8/],
  ['select event\nfrom nowhere', /Unknown table "nowhere".*line 2, column 6/],
  ['select * from system.tables', /Unknown table "system.tables"/],
  ["select * from url('http://127.0.0.1')", /Functions cannot be used as tables/],
  ["select file('/etc/passwd')", /There is no function "file"/],
  ["select getSetting('max_threads')", /There is no function "getSetting"/],
  ['select sleep(3)', /There is no function "sleep"/],
  ['select event from events e join events on 1 = 1', /Several tables have a column "event"/],
  ['select count() from events settings max_threads = 1', /settings|Syntax error/],
  ['with recursive t as (select 1 as a) select a from t', /cannot refer to itself/],
  ['select {nothing}', /Nothing was given for the placeholder \{nothing\}/],
  ['select count() from events limit event', /must be a value|Syntax/],
  ["select timestamp > 'yesterday' from events", /"yesterday" is no time/],
  ['select person.nothing from events', /Unable to resolve field/],
  ["select event::'x' from events", /Syntax error/],
  [`select ${'('.repeat(1_200)}1${')'.repeat(1_200)}`, /nested/],
  [`select ${'1+'.repeat(500)}1`, /nested/],
  [`select ${'- '.repeat(240)}1`, /nested/],
  [`select ${'x'.repeat(50_000)}`, /^Unable to resolve field: x{400,500}…, at line 1, column 8/],
  [`select '${'x'.repeat(200_000)}'`, /100000 characters/],
];

for (const [text, why] of refused) {
  test(`refused: ${text.slice(0, 60)}`, async () => {
    await assert.rejects(ask(text), (error: { status?: number; message: string }) => {
      assert.equal(error.status, 400, error.message);
      assert.match(error.message, why);
      return true;
    });
  });
}
