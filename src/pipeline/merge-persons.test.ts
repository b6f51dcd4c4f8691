import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, parseExact } from '../capture/exact-json.ts';
import { decideLink, type Link, mergePersons, type Person, readLink } from './merge-persons.ts';

const links: { event: string; properties: JsonObject; link: [source: string, target: string] | undefined }[] = [
  { event: '$identify', properties: { $anon_distinct_id: 'anon' }, link: ['anon', 'u'] },
  { event: '$identify', properties: {}, link: undefined },
  { event: '$identify', properties: { alias: 'x' }, link: undefined },
  { event: '$create_alias', properties: { alias: 'main' }, link: ['u', 'main'] },
  { event: '$create_alias', properties: { alias: '' }, link: undefined },
  { event: '$create_alias', properties: {}, link: undefined },
  { event: '$merge_dangerously', properties: { alias: 'other' }, link: ['other', 'u'] },
  { event: '$create_alias', properties: { alias: 5 }, link: ['u', '5'] },
  { event: '$create_alias', properties: { alias: { a: 1 } }, link: ['u', '[object Object]'] },
  { event: '$create_alias', properties: { alias: { toString: 1 } }, link: ['u', '[object Object]'] },
  {
    event: '$create_alias',
    properties: { alias: [1, null, ['a', { toString: 1 }]] },
    link: ['u', '1,,a,[object Object]'],
  },
  {
    event: '$identify',
    properties: parseExact('{"$anon_distinct_id":12345678901234567890}') as JsonObject,
    link: ['12345678901234567890', 'u'],
  },
  { event: '$identify', properties: { $anon_distinct_id: 'x'.repeat(300) }, link: ['x'.repeat(200), 'u'] },
  { event: 'seen', properties: { alias: 'x', $anon_distinct_id: 'y' }, link: undefined },
];
for (const { event, properties, link } of links) {
  test(`${event} of u with ${JSON.stringify(properties).slice(0, 50)} links ${link?.map((id) => id.slice(0, 20)) ?? 'nobody'}`, () => {
    assert.deepEqual(readLink(event, 'u', properties), link && { event, source: link[0], target: link[1] });
  });
}

type Standing = 'none' | 'known' | 'identified';
const person = (uuid: string, standing: Standing): Person | undefined =>
  standing === 'none'
    ? undefined
    : { uuid, created_at: 0, properties: {}, is_identified: standing === 'identified', version: 0 };

const decisions: { event: Link['event']; source: Standing; target: Standing; does: string }[] = [
  { event: '$identify', source: 'none', target: 'none', does: 'create' },
  { event: '$identify', source: 'none', target: 'known', does: 'add_source' },
  { event: '$identify', source: 'known', target: 'none', does: 'add_target' },
  { event: '$identify', source: 'identified', target: 'none', does: 'add_target' },
  { event: '$identify', source: 'known', target: 'known', does: 'merge' },
  { event: '$identify', source: 'known', target: 'identified', does: 'merge' },
  { event: '$identify', source: 'identified', target: 'known', does: 'refuse' },
  { event: '$identify', source: 'identified', target: 'identified', does: 'refuse' },
  { event: '$create_alias', source: 'known', target: 'identified', does: 'merge' },
  { event: '$create_alias', source: 'identified', target: 'known', does: 'merge' },
  { event: '$create_alias', source: 'identified', target: 'identified', does: 'refuse' },
  { event: '$merge_dangerously', source: 'identified', target: 'identified', does: 'merge' },
];
for (const { event, source, target, does } of decisions) {
  test(`${event} from ${source} to ${target}: ${does}`, () => {
    const link: Link = { event, source: 's', target: 't' };
    assert.equal(decideLink(link, person('1', source), person('2', target)).do, does);
  });
}

test('one person with both ids is only identified', () => {
  const both = person('1', 'known');
  assert.deepEqual(decideLink({ event: '$identify', source: 's', target: 't' }, both, both), { do: 'identify' });
});

test('an id linked to itself does nothing', () => {
  const link: Link = { event: '$create_alias', source: 'u', target: 'u' };
  assert.deepEqual(decideLink(link, person('1', 'known'), undefined), { do: 'nothing' });
});

test('an illegal id on either side is refused, and named', () => {
  for (const [source, target, illegal, other] of [
    ['null', 'u', 'null', 'u'],
    ['u', 'Anonymous', 'Anonymous', 'u'],
  ] as const) {
    const decision = decideLink({ event: '$identify', source, target }, undefined, undefined);
    assert.deepEqual(decision, {
      do: 'refuse',
      warning: {
        type: 'cannot_merge_with_illegal_distinct_id',
        details: { illegalDistinctId: illegal, otherDistinctId: other },
      },
    });
  }
});

test('the target remains, wins, and is as old as the older', () => {
  const source: Person = { uuid: '1', created_at: 5, properties: { a: 1, b: 1 }, is_identified: false, version: 7 };
  const target: Person = { uuid: '2', created_at: 9, properties: { b: 2, c: 2 }, is_identified: false, version: 3 };
  assert.deepEqual(mergePersons(source, target), {
    uuid: '2',
    created_at: 5,
    properties: { a: 1, b: 2, c: 2 },
    is_identified: true,
    version: 8,
  });
});
