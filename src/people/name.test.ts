import assert from 'node:assert/strict';
import { test } from 'node:test';
import { personName, tellingFirst } from './name.ts';

const UUID = '018f4e5a-7b6c-7d8e-9f00-112233445566';
const MADE_UP = '0190aaaa-bbbb-cccc-dddd-eeeeffff0000';

const cases: { properties: Record<string, unknown>; ids: string[]; chosen?: string[]; expected: string }[] = [
  { properties: { email: 'ada@example.com', name: 'Ada' }, ids: ['1'], expected: 'ada@example.com' },
  { properties: { name: 'Ada' }, ids: ['1'], expected: 'Ada' },
  { properties: { email: '', name: null }, ids: ['1'], expected: '1' },
  { properties: { email: {} }, ids: [MADE_UP, 'ada'], expected: 'ada' },
  { properties: {}, ids: [MADE_UP], expected: MADE_UP },
  { properties: {}, ids: [], expected: UUID },
  { properties: { company: 'Tenrec', email: 'a@b.c' }, ids: [], chosen: ['company'], expected: 'Tenrec' },
  { properties: {}, ids: [], chosen: ['constructor'], expected: UUID },
];

for (const { properties, ids, chosen, expected } of cases) {
  test(`${JSON.stringify(properties)} with ids ${JSON.stringify(ids)} is called ${expected}`, () => {
    assert.equal(personName({ uuid: UUID, properties, distinct_ids: ids }, chosen), expected);
  });
}

test('ids that somebody chose come first, otherwise in their order', () => {
  assert.deepEqual(tellingFirst(['b', MADE_UP, 'a']), ['b', 'a', MADE_UP]);
});
