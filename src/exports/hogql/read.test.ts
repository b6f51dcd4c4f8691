import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ApiError } from '../../http/errors.ts';
import { openParser } from '../../query/hogql/parse.ts';
import { openHogql } from './read.ts';

const parser = openParser();
after(() => parser.close());
// What the event store says is tried with the real one, in the test of the selection.
const read = (query: string) => openHogql({ parser, source: { describe: async () => [] } })(1, query);

const BROWSER = `replaceRegexpAll(nullIf(nullIf(JSONExtractRaw(events.properties, %(hogql_val_0)s), ''), 'null'), '^"|"$', '')`;

const items: [item: string, expression: string, alias: string, values: Record<string, string>][] = [
  ['event', 'events.event', 'event', {}],
  ['team_id AS my_team', 'events.team_id', 'my_team', {}],
  ['properties.$browser AS browser', BROWSER, 'browser', { hogql_val_0: '$browser' }],
  ['person_id', 'events.person_id', 'person_id', {}],
  ['toString(uuid) as uuid', 'toString(events.uuid)', 'uuid', {}],
  ["'test' as test", '%(hogql_val_0)s', 'test', { hogql_val_0: 'test' }],
  ['toInt(1+1) as n', 'accurateCastOrNull(plus(1, 1), %(hogql_val_0)s)', 'n', { hogql_val_0: 'Int64' }],
  ['1', '1', '`1`', {}],
  ['3.14', '3.14', '`3.14`', {}],
  ['null', 'NULL', 'NULL', {}],
  ['true', '1', '`1`', {}],
  ["'hello'", '%(hogql_val_0)s', 'hello', { hogql_val_0: 'hello' }],
  ['event as `a, (SELECT 1) as b`', 'events.event', '`a, (SELECT 1) as b`', {}],
];

for (const [item, expression, alias, values] of items) {
  test(`${item} is selected as ${alias}`, async () => {
    const schema = await read(`SELECT ${item} FROM events`);
    assert.deepEqual([schema.fields, schema.values], [[{ expression, alias }], values]);
  });
}

test('a query is shown again in its usual form', async () => {
  const schema = await read(
    "select toString(uuid) as uuid, 'test' as test, toInt(1+1) as n from events where event = 'x' limit 3",
  );
  assert.equal(schema.hogql_query, "SELECT toString(uuid) AS uuid, 'test' AS test, toInt(plus(1, 1)) AS n FROM events");
  assert.deepEqual(schema.values, { hogql_val_0: 'test', hogql_val_1: 'Int64' });
});

const refused: [query: string, detail: string | RegExp][] = [
  ['SELECT', 'Failed to parse query'],
  ['SELECT event,, FROM events', 'Failed to parse query'],
  ['', 'Failed to parse query'],
  ['SELECT unknown_field FROM events', /^Invalid HogQL query: /],
  ['SELECT event, event FROM events', /^Invalid HogQL query: /],
  ['SELECT events.event FROM events LEFT JOIN persons ON events.person_id = persons.id', 'JOINs are not supported'],
  ['SELECT event FROM events UNION ALL SELECT event FROM events', 'UNIONs are not supported'],
  ['SELECT 1', 'Query must SELECT FROM events'],
  ['SELECT id FROM persons', 'Query must only SELECT FROM events'],
  ['SELECT event FROM (SELECT event FROM events)', 'Subqueries or CTEs are not supported'],
  ['WITH x AS (SELECT 1) SELECT event FROM events', 'Subqueries or CTEs are not supported'],
  ['SELECT toInt32(1) FROM events', 'Unsupported HogQL query'],
  ['SELECT count() FROM events', 'Unsupported HogQL query'],
  ['SELECT arrayJoin([1, 2]) FROM events', 'Unsupported HogQL query'],
  ['SELECT rand() FROM events', 'Unsupported HogQL query'],
  ["SELECT file('/etc/passwd') FROM events", 'Unsupported HogQL query'],
  ['SELECT (SELECT 1) FROM events', 'Unsupported HogQL query'],
  ['SELECT * FROM events', /HogQL query/],
];

for (const [query, detail] of refused) {
  test(`refused: ${query || 'nothing'}`, async () => {
    await assert.rejects(read(query), (error) => {
      assert.ok(error instanceof ApiError && error.status === 400 && error.attr === 'hogql_query');
      if (typeof detail === 'string') assert.equal(error.message, detail);
      else assert.match(error.message, detail);
      return true;
    });
  });
}
