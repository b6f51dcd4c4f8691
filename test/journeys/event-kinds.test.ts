// Every kind of event that the interface names (its section 6), and every way in which one is not taken (section 7):
// posted as it says, down to the events, persons and groups that are stored.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, suite, test } from 'node:test';
import { openWholeProgram, type StoredEvent, type WholeProgram } from '../sdk/stored.ts';

let program: WholeProgram;
before(async () => {
  program = await openWholeProgram();
});

interface Sent {
  event?: string | null;
  distinct_id?: string | null;
  properties?: Record<string, unknown>;
  timestamp?: string;
}

async function post(path: string, body: unknown): Promise<number> {
  const response = await fetch(program.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return response.status;
}

async function capture(sent: Sent, { token } = program): Promise<void> {
  assert.equal(await post('/capture/', { api_key: token, ...sent }), 200);
}

/** As the interface writes a batch: the id stands inside the properties. */
async function batch(all: Sent[], { token } = program): Promise<void> {
  const items = all.map(({ distinct_id, properties, ...rest }) => ({
    ...rest,
    properties: { ...properties, distinct_id },
  }));
  assert.equal(await post('/batch/', { api_key: token, batch: items }), 200);
}

/** Both public ways to send one event. */
const ways: [name: string, send: (sent: Sent, to?: WholeProgram) => Promise<void>][] = [
  ['/capture/', capture],
  ['/batch/', (sent, to) => batch([sent], to)],
];

async function only(distinct_id: string): Promise<StoredEvent> {
  const events = await program.eventsOf(distinct_id);
  assert.equal(events.length, 1);
  return events[0]!;
}

// Each has ids of its own, so they need not wait for each other.
suite('section 6', { concurrency: 16 }, () => {
  for (const [way, send] of ways) {
    test(`${way} any custom name: stored as sent, and its sender is a person`, async () => {
      const distinct_id = randomUUID();
      const properties = { plan: 'pro', amount: 12.5, list: [1, null, { a: 'b' }], 'with space': true };
      const timestamp = '2025-07-01T10:59:58.120Z';
      await send({ event: 'order paid', distinct_id, properties, timestamp });
      const event = await only(distinct_id);
      assert.partialDeepStrictEqual(event, { event: 'order paid', distinct_id, properties });
      assert.equal(Date.parse(event.timestamp), Date.parse(timestamp));
      assert.match(event.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      assert.deepEqual((await program.personOf(distinct_id))?.distinct_ids, [distinct_id]);
    });

    test(`${way} any custom name with $groups: the event is attached to the group, and no group is made`, async () => {
      const [distinct_id, key] = [randomUUID(), randomUUID()];
      await send({ event: 'seat added', distinct_id, properties: { $groups: { company: key } } });
      const event = await only(distinct_id);
      const { index, group } = await program.group('company', key);
      assert.equal(event.properties[`$group_${index}`], key);
      assert.deepEqual(event.properties.$groups, { company: key });
      assert.equal(group, undefined);
    });

    test(`${way} any custom name, anonymous: stored, and its sender is no person`, async () => {
      const distinct_id = randomUUID();
      await send({ event: 'looked', distinct_id, properties: { $process_person_profile: false } });
      const event = await only(distinct_id);
      assert.equal(event.properties.$process_person_profile, false);
      assert.equal(await program.personOf(distinct_id), undefined);
    });

    test(`${way} $create_alias: the person of distinct_id is merged into that of the alias, which stays the main one`, async () => {
      const [distinct_id, alias] = [randomUUID(), randomUUID()];
      await capture({ event: 'as one', distinct_id, properties: { $set: { name: 'one', only_one: 1 } } });
      await capture({
        event: 'as the other',
        distinct_id: alias,
        properties: { $set: { name: 'other', only_other: 2 } },
      });
      await program.settled();
      const main = await program.personOf(alias);
      await send({ event: '$create_alias', distinct_id, properties: { alias } });
      await program.settled();
      const [byId, byAlias] = [await program.personOf(distinct_id), await program.personOf(alias)];
      assert.equal(byId?.uuid, main?.uuid);
      assert.deepEqual(byAlias, byId);
      assert.deepEqual(byId?.distinct_ids.toSorted(), [distinct_id, alias].sort());
      assert.partialDeepStrictEqual(byId?.properties, { name: 'other', only_one: 1, only_other: 2 });
      const events = await program.eventsOfPerson(main!.uuid);
      assert.deepEqual(events.map(({ event }) => event).sort(), ['$create_alias', 'as one', 'as the other']);
    });

    test(`${way} $create_alias for an id that nobody has: both ids are one person`, async () => {
      const [distinct_id, alias] = [randomUUID(), randomUUID()];
      await send({ event: '$create_alias', distinct_id, properties: { alias } });
      await program.settled();
      const person = await program.personOf(alias);
      assert.deepEqual(person?.distinct_ids.toSorted(), [distinct_id, alias].sort());
    });

    test(`${way} $identify: the person has what was set, over what it had`, async () => {
      const distinct_id = randomUUID();
      await capture({ event: 'before', distinct_id, properties: { $set: { plan: 'free', city: 'Turku' } } });
      await program.settled();
      await send({ event: '$identify', distinct_id, properties: { $set: { plan: 'pro', email: 'a@example.com' } } });
      const identified = (await program.eventsOf(distinct_id)).find(({ event }) => event === '$identify');
      assert.partialDeepStrictEqual(identified?.properties, { $set: { plan: 'pro', email: 'a@example.com' } });
      assert.partialDeepStrictEqual((await program.personOf(distinct_id))?.properties, {
        plan: 'pro',
        city: 'Turku',
        email: 'a@example.com',
      });
    });

    test(`${way} $groupidentify: the group is made, then updated`, async () => {
      const [distinct_id, key] = [randomUUID(), randomUUID()];
      const tell = (event: string, $group_set: object) =>
        send({ event, distinct_id, properties: { $group_type: 'company', $group_key: key, $group_set } });
      await tell('$groupidentify', { name: 'Acme', subscription: 'premium', date_joined: '2020-01-23T00:00:00.000Z' });
      await program.settled();
      const made = await program.group('company', key);
      assert.deepEqual(made.group?.group_properties, {
        name: 'Acme',
        subscription: 'premium',
        date_joined: '2020-01-23T00:00:00.000Z',
      });
      await tell('$groupidentify', { subscription: 'free', seats: 3 });
      await program.settled();
      const updated = await program.group('company', key);
      assert.deepEqual(updated.group?.group_properties, {
        name: 'Acme',
        subscription: 'free',
        date_joined: '2020-01-23T00:00:00.000Z',
        seats: 3,
      });
      assert.equal((await program.eventsOf(distinct_id)).length, 2);
    });

    test(`${way} $pageview: where it was, on the event and on its person`, async () => {
      const distinct_id = randomUUID();
      const $current_url = 'https://shop.example/pricing?utm_source=news';
      await send({ event: '$pageview', distinct_id, properties: { $current_url, $session_id: randomUUID() } });
      const event = await only(distinct_id);
      assert.partialDeepStrictEqual(event, { event: '$pageview', properties: { $current_url } });
      assert.partialDeepStrictEqual((await program.personOf(distinct_id))?.properties, {
        $current_url,
        $initial_current_url: $current_url,
      });
    });

    test(`${way} $screen: which it was`, async () => {
      const distinct_id = randomUUID();
      await send({ event: '$screen', distinct_id, properties: { $screen_name: 'Settings' } });
      assert.partialDeepStrictEqual(await only(distinct_id), {
        event: '$screen',
        properties: { $screen_name: 'Settings' },
      });
    });

    for (const event of ['survey shown', 'survey sent', 'survey dismissed']) {
      test(`${way} ${event}: which survey, and what was answered`, async () => {
        const distinct_id = randomUUID();
        const answers = event === 'survey sent' ? { $survey_response: 'Good', $survey_response_1: ['a', 'b'] } : {};
        const properties = { $survey_id: randomUUID(), ...answers };
        await send({ event, distinct_id, properties });
        assert.partialDeepStrictEqual(await only(distinct_id), { event, properties });
      });
    }

    test(`${way} $feature_flag_called: which flag, and what it was`, async () => {
      const distinct_id = randomUUID();
      const properties = {
        $feature_flag: 'new-checkout',
        $feature_flag_response: 'test',
        '$feature/new-checkout': 'test',
      };
      await send({ event: '$feature_flag_called', distinct_id, properties });
      assert.partialDeepStrictEqual(await only(distinct_id), { event: '$feature_flag_called', properties });
    });
  }

  test('a survey that is shown leaves its date on the person', async () => {
    const distinct_id = randomUUID();
    const timestamp = new Date(Date.now() - 60_000).toISOString();
    await capture({ event: 'survey shown', distinct_id, properties: { $survey_id: randomUUID() }, timestamp });
    await program.settled();
    const date = (await program.personOf(distinct_id))?.properties.$survey_last_seen_date;
    assert.equal(Date.parse(String(date)), Date.parse(timestamp));
  });

  test('a batch of all kinds is stored in the order it was sent', async () => {
    const distinct_id = randomUUID();
    const kinds = ['first', '$identify', '$pageview', '$screen', 'survey sent', '$feature_flag_called', 'last'];
    await batch(kinds.map((event) => ({ event, distinct_id, timestamp: '2025-07-01T10:00:00.000Z' })));
    const events = await program.eventsOf(distinct_id);
    assert.deepEqual(
      events.map(({ event }) => event),
      kinds,
    );
  });

  test('historical_migration: taken, in order, at the times it says', async () => {
    const distinct_id = randomUUID();
    const items = [2016, 2017, 2018].map((year) => ({
      event: `in ${year}`,
      properties: { distinct_id },
      timestamp: `${year}-02-03T04:05:06Z`,
    }));
    const body = { api_key: program.token, historical_migration: true, batch: items };
    assert.equal(await post('/batch/', body), 200);
    const events = await program.eventsOf(distinct_id);
    assert.deepEqual(
      events.map(({ timestamp }) => new Date(timestamp).getUTCFullYear()),
      [2016, 2017, 2018],
    );
  });
});

// Section 7.

test('DELETE on a dashboard: 405 without a body, and the dashboard is still there', async () => {
  const dashboards = `${program.url}/api/projects/${program.project_id}/dashboards/`;
  const headers = { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' };
  const made = await fetch(dashboards, { method: 'POST', headers, body: JSON.stringify({ name: 'Weekly' }) });
  const { id } = (await made.json()) as { id: number };
  const refused = await fetch(`${dashboards}${id}/`, { method: 'DELETE', headers });
  const read = await fetch(`${dashboards}${id}/`, { headers });
  assert.deepEqual([made.status, refused.status, await refused.text(), read.status], [201, 405, '', 200]);
});

const leftOut: [title: string, warning: string, bad: (id: string) => Sent][] = [
  ['no name', 'missing_event_name', (distinct_id) => ({ distinct_id })],
  ['an empty name', 'missing_event_name', (distinct_id) => ({ event: '', distinct_id })],
  ['a name of null', 'missing_event_name', (distinct_id) => ({ event: null, distinct_id })],
  ['no distinct_id', 'missing_distinct_id', () => ({ event: 'whose?' })],
  ['a distinct_id of null', 'missing_distinct_id', () => ({ event: 'whose?', distinct_id: null })],
  ['an empty distinct_id', 'missing_distinct_id', () => ({ event: 'whose?', distinct_id: '' })],
  ['a blank distinct_id', 'missing_distinct_id', () => ({ event: 'whose?', distinct_id: '  ' })],
];
suite('section 7: what is left out', { concurrency: 16 }, () => {
  for (const [title, warning, bad] of leftOut) {
    for (const [way, send] of ways) {
      test(`${way} ${title}: 200, not ingested, and the project's people can read why`, async () => {
        const own = await openWholeProgram();
        const distinct_id = randomUUID();
        await send(bad(distinct_id), own);
        assert.deepEqual(await own.eventsOf(distinct_id), []);
        const { accepted, stored } = await own.settled();
        assert.deepEqual([accepted, stored], [1, 0]);
        assert.deepEqual(await own.warningTypes(), [warning]);
      });
    }

    test(`${title}, among others: they are ingested, in order`, async () => {
      const distinct_id = randomUUID();
      const good = (event: string) => ({ event, distinct_id, timestamp: '2025-07-01T10:00:00.000Z' });
      await batch([good('one'), bad(distinct_id), good('two'), bad(distinct_id), good('three')]);
      const events = await program.eventsOf(distinct_id);
      assert.deepEqual(
        events.map(({ event }) => event),
        ['one', 'two', 'three'],
      );
    });
  }
});

const refused: [title: string, body: (token: string, id: string) => unknown, status: number][] = [
  ['a body that is no JSON', (token) => `{"api_key":"${token}","event":`, 400],
  ['a body that is a number', () => 7, 400],
  ['a batch that is no list', (api_key, id) => ({ api_key, batch: { event: 'x', distinct_id: id } }), 400],
  ['no key', (_, id) => ({ event: 'x', distinct_id: id }), 401],
  ['an unknown key', (_, id) => ({ api_key: 'phc_nobody_has_this', event: 'x', distinct_id: id }), 401],
  ['a personal key', (_, id) => ({ api_key: program.key, event: 'x', distinct_id: id }), 401],
];
for (const [title, body, status] of refused) {
  for (const path of ['/capture/', '/batch/']) {
    test(`${path} ${title}: a failure, and nothing is ingested`, async () => {
      const distinct_id = randomUUID();
      const before = await program.settled();
      assert.equal(await post(path, body(program.token, distinct_id)), status);
      assert.deepEqual(await program.eventsOf(distinct_id), []);
      assert.deepEqual(await program.settled(), before);
    });
  }
}
