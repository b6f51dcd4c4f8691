import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeSegment, encodeSegment, measureSegment, readHead, recordBytes, splitIntoRuns } from './segment.ts';

const placed = (partition: number, text: string) => ({ partition, value: Buffer.from(text) });
const values = [placed(1, 'one'), placed(0, ''), placed(1, 'three'), placed(1, '\u0000')];

test('a segment gives back each partition its records, byte for byte, with their positions and time', () => {
  const appendedAt = 1234.5;
  const { records } = decodeSegment(encodeSegment(values, [40, 50, 60], appendedAt));

  assert.deepEqual(records, [
    [{ position: 40, appendedAt, value: Buffer.from('') }],
    [
      { position: 50, appendedAt, value: Buffer.from('one') },
      { position: 51, appendedAt, value: Buffer.from('three') },
      { position: 52, appendedAt, value: Buffer.from('\u0000') },
    ],
    [],
  ]);
});

test('a segment knows where every partition stood, also those it has no record of', () => {
  const segment = encodeSegment(values, [40, 50, 2 ** 53 - 1], 1234.5);

  assert.deepEqual(readHead(segment), { appendedAt: 1234.5, bases: [40, 50, 2 ** 53 - 1] });
});

test('what each partition takes of a segment is known without its records', () => {
  const segment = encodeSegment(values, [40, 50, 60], 0);

  const { records, recordsBytes, bytes } = measureSegment(segment);

  const lengths = decodeSegment(segment).records.map((found) => found.map(({ value }) => recordBytes(value)));
  assert.deepEqual(
    records,
    lengths.map((each) => each.length),
  );
  assert.deepEqual(
    recordsBytes,
    lengths.map((each) => each.reduce((sum, one) => sum + one, 0)),
  );
  assert.equal(bytes, segment.length);
});

test('a segment of another form is refused, not misread', () => {
  const segment = encodeSegment(values, [0, 0], 0);
  segment[0] = 9;

  assert.throws(() => decodeSegment(segment), /form 9; this version reads form 1/);
});

test('runs stay below their size, keep the order, and a large value stands alone', () => {
  const sizes = [10, 10, 90, 10, 500, 10];
  const runs = splitIntoRuns(
    sizes.map((size) => ({ partition: 0, value: Buffer.alloc(size) })),
    100,
  );

  assert.deepEqual(
    [...runs].map((run) => run.map(({ value }) => value.length)),
    [[10, 10], [90], [10], [500], [10]],
  );
  assert.deepEqual([...splitIntoRuns([], 100)], []);
});
