import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUuidV7, parseUuid } from './uuid.ts';

const USUAL = '01823e89-f75d-0000-0d4d-3d43e54f6de5';
const cases = [
  { text: USUAL, uuid: USUAL },
  { text: USUAL.toUpperCase(), uuid: USUAL },
  { text: USUAL.replaceAll('-', ''), uuid: USUAL },
  { text: `{${USUAL}}`, uuid: USUAL },
  { text: `urn:uuid:${USUAL}`, uuid: USUAL },
  { text: '00000000-0000-0000-0000-000000000000', uuid: '00000000-0000-0000-0000-000000000000' },
  { text: `${USUAL}0`, uuid: undefined },
  { text: USUAL.slice(1), uuid: undefined },
  { text: 'event-1', uuid: undefined },
  { text: ' ', uuid: undefined },
];
for (const { text, uuid } of cases) {
  test(`${text} is ${uuid ? 'a UUID' : 'no UUID'}`, () => assert.equal(parseUuid(text), uuid));
}

test('a new id is of version 7, tells its time, and is never made twice', () => {
  const nowMs = 1_700_000_000_123;
  const made = new Set(Array.from({ length: 5_000 }, () => makeUuidV7(nowMs)));
  assert.equal(made.size, 5_000);
  for (const uuid of made) {
    assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16), nowMs);
  }
});
