import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../capture/exact-json.ts';
import { patchProperties } from './patch-properties.ts';
import { readPersonUpdate } from './person-update.ts';
import { type ReservedFacts, reservedChanges } from './reserved-properties.ts';

const UPPER = '0197C1F0-0000-7000-8000-000000000001';

const cases: {
  name: string;
  properties: JsonObject;
  facts?: Partial<ReservedFacts>;
  personless?: boolean;
  stored: JsonObject;
}[] = [
  { name: 'the address of the sender', properties: {}, facts: { ip: '1.2.3.4' }, stored: { $ip: '1.2.3.4' } },
  {
    name: 'the address the client names',
    properties: { $ip: '5.6.7.8' },
    facts: { ip: '1.2.3.4' },
    stored: { $ip: '5.6.7.8' },
  },
  {
    name: 'events of our own',
    properties: { capture_internal: 1 },
    facts: { ip: '1.2.3.4' },
    stored: { capture_internal: 1, $ip: '127.0.0.1' },
  },
  {
    name: 'addresses nobody wants',
    properties: { $ip: '5.6.7.8' },
    facts: { ip: '1.2.3.4', anonymize_ips: true },
    stored: {},
  },
  {
    name: 'the time of sending',
    properties: {},
    facts: { sent_at: '2025-07-01T11:00:00Z' },
    stored: { $sent_at: '2025-07-01T11:00:00Z' },
  },
  {
    name: 'what moves elsewhere',
    properties: { a: 1, $elements: [], $elements_chain: 'a', $heatmap_data: {} },
    stored: { a: 1 },
  },
  { name: 'a session in capitals', properties: { $session_id: UPPER }, stored: { $session_id: UPPER.toLowerCase() } },
  { name: 'a session that is no UUID', properties: { $session_id: 'ABC' }, stored: { $session_id: 'ABC' } },
  { name: 'the wish for a person', properties: { $process_person_profile: true }, stored: {} },
  {
    name: 'groups',
    properties: { $group_3: 'mine' },
    facts: { groups: { $group_0: 'acme' } },
    stored: { $group_3: 'mine', $group_0: 'acme' },
  },
  {
    name: 'a place',
    properties: {},
    facts: { geoip: { $geoip_city_name: 'Ulm' } },
    stored: { $geoip_city_name: 'Ulm' },
  },
  {
    name: 'what was understood as $set',
    properties: { $browser: 'x', $set: { a: 1 } },
    stored: { $browser: 'x', $set: { a: 1, $browser: 'x' }, $set_once: { $initial_browser: 'x' } },
  },
  { name: '$set of a wrong type', properties: { $set: 'x' }, stored: { $set: {} } },
  {
    name: 'an event without a person',
    properties: { a: 1, $process_person_profile: false, $set: { a: 1 }, $set_once: {}, $unset: ['a'], $group_0: 'x' },
    personless: true,
    stored: { a: 1, $process_person_profile: false },
  },
  {
    name: 'a group',
    properties: { $group_type: 'c', $set: { a: 1 } },
    facts: { event: '$groupidentify' },
    stored: { $group_type: 'c' },
  },
  { name: 'token and id', properties: { token: 'k', distinct_id: 'u' }, stored: { token: 'k', distinct_id: 'u' } },
];
for (const { name, properties, facts, personless, stored } of cases) {
  test(`${name}`, () => {
    const event = facts?.event ?? 'seen';
    const changes = reservedChanges({
      event,
      properties,
      ip: undefined,
      sent_at: undefined,
      anonymize_ips: false,
      update: personless ? undefined : readPersonUpdate({ event, properties, $set: undefined, $set_once: undefined }),
      groups: {},
      geoip: {},
      ...facts,
    });
    const text = patchProperties(JSON.stringify(properties), properties, changes);
    assert.deepEqual(JSON.parse(text.toString()), stored);
  });
}
