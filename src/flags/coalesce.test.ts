import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coalesce } from './coalesce.ts';

test('questions of one turn are asked together, and everybody gets their own answer', async () => {
  const asked: number[][] = [];
  const double = coalesce<number, number>(
    async (numbers) => {
      asked.push(numbers);
      return numbers.map((number) => number * 2);
    },
    { runningMax: 2, questionsMax: 3 },
  );
  assert.deepEqual(await Promise.all([1, 2, 3, 4].map(double)), [2, 4, 6, 8]);
  assert.deepEqual(asked, [[1, 2, 3], [4]]);
});

test('while enough is under way questions gather, and go when there is room', async () => {
  const asked: number[][] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const echo = coalesce<number, number>(
    async (numbers) => {
      asked.push(numbers);
      await gate;
      return numbers;
    },
    { runningMax: 1, questionsMax: 10 },
  );
  const first = echo(1);
  await new Promise((resolve) => setImmediate(resolve));
  const others = [echo(2), echo(3)];
  open();
  assert.deepEqual(await Promise.all([first, ...others]), [1, 2, 3]);
  assert.deepEqual(asked, [[1], [2, 3]]);
});

test('a failure reaches all who asked, and the next question is asked anew', async () => {
  let fails = true;
  const echo = coalesce<number, number>(
    async (numbers) => {
      if (fails) throw new Error('down');
      return numbers;
    },
    { runningMax: 1, questionsMax: 10 },
  );
  const results = await Promise.allSettled([echo(1), echo(2)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  fails = false;
  assert.equal(await echo(3), 3);
});
