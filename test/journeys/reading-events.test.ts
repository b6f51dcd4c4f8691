// Events, as they come back.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Event, EventList } from '../../src/events/wire.ts';
import { startReadingApp } from './reading-app.ts';

const app = await startReadingApp();
after(() => app[Symbol.asyncDispose]());

const HOUR = 3_600_000_000;
const NOW = Date.now() * 1_000;
const at = (hoursAgo: number) => NOW - hoursAgo * HOUR;

/** The names of the events that a list answers with. */
async function names(query: string): Promise<string[]> {
  const { status, body } = await app.get(`/events/?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.results.map(({ event }: { event: string }) => event);
}

const where = (...filters: unknown[]) => `properties=${encodeURIComponent(JSON.stringify(filters))}`;

test('an event comes back exactly as it was sent', async () => {
  const sent = '{"z":1.0,"10":1,"2":12345678901234567890,"a":"\\u00e9\\ud800","a":null,"deep":{"x":[1e400]}}';
  const [made] = await app.storeEvents([
    { event: 'exact', distinct_id: 'exact-1', properties: '{"z":1}', properties_sent: sent, timestamp: at(1) },
  ]);
  const one = await app.get(`/events/${made?.uuid}/`);
  const list = await app.get('/events?event=exact');
  assert.equal(one.status, 200, one.text);
  assert.ok(one.text.includes(`"properties":${sent},`), one.text);
  assert.ok(list.text.includes(`"properties":${sent},`));
  assert.ok(Event.safeParse(one.body).success);
  assert.ok(EventList.safeParse(list.body).success);
  assert.deepEqual(Object.keys(one.body), [
    'id',
    'distinct_id',
    'properties',
    'event',
    'timestamp',
    'person',
    'elements',
    'elements_chain',
  ]);
});

test('a list is newest first, within now and the near future, and can be turned round', async () => {
  await app.storeEvents([
    { event: 'order', properties: '{"n":1}', timestamp: at(40 * 24) },
    { event: 'order', properties: '{"n":2}', timestamp: at(3 * 24) },
    { event: 'order', properties: '{"n":3}', timestamp: at(2) },
    { event: 'order', properties: '{"n":4}', timestamp: NOW + 100 * HOUR },
  ]);
  const numbers = async (query: string) =>
    (await app.get(`/events/?event=order&${query}`)).body.results.map(
      (event: { properties: { n: number } }) => event.properties.n,
    );
  assert.deepEqual(await numbers(''), [3, 2, 1]);
  assert.deepEqual(await numbers(`orderBy=${encodeURIComponent('["timestamp"]')}`), [1, 2, 3]);
  assert.deepEqual(await numbers(`before=${new Date(Date.now() + 200 * 3_600_000).toISOString()}`), [4, 3, 2, 1]);
  assert.deepEqual(await numbers('before=9999-12-31'), [4, 3, 2, 1]);
  assert.deepEqual(await numbers('after=0001-01-01'), [3, 2, 1]);
  assert.deepEqual(await numbers('before=0001-01-01'), []);
  assert.deepEqual(await numbers('after=9999-12-31'), []);
  assert.deepEqual(await numbers('after=-7d'), [3, 2]);
  assert.deepEqual(await numbers('after=-7d&before=-1d'), [2]);
  assert.deepEqual(await numbers('limit=1&offset=1'), [2]);
  assert.deepEqual(await numbers('action_id=1'), []);
});

test('following `next` meets every event once, though many share a time', async () => {
  const batch = Array.from({ length: 25 }, (_, n) => ({
    event: 'paged',
    properties: `{"n":${n}}`,
    timestamp: at(5) + Math.floor(n / 10),
    log_partition: n % 3,
  }));
  await app.storeEvents(batch);
  for (const order of ['["-timestamp"]', '["timestamp"]']) {
    const seen: number[] = [];
    let link: string | null = `${app.here}/events/?event=paged&limit=4&offset=0&orderBy=${encodeURIComponent(order)}`;
    while (link) {
      assert.ok(seen.length <= 25, `still paging after ${seen.length}`);
      const { body }: Awaited<ReturnType<typeof app.get>> = await app.get(link);
      seen.push(...body.results.map((event: { properties: { n: number } }) => event.properties.n));
      link = body.next;
    }
    assert.deepEqual(
      seen.toSorted((a, b) => a - b),
      batch.map((_, n) => n),
    );
  }
});

test('a `next` link whose time is all that a client reads still moves on', async () => {
  const { body } = await app.get('/events/?event=paged&limit=4');
  const next = new URL(body.next);
  assert.match(next.searchParams.get('before') ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
  next.searchParams.delete('cursor');
  assert.notEqual((await app.get(next.href)).body.results.length, 0);
});

test('what cannot be understood is refused with what would be right', async () => {
  const refused: [string, string][] = [
    ['before=yesterday', 'before'],
    ['after=2025-02-30', 'after'],
    [`orderBy=${encodeURIComponent('["event"]')}`, 'orderBy'],
    ['cursor=1-2', 'cursor'],
    ['before=2025-01-01&cursor=x', 'cursor'],
    ['properties={', 'properties'],
    [where({ key: 'a', operator: 'like', value: 1 }), 'properties'],
    [where({ key: 'n', operator: 'regex', value: '(' }), 'properties'],
    [where({ key: 'a', operator: 'gt', value: 'much' }), 'properties'],
    [where({ key: 'team_id', type: 'event_metadata', value: 1 }), 'properties'],
    [where({ key: 'id', type: 'cohort', value: 1 }), 'properties'],
  ];
  for (const [query, attr] of refused) {
    const { status, body } = await app.get(`/events/?${query}`);
    assert.deepEqual([query, status, body.type, body.attr], [query, 400, 'validation_error', attr]);
  }
  assert.deepEqual((await app.get('/events/nope/')).body.detail, 'Invalid UUID');
  assert.equal((await app.get('/events/018f0000-0000-7000-8000-ffffffffffff/')).status, 404);
});

test('filters find what they describe', async () => {
  await app.storeEvents([
    { event: 'f.text', properties: '{"plan":"Pro","$browser":"Firefox"}', timestamp: at(1) },
    { event: 'f.number', properties: '{"plan":10,"$browser":null,"$odd":"x"}', timestamp: at(1) },
    { event: 'f.string', properties: '{"plan":"10","$browser":"Chrome"}', timestamp: at(1) },
    { event: 'f.true', properties: '{"plan":true,"when":"2025-02-03T10:00:00Z"}', timestamp: at(1) },
    { event: 'f.empty', properties: '{"plan":""}', timestamp: at(1), person_properties: '{"email":"a@b.c"}' },
    { event: 'f.none', properties: '{"when":"2025-02-04"}', timestamp: at(1) },
  ]);
  const all = ['f.empty', 'f.none', 'f.number', 'f.string', 'f.text', 'f.true'];
  const but = (...left: string[]) => all.filter((name) => !left.includes(name));
  const cases: [unknown, string[]][] = [
    [{ key: 'plan', value: 'Pro' }, ['f.text']],
    [{ key: 'plan', value: ['Pro', 10] }, ['f.number', 'f.string', 'f.text']],
    [{ key: 'plan', value: true }, ['f.true']],
    [{ key: 'plan', value: '' }, ['f.empty']],
    [{ key: 'plan', value: null }, ['f.none']],
    [{ key: 'plan', value: [] }, []],
    [{ key: 'plan', value: 'Pro', operator: 'is_not' }, but('f.text')],
    [{ key: 'plan', value: 'pR', operator: 'icontains' }, ['f.text']],
    [{ key: 'plan', value: ['pr', '1'], operator: 'not_icontains' }, ['f.empty', 'f.none', 'f.true']],
    [{ key: 'plan', value: '^P.o$', operator: 'regex' }, ['f.text']],
    [{ key: 'plan', value: '^[P1]', operator: 'not_regex' }, ['f.empty', 'f.none', 'f.true']],
    [{ key: 'plan', value: 9.5, operator: 'gt' }, ['f.number', 'f.string']],
    [{ key: 'plan', value: '10', operator: 'lte' }, ['f.number', 'f.string']],
    [{ key: 'plan', value: 10, operator: 'lt' }, []],
    [{ key: 'plan', value: [10, 11], operator: 'between' }, ['f.number', 'f.string']],
    [{ key: 'plan', value: [10, 11], operator: 'not_between' }, but('f.number', 'f.string')],
    [{ key: 'plan', operator: 'is_set' }, but('f.none')],
    [{ key: 'plan', operator: 'is_not_set' }, ['f.none']],
    [{ key: '$browser', operator: 'is_set' }, ['f.string', 'f.text']],
    [{ key: '$browser', value: 'Chrome' }, ['f.string']],
    [{ key: '$browser', value: 'Chrome', operator: 'is_not' }, but('f.string')],
    [{ key: '$odd', value: 'x' }, ['f.number']],
    [{ key: 'when', value: '2025-02-03', operator: 'is_date_exact' }, ['f.true']],
    [{ key: 'when', value: '2025-02-03', operator: 'is_date_after' }, ['f.none']],
    [{ key: 'when', value: '2025-02-03T10:00:00.000001Z', operator: 'is_date_before' }, ['f.true']],
    [{ key: 'email', value: 'a@b.c', type: 'person' }, ['f.empty']],
    [{ key: '$email', type: 'person', operator: 'is_set' }, []],
    [{ key: 'event', value: 'f.none', type: 'event_metadata' }, ['f.none']],
    [
      {
        type: 'OR',
        values: [
          { key: 'plan', value: 'Pro' },
          { key: 'plan', value: 'true' },
        ],
      },
      ['f.text', 'f.true'],
    ],
    [
      {
        type: 'AND',
        values: [
          { type: 'OR', values: [] },
          { key: 'plan', value: 'Pro' },
        ],
      },
      ['f.text'],
    ],
    [{ plan: 'Pro' }, ['f.text']],
    [{ plan__icontains: 'pro', $browser: 'Firefox' }, ['f.text']],
  ];
  for (const [filter, expected] of cases) {
    const wholes = Array.isArray(filter) || Object.hasOwn(filter as object, 'key') ? [filter] : filter;
    const found = await names(`properties=${encodeURIComponent(JSON.stringify(wholes))}&after=-2h`);
    assert.deepEqual(found.filter((name) => name.startsWith('f.')).toSorted(), expected, JSON.stringify(filter));
  }
});

test('values of a property are listed, the commonest first', async () => {
  await app.storeEvents([
    { event: 'v.a', properties: '{"colour":"red","sizes":[1,2]}', timestamp: at(1) },
    { event: 'v.a', properties: '{"colour":"red","sizes":[2,3]}', timestamp: at(1) },
    { event: 'v.b', properties: '{"colour":"blue"}', timestamp: at(1) },
    { event: 'v.b', properties: '{"colour":"old"}', timestamp: at(24 * 30) },
  ]);
  const values = async (query: string) =>
    (await app.get(`/events/values/?${query}`)).body.map(({ name }: { name: unknown }) => name);
  assert.deepEqual(await values('key=colour'), ['red', 'blue']);
  assert.deepEqual(await values('key=colour&value=U'), ['blue']);
  assert.deepEqual(await values('key=colour&event_name=v.b'), ['blue']);
  assert.deepEqual((await values('key=sizes')).toSorted(), [1, 2, 3]);
  assert.deepEqual(await values('key='), []);
  assert.ok((await values('key=custom_event')).includes('v.b'));
});
