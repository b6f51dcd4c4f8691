// Who may read back: each door asks for its scope, and every door knows its project only.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startReadingApp } from './reading-app.ts';

const app = await startReadingApp();
after(() => app[Symbol.asyncDispose]());

const ID = '018f0000-0000-7000-8000-00000000abcd';

const doors: [method: string, path: string, scope: string][] = [
  ['GET', '/events/', 'query:read'],
  ['GET', '/events/values/', 'query:read'],
  ['GET', `/events/${ID}/`, 'query:read'],
  ['GET', '/persons/', 'person:read'],
  ['GET', '/persons/values/', 'person:read'],
  ['GET', `/persons/${ID}/`, 'person:read'],
  ['PATCH', `/persons/${ID}/`, 'person:write'],
  ['DELETE', `/persons/${ID}/`, 'person:write'],
  ['POST', '/persons/bulk_delete/', 'person:write'],
  ['POST', `/persons/${ID}/split/`, 'person:write'],
  ['POST', `/persons/${ID}/update_property/`, 'person:write'],
  ['POST', `/persons/${ID}/delete_property/`, 'person:write'],
  ['GET', '/groups/', 'group:read'],
  ['GET', '/groups/find/', 'group:read'],
  ['GET', '/groups_types/', 'group:read'],
  ['GET', '/event_definitions/', 'event_definition:read'],
  ['GET', '/event_definitions/by_name/', 'event_definition:read'],
  ['GET', `/event_definitions/${ID}/`, 'event_definition:read'],
  ['PATCH', `/event_definitions/${ID}/`, 'event_definition:write'],
  ['GET', '/property_definitions/', 'property_definition:read'],
  ['GET', '/property_definitions/seen_together/', 'property_definition:read'],
  ['GET', `/property_definitions/${ID}/`, 'property_definition:read'],
  ['PATCH', `/property_definitions/${ID}/`, 'property_definition:write'],
  ['GET', '/ingestion/', 'ingestion_warning:read'],
  ['GET', '/ingestion_warnings/', 'ingestion_warning:read'],
];

const scopes = [...new Set(doors.map(([, , scope]) => scope))];
const others = await app.addKey(['feature_flag:write', 'dashboard:write', 'insight:read']);
const keys = new Map<string, string>();
for (const scope of scopes) keys.set(scope, await app.addKey([scope]));

for (const [method, path, scope] of doors) {
  test(`${method} ${path} asks for ${scope}, under both prefixes and with or without a slash`, async () => {
    for (const prefix of ['projects', 'environments']) {
      for (const ending of [path, path.slice(0, -1)]) {
        const door = `${app.url}/api/${prefix}/${app.project.id}${ending}`;
        const refused = await app.send(method, door, { key: others, body: method === 'GET' ? undefined : {} });
        const admitted = await app.send(method, door, {
          key: keys.get(scope) ?? '',
          body: method === 'GET' ? undefined : {},
        });
        assert.deepEqual([refused.status, refused.body.detail], [403, `API key missing required scope '${scope}'`]);
        assert.ok([200, 400, 404].includes(admitted.status), `${admitted.status} ${admitted.text}`);
        if (admitted.status === 404) assert.notEqual(admitted.body.detail, 'Endpoint not found.');
      }
    }
  });
}

test('the tail asks for query:read', async () => {
  assert.equal((await app.send('GET', '/ingestion/tail/', { key: others })).status, 403);
});

test('a key for another project only is refused', async () => {
  const key = await app.addKey(['*'], [app.other.id]);
  assert.equal((await app.send('GET', '/events/', { key })).status, 403);
});
