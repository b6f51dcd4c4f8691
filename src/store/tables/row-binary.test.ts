import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RowBinaryWriter } from './row-binary.ts';

const written = (write: (writer: RowBinaryWriter) => void): string => {
  const writer = new RowBinaryWriter();
  write(writer);
  return writer.takeChunk().toString('hex');
};

test('whole numbers are written with their lowest byte first', () => {
  assert.equal(
    written((writer) => writer.int64(1)),
    '0100000000000000',
  );
  assert.equal(
    written((writer) => writer.int64(-1)),
    'ffffffffffffffff',
  );
  assert.equal(
    written((writer) => writer.int64(Number.MAX_SAFE_INTEGER)),
    'ffffffffffff1f00',
  );
  assert.equal(
    written((writer) => writer.int64(-(2 ** 32))),
    '00000000ffffffff',
  );
  assert.equal(
    written((writer) => writer.uint32(2 ** 32 - 2)),
    'feffffff',
  );
});

test('the halves of a UUID are written with their last byte first', () => {
  const uuid = '00112233-4455-6677-8899-aAbBcCdDeEfF';
  assert.equal(
    written((writer) => writer.uuid(uuid)),
    '7766554433221100ffeeddccbbaa9988',
  );
});

test('what is not a UUID is refused', () => {
  for (const wrong of [
    '',
    'x',
    '00112233-4455-6677-8899-aabbccddeefg',
    '00112233-4455-6677-8899-aabbccddee\u00e9\u00e9',
  ]) {
    assert.throws(() => new RowBinaryWriter().uuid(wrong), TypeError);
  }
});

test('a text of any length and alphabet is written with its length in bytes', () => {
  for (const text of ['', 'a', 'é'.repeat(42), 'x'.repeat(127), '日本'.repeat(5_000), '😀'.repeat(200_000)]) {
    const bytes = Buffer.from(
      written((writer) => writer.text(text)),
      'hex',
    );
    assert.deepEqual(readText(bytes), text);
    const same = Buffer.from(
      written((writer) => writer.text(Buffer.from(text))),
      'hex',
    );
    assert.deepEqual(readText(same), text);
  }
});

function readText(bytes: Buffer): string {
  let length = 0;
  let at = 0;
  for (let more = true; more; at += 1) {
    length += (bytes[at]! & 0x7f) * 2 ** (7 * at);
    more = bytes[at]! >= 0x80;
  }
  assert.equal(bytes.length, at + length);
  return bytes.toString('utf8', at);
}
