import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { WaitingReaders } from './waiting-readers.ts';

const LONG_MS = 60_000;

test('only the readers whose record has come are woken', async () => {
  const readers = new WaitingReaders(() => [0, 0]);
  const woken: string[] = [];
  const waits = [
    readers.until(0, 4, LONG_MS).then(() => woken.push('partition 0 at 4')),
    readers.until(0, 5, LONG_MS).then(() => woken.push('partition 0 at 5')),
    readers.until(1, 0, LONG_MS).then(() => woken.push('partition 1 at 0')),
  ];
  readers.wake([5, 0]);
  await waits[0];
  assert.deepEqual(woken, ['partition 0 at 4']);

  readers.close();
  await Promise.all(waits);
});

test('records of other processes are found by looking', { timeout: 10_000 }, async () => {
  const next = [0];
  const readers = new WaitingReaders(() => next);
  const waiting = readers.until(0, 0, LONG_MS);
  next[0] = 1;
  await waiting;
  readers.close();
});

test('a reader that has waited leaves nothing behind on its signal', async () => {
  const readers = new WaitingReaders(() => [0]);
  const { signal } = new AbortController();
  const waiting = readers.until(0, 0, LONG_MS, signal);
  assert.equal(getEventListeners(signal, 'abort').length, 1);
  readers.wake([1]);
  await waiting;

  assert.equal(getEventListeners(signal, 'abort').length, 0);
});
