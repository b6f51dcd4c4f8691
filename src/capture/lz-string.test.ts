import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compressLzBase64 } from '../../test/reference/lz-compress.ts';
import { seededRandom } from '../../test/reference/random.ts';
import { decompressLzBase64, LzDamaged, LzTooLong } from './lz-string.ts';

const unpack = (packed: string, unitsMax = 10_000) => decompressLzBase64(Buffer.from(packed), unitsMax);

/** Published outputs of the original compressor. */
const published = [
  { packed: 'BIUwNmD2A0AEDukBOYAmBCIA', text: 'Hello, world!' },
  { packed: 'BYUwNmD2AEDukCcwBMg=', text: 'hello world' },
  { packed: 'M4ewrgTgxgpgBMALhAlgOwOZAAA=', text: 'source string' },
];
for (const { packed, text } of published) {
  test(`${packed} unpacks to ${text}`, () => {
    assert.equal(unpack(packed), text);
    assert.equal(unpack(packed.replaceAll('=', '')), text);
  });
}

test('texts of every kind come back', () => {
  const random = seededRandom(1);
  const texts = ['', 'a', 'a'.repeat(5_000), 'ab'.repeat(999), '\u{1f994} Igelchen', '\ud800 alone', '\0\u00ff\u0100'];
  for (let round = 0; round < 200; round += 1) {
    const units = Array.from({ length: random.below(400) }, () => random.below(random.pick([3, 300, 65_536])));
    texts.push(String.fromCharCode(...units));
  }
  for (const text of texts) assert.equal(unpack(compressLzBase64(text)), text);
});

test('damaged and cut texts are refused', () => {
  const packed = compressLzBase64('{"event":"x"}');
  for (const damaged of ['', '!', packed.slice(0, 8), `${packed.slice(0, 4)}*${packed.slice(5)}`, '////////']) {
    assert.throws(() => unpack(damaged), LzDamaged, damaged);
  }
});

test('unpacking stops at the limit, however little was packed', () => {
  const packed = compressLzBase64('a'.repeat(100_000));
  assert.ok(packed.length < 1_200);
  assert.throws(() => unpack(packed, 99_999), LzTooLong);
  assert.equal(unpack(packed, 100_000).length, 100_000);
});
