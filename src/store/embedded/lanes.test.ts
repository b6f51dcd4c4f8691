import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lanes } from './lanes.ts';

const never = new AbortController().signal;
const limits = { lanesMax: 2, waitingMax: 1, waitMs: 10_000 };

/** Lanes named 1, 2, …, and a way to hold one until told otherwise. */
function openLanes(over: Partial<typeof limits> = {}) {
  let opened = 0;
  const lanes = new Lanes({ ...limits, ...over }, () => {
    opened += 1;
    return opened;
  });
  const hold = (signal: AbortSignal = never) => {
    const gate = Promise.withResolvers<void>();
    const done = lanes.use(signal, async (lane) => {
      await gate.promise;
      return lane;
    });
    return { release: gate.resolve, done };
  };
  return { lanes, hold, opened: () => opened };
}

test('lanes are opened only when needed and used again', async () => {
  const { lanes, opened } = openLanes();
  await lanes.use(never, async () => {});
  await lanes.use(never, async () => {});
  assert.equal(opened(), 1);
});

test('who finds all lanes taken gets the next one that is free', async () => {
  const { hold, opened } = openLanes();
  const [first, second, third] = [hold(), hold(), hold()];
  second.release();
  assert.equal(await second.done, 2);
  third.release();
  assert.equal(await third.done, 2);
  first.release();
  assert.equal(await first.done, 1);
  assert.equal(opened(), 2);
});

test('a full queue refuses at once, in ClickHouse’s words', async () => {
  const { hold } = openLanes();
  const taken = [hold(), hold(), hold()];
  await assert.rejects(hold().done, /^Error: Code: 202\. .*\(TOO_MANY_SIMULTANEOUS_QUERIES\)$/);
  for (const { release } of taken) release();
  await Promise.all(taken.map(({ done }) => done));
});

test('waiting ends after its time, and the place in the queue is free again', async () => {
  const { hold } = openLanes({ lanesMax: 1, waitMs: 5 });
  const first = hold();
  await assert.rejects(hold().done, /none ended within 5 ms/);
  const next = hold();
  first.release();
  next.release();
  assert.equal(await next.done, 1);
});

test('who leaves while waiting takes no lane', async () => {
  const { hold } = openLanes({ lanesMax: 1 });
  const first = hold();
  const leaving = new AbortController();
  const left = hold(leaving.signal);
  leaving.abort(new Error('left'));
  await assert.rejects(left.done, /left/);
  const next = hold();
  first.release();
  next.release();
  assert.equal(await next.done, 1);
});

test('a failing task gives its lane back', async () => {
  const { lanes, opened } = openLanes({ lanesMax: 1 });
  await assert.rejects(
    lanes.use(never, async () => {
      throw new Error('failed');
    }),
    /failed/,
  );
  assert.equal(await lanes.use(never, async (lane) => lane), 1);
  assert.equal(opened(), 1);
});
