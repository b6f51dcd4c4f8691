// People changed over the management API while events flow: the real program, from the door and back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestDatabase, programOn, type TestDatabase } from '../db.ts';
import { eventually } from '../eventually.ts';
import { KEY, type Program, startProgram, stopProgram, TOKEN } from '../program.ts';
import { openTempFolder, type TempFolder } from '../temp-folder.ts';

let program: Program;
let folder: TempFolder;
let database: TestDatabase;
before(async () => {
  folder = await openTempFolder();
  database = await openTestDatabase();
  program = await startProgram({ data: folder.path, env: programOn(database) });
});
after(async () => {
  if (program) await stopProgram(program);
  await database?.close();
  await folder?.[Symbol.asyncDispose]();
});

async function send(method: string, path: string, body?: unknown) {
  const response = await fetch(path.startsWith('http') ? path : `${program.url}/api/projects/@current${path}`, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  return { status: response.status, body: (text ? JSON.parse(text) : undefined) as any };
}

async function capture(...batch: { event: string; distinct_id: string; properties?: Record<string, unknown> }[]) {
  const response = await fetch(`${program.url}/batch/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: TOKEN, batch }),
  });
  assert.equal(response.status, 200);
}

const eventsOf = async (query: string): Promise<string[]> =>
  (await send('GET', `/events/?${query}`)).body.results.map(({ event }: { event: string }) => event).toSorted();

const personOf = async (distinct_id: string) =>
  (await send('GET', `/persons/?distinct_id=${distinct_id}`)).body.results[0];

/** Everything that was accepted has found its fate. */
const settled = () =>
  eventually('nothing waits', async () => {
    const { totals, lag } = (await send('GET', '/ingestion/')).body;
    return totals.waiting === 0 && lag.events === 0;
  });

test('a property is set and removed by the API, and filters know', async () => {
  await capture({ event: 'came', distinct_id: 'prop-1', properties: { $set: { plan: 'free' } } });
  await settled();
  const { uuid } = await personOf('prop-1');
  assert.equal((await send('POST', `/persons/${uuid}/update_property/`, { key: 'plan', value: 'pro' })).status, 202);
  assert.equal((await send('PATCH', `/persons/${uuid}/`, { properties: { seats: 3, old: 1 } })).status, 202);
  assert.equal((await send('POST', `/persons/${uuid}/delete_property/`, { $unset: 'old' })).status, 201);
  await settled();
  const { $creator_event_uuid, ...properties } = (await personOf('prop-1')).properties;
  assert.deepEqual(properties, { plan: 'pro', seats: 3 });
  const found = await send('GET', '/persons/?properties=[{"key":"seats","value":2,"operator":"gt"}]');
  assert.deepEqual(
    found.body.results.map((person: { uuid: string }) => person.uuid),
    [uuid],
  );
});

test('after a merge the older events are found with the person, and after a split with the one they went to', async () => {
  await capture({ event: 'looked', distinct_id: 'anon' });
  await settled();
  await capture({ event: '$identify', distinct_id: 'known', properties: { $anon_distinct_id: 'anon' } });
  await settled();
  const merged = await personOf('known');
  assert.deepEqual(merged.distinct_ids, ['anon', 'known']);
  assert.deepEqual(await eventsOf(`person_id=${merged.uuid}`), ['$identify', 'looked']);

  assert.equal((await send('POST', `/persons/${merged.uuid}/split/`, { main_distinct_id: 'known' })).status, 201);
  const alone = await personOf('anon');
  assert.notEqual(alone.uuid, merged.uuid);
  await eventually('the events follow their ids', async () => (await eventsOf(`person_id=${alone.uuid}`)).length === 1);
  assert.deepEqual(await eventsOf(`person_id=${alone.uuid}`), ['looked']);
  assert.deepEqual(await eventsOf(`person_id=${merged.uuid}`), ['$identify']);
});

test('a person is deleted with its events or without, and comes back as somebody new', async () => {
  await capture(
    { event: 'with', distinct_id: 'gone-with' },
    { event: 'without', distinct_id: 'gone-without' },
    { event: 'stays', distinct_id: 'stays' },
  );
  await settled();
  const [gone, kept] = [await personOf('gone-with'), await personOf('gone-without')];
  assert.equal((await send('DELETE', `/persons/${gone.uuid}/?delete_events=true`)).status, 202);
  assert.equal((await send('DELETE', `/persons/${kept.uuid}/`)).status, 202);
  await eventually('the events are gone', async () => (await eventsOf('distinct_id=gone-with')).length === 0);
  assert.deepEqual(await eventsOf('distinct_id=gone-without'), ['without']);
  assert.deepEqual(await eventsOf('distinct_id=stays'), ['stays']);
  assert.equal((await send('GET', '/events/?distinct_id=gone-without')).body.results[0].person, null);
  assert.equal(await personOf('gone-with'), undefined);

  await capture({ event: 'again', distinct_id: 'gone-with', properties: { $set: { back: true } } });
  await settled();
  assert.deepEqual(await eventsOf('distinct_id=gone-with'), ['again']);
  const found = await send('GET', '/persons/?properties=[{"key":"back","operator":"is_set"}]');
  assert.equal(found.body.results.length, 1);
});
