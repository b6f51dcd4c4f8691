import assert from 'node:assert/strict';
import { test } from 'node:test';
import { murmur2, partitionOf } from './partition.ts';

// The values Apache Kafka's own test of its `murmur2` expects.
const hashes: [key: string, hash: number][] = [
  ['21', -973932308],
  ['foobar', -790332482],
  ['a-little-bit-long-string', -985981536],
  ['a-little-bit-longer-string', -1486304829],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
  ['abc', 479470107],
];

for (const [key, hash] of hashes) {
  test(`murmur2 of ${key} is what Kafka computes`, () => {
    assert.equal(murmur2(Buffer.from(key)), hash);
  });
}

test('a key has one partition, within bounds, whatever its characters', () => {
  for (const key of ['', '1:user', '1:Zoë', '2:\u{1f994}', `3:${'x'.repeat(400)}`]) {
    const partition = partitionOf(key, 16);
    assert.ok(partition >= 0 && partition < 16);
    assert.equal(partitionOf(key, 16), partition);
  }
});

test('the persons of a project spread over all partitions', () => {
  const sizes = new Array<number>(16).fill(0);
  for (let person = 0; person < 16_000; person += 1) sizes[partitionOf(`1:person-${person}`, 16)]! += 1;
  assert.ok(Math.min(...sizes) > 800 && Math.max(...sizes) < 1200, sizes.join(' '));
});
