import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inOrderOfArrival } from './read-batch.ts';
import type { BatchItem } from './settle-batch.ts';

const at = (partition: number, position: number, now: number) =>
  ({ partition, position, record: { now } }) as unknown as BatchItem;

test('records of several partitions come by arrival, those of one as the log has them', () => {
  const ordered = inOrderOfArrival([
    [at(0, 7, 100), at(0, 8, 90), at(0, 9, 130)],
    [],
    [at(2, 1, 95), at(2, 2, 100), at(2, 3, 120)],
  ]);

  assert.deepEqual(
    ordered.map(({ partition, position }) => `${partition}:${position}`),
    ['2:1', '0:7', '0:8', '2:2', '2:3', '0:9'],
  );
});
