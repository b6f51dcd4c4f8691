// Filters and questions of every kind, most of them senseless: answers agree with a reference, and nothing breaks.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parseFilters } from '../../src/filters/parse.ts';
import { isLong, type Random, seededRandom, seedOfRun } from '../random.ts';
import { holds } from '../reference/property-filter.ts';
import { startReadingApp } from './reading-app.ts';

const app = await startReadingApp();
after(() => app[Symbol.asyncDispose]());

const NAMES = [
  'plan',
  '$browser',
  '$odd',
  '$feature/x',
  'utm_source',
  '$group_0',
  "a'b\\",
  '漢',
  'distinct_id',
  '__proto__',
  'x.y',
  '{v1:String}',
  '',
];
// Without exponents: the engine writes them in a way of its own, and texts are compared.
const VALUES = [
  'pro',
  'Pro',
  '',
  '10',
  'true',
  "'; DROP TABLE events; --",
  '\\',
  '"',
  'é漢👩',
  '%',
  '\n',
  '{v1:String}',
  0,
  -1,
  10,
  2.5,
  true,
  false,
  null,
  [1, 'a'],
  { a: 1 },
];
const OPERATORS = [
  'exact',
  'is_not',
  'icontains',
  'not_icontains',
  'regex',
  'not_regex',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'not_between',
  'is_set',
  'is_not_set',
  undefined,
];
const PATTERNS = ['^p', 'o$', '.*', '1|t', '\\d+', '[^a-z]', ''];

function makeProperties(random: Random): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const name of NAMES) {
    if (name !== '__proto__' && random.chance(0.5)) made[name] = random.pick(VALUES);
  }
  return made;
}

const single = (random: Random): unknown =>
  random.pick(VALUES.filter((value) => typeof value !== 'object' || value === null));

function makeValue(random: Random, operator: string | undefined): unknown {
  if (operator?.includes('regex')) return random.pick(PATTERNS);
  if (operator?.includes('between')) return [random.int(20) - 5, random.int(20) - 5];
  if (operator && ['gt', 'gte', 'lt', 'lte'].includes(operator)) return random.pick([0, '1', 2.5, -3, 10]);
  if (operator && random.chance(0.3)) return Array.from({ length: random.int(4) }, () => single(random) ?? 'x');
  return single(random) ?? (operator?.includes('icontains') ? 'x' : null);
}

function makeFilter(random: Random, depth = 0): unknown {
  if (depth < 3 && random.chance(0.3)) {
    const values = Array.from({ length: random.int(4) }, () => makeFilter(random, depth + 1));
    return { type: random.pick(['AND', 'OR']), values };
  }
  const operator = random.pick(OPERATORS);
  return {
    key: random.pick(NAMES.filter((name) => name !== '')),
    type: random.pick(['event', 'person', undefined]),
    operator,
    value: makeValue(random, operator),
  };
}

test(`filters find what the reference finds (seed ${seedOfRun})`, async () => {
  const random = seededRandom(seedOfRun);
  const events = Array.from({ length: 60 }, () => ({
    properties: makeProperties(random),
    person: makeProperties(random),
  }));
  const stored = await app.storeEvents(
    events.map(({ properties, person }) => ({
      event: 'fuzzed',
      properties: JSON.stringify(properties),
      person_properties: JSON.stringify(person),
      timestamp: Date.now() * 1_000,
    })),
  );
  await app.storeEvents([{ event: 'fuzzed', team_id: app.other.id, timestamp: Date.now() * 1_000 }]);
  for (let round = 0; round < (isLong ? 3_000 : 50); round++) {
    const filter = [makeFilter(random)];
    const { status, body } = await app.get(
      `/events/?event=fuzzed&after=-1d&properties=${encodeURIComponent(JSON.stringify(filter))}`,
    );
    const told = `seed ${seedOfRun}, round ${round}: ${JSON.stringify(filter)}`;
    assert.equal(status, 200, `${told}: ${JSON.stringify(body)}`);
    const parsed = parseFilters(filter, { type: 'event', nowMs: Date.now() });
    const expected = events.flatMap(({ properties, person }, at) => {
      const lookup = ({ type, key }: { type: string; key: string }) => {
        const from = type === 'person' ? person : properties;
        return Object.hasOwn(from, key) ? from[key] : undefined;
      };
      return holds(parsed, lookup) ? [stored[at]?.uuid] : [];
    });
    assert.deepEqual(body.results.map(({ id }: { id: string }) => id).toSorted(), expected.toSorted(), told);
  }
});

const TEXTS = [
  '',
  "'",
  '"',
  '\\',
  '`',
  "' OR 1=1 --",
  '{v1:String}',
  '{team_id:Int64}',
  '\u0000',
  '%00',
  '\ud800',
  '-1',
  '1e9',
  '999999999999999999999',
  '{"a":',
  '[[[[]]]]',
  'null',
  'NaN',
  '2025-02-03',
  '-7d',
  '../..',
  '漢'.repeat(300),
];
const PARAMETERS = [
  'event',
  'distinct_id',
  'person_id',
  'properties',
  'before',
  'after',
  'orderBy',
  'limit',
  'offset',
  'cursor',
  'search',
  'email',
  'key',
  'value',
  'event_name',
  'group_type_index',
  'group_key',
  'name',
  'names',
  'ordering',
  'event_type',
  'type',
  'event_names',
  'property_name',
  'tags',
  'q',
  'from',
  'to',
  'include_total',
];
const PATHS = [
  '/events/',
  '/events/values/',
  '/events/x/',
  '/persons/',
  '/persons/values/',
  '/persons/x/',
  '/groups/',
  '/groups/find/',
  '/groups_types/',
  '/event_definitions/',
  '/event_definitions/by_name/',
  '/event_definitions/x/',
  '/property_definitions/',
  '/property_definitions/seen_together/',
  '/ingestion/',
  '/ingestion_warnings/',
];

test(`whatever is asked, nothing breaks and nothing of another project is told (seed ${seedOfRun})`, async () => {
  const random = seededRandom(seedOfRun + 1);
  await app.addPerson({
    team_id: app.other.id,
    distinct_ids: ['secret-id'],
    properties: { email: 'secret@example.com' },
  });
  await app.storeEvents([
    { team_id: app.other.id, event: 'secret-event', properties: '{"key":"secret"}', timestamp: Date.now() * 1_000 },
  ]);
  for (let round = 0; round < (isLong ? 10_000 : 150); round++) {
    const query = new URLSearchParams();
    for (let count = random.int(5); count >= 0; count--) query.append(random.pick(PARAMETERS), random.pick(TEXTS));
    const path = random
      .pick(PATHS)
      .replace('x', encodeURIComponent(random.pick(TEXTS.filter((text) => !text.includes('\ud800'))) || 'x'));
    const { status, text } = await app.get(`${path}?${query}`);
    const told = `seed ${seedOfRun}, round ${round}: ${path}?${query} → ${status} ${text.slice(0, 300)}`;
    assert.ok(status < 500, told);
    assert.equal(text.includes('secret'), false, told);
  }
});
