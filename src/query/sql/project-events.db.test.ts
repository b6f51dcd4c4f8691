import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { openTestContext, type TestFacts } from '../../../test/reference/query/context.ts';
import { makeEvent, openTestTables, SOME_DAY } from '../../../test/tables.ts';
import { insertEvents, insertRows } from '../../store/tables/insert.ts';
import type { EventRow } from '../../store/tables/rows.ts';
import type { Action } from '../kind.ts';

const tables = await openTestTables();
after(() => tables[Symbol.asyncDispose]());

const ANN = '11111111-1111-4111-8111-111111111111';
const BOB = '22222222-2222-4222-8222-222222222222';
const SESSION = '01950000-0000-7000-8000-000000000001';
const DAY = { fromMicros: SOME_DAY, toMicros: SOME_DAY + 86_400_000_000 };

const chain =
  'span.icon:nth-child="1"text="Buy; \\"now\\"";a.btn.primary:attr__data-x="1"attr_id="go"href="/buy"nth-child="2";div:nth-child="1"';
const drafts: Partial<EventRow>[] = [
  {
    event: 'a',
    properties: '{"plan":"pro","n":1,"$browser":"Chrome","esc":"a\\"b\\/c"}',
    person_id: ANN,
    distinct_id: 'ann',
  },
  {
    event: 'b',
    properties: `{"plan":null,"n":"7","esc":"\\u00e9","$session_id":"${SESSION}","$current_url":"https://x.io/p?a=1"}`,
    person_id: BOB,
    distinct_id: 'bob',
    person_properties: '{"vip":true,"$x":5}',
  },
  { event: 'c', properties: '{"$group_0":"acme","n":2.5}', person_id: BOB, distinct_id: 'bob', elements_chain: chain },
];
await insertEvents(
  tables.client,
  drafts.map((draft, at) => makeEvent(at + 1, { timestamp: SOME_DAY + at, ...draft })),
  randomUUID(),
);
await insertEvents(tables.client, [makeEvent(9, { team_id: 2, event: 'foreign' })], randomUUID());
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

const buy: Action = {
  id: 7,
  name: 'Buys',
  steps: [{ event: 'c', selector: 'div > a.primary', text: 'Buy; "now"' }, { event: 'nothing' }],
};
const facts: TestFacts = { actions: [buy], cohorts: new Map([[3, [ANN]]]) };

async function namesWhere(filters: unknown): Promise<string> {
  const context = await openTestContext(tables, { facts });
  const events = context.events();
  const condition = events.filters(filters);
  const rows = await context.ask<{ event: string }>({
    text: `SELECT e.event AS event FROM ${events.from()} WHERE ${events.within(DAY)} AND ${condition} ORDER BY event`,
    params: events.bound.params,
  });
  return rows.map(({ event }) => event).join('');
}

const cases: [title: string, filters: unknown, found: string][] = [
  ['no filter', null, 'abc'],
  ['an event property', [{ key: 'plan', value: 'pro' }], 'a'],
  ['a property that is not so, or not at all', [{ key: 'plan', value: 'pro', operator: 'is_not' }], 'bc'],
  ['a text with escapes', [{ key: 'esc', value: 'a"b/c' }], 'a'],
  ['a text that another spells with escapes', [{ key: 'esc', value: 'é' }], 'b'],
  ['a number by its text', [{ key: 'n', value: ['1', 7] }], 'ab'],
  ['null is no value', [{ key: 'plan', value: 'null' }], ''],
  ['a number, sent as text or as number', [{ key: 'n', value: 2, operator: 'gt' }], 'bc'],
  ['a person property', [{ key: 'vip', value: 'true', type: 'person' }], 'b'],
  ['a group property', [{ key: 'size', value: 12, type: 'group', group_type_index: 0 }], 'c'],
  ['a session property', [{ key: '$entry_current_url', value: 'x.io', operator: 'icontains', type: 'session' }], 'b'],
  ['a number of a session', [{ key: '$event_count', value: 1, operator: 'gte', type: 'session' }], 'b'],
  ['a column', [{ key: 'distinct_id', value: 'bob', type: 'event_metadata' }], 'bc'],
  ['a cohort', [{ key: 'id', value: 3, type: 'cohort' }], 'a'],
  ['outside a cohort', [{ key: 'id', value: 3, type: 'cohort', operator: 'not_in' }], 'bc'],
  ['the text of an element', [{ key: 'text', value: 'Buy; "now"', type: 'element' }], 'c'],
  ['no such link', [{ key: 'href', value: '/buy', type: 'element', operator: 'is_not' }], 'ab'],
  ['a selector', [{ key: 'selector', value: 'div a#go[data-x="1"]', type: 'element' }], 'c'],
  ['a selector of a parent that is none', [{ key: 'selector', value: 'div > span', type: 'element' }], ''],
  ['a selector by place', [{ key: 'selector', value: 'a.btn:nth-child(2) > span', type: 'element' }], 'c'],
  [
    'groups',
    {
      type: 'OR',
      values: [
        { type: 'AND', values: [{ key: 'plan', value: 'pro' }] },
        { type: 'AND', values: [{ key: '$group_0', value: 'acme' }] },
      ],
    },
    'ac',
  ],
];

for (const [title, filters, found] of cases) {
  test(`${title} finds ${found || 'nothing'}`, async () => assert.equal(await namesWhere(filters), found));
}

test('an action is found by its steps', async () => {
  const context = await openTestContext(tables, { facts });
  const events = context.events();
  const condition = events.action(7);
  const rows = await context.ask({
    text: `SELECT e.event AS event FROM ${events.from()} WHERE ${events.within(DAY)} AND ${condition}`,
    params: events.bound.params,
  });
  assert.deepEqual(rows, [{ event: 'c' }]);
});

test('a cohort that is none is refused', async () => {
  await assert.rejects(namesWhere([{ key: 'id', value: 99, type: 'cohort' }]), /Cohort with ID 99 does not exist/);
});

test('old events of a merged person count as the person that is left, at once', async () => {
  const persons = async () => {
    const context = await openTestContext(tables);
    const events = context.events();
    const person = events.personId;
    const rows = await context.ask<{ person: string }>({
      text: `SELECT ${person} AS person FROM ${events.from()} WHERE ${events.within(DAY)} GROUP BY person ORDER BY person`,
      params: events.bound.params,
    });
    return rows.map((row) => row.person);
  };
  assert.deepEqual(await persons(), [ANN, BOB]);
  const merged = { team_id: 1, distinct_id: 'bob', person_id: ANN, is_deleted: false, version: 1, inserted_at: 0 };
  await insertRows(tables.client, 'person_distinct_id_overrides', [merged], randomUUID());
  assert.deepEqual(await persons(), [ANN]);
});
