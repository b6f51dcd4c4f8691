import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Throttle } from './throttle.ts';

function throttleAt(start: number) {
  const clock = { now: start };
  return { clock, throttle: new Throttle(() => clock.now) };
}

test('the 481st request of a minute is refused and told how long to wait', () => {
  const { clock, throttle } = throttleAt(0);
  for (let n = 0; n < 480; n += 1) {
    throttle.pass('key', 'default');
    clock.now += 100;
  }
  assert.throws(() => throttle.pass('key', 'default'), {
    status: 429,
    message: 'Request was throttled. Expected available in 12 seconds.',
    headers: { 'retry-after': '12' },
  });
});

test('one second is singular', () => {
  const { clock, throttle } = throttleAt(0);
  for (let n = 0; n < 480; n += 1) throttle.pass('key', 'default');
  clock.now = 59_500;
  assert.throws(() => throttle.pass('key', 'default'), /available in 1 second\.$/);
});

test('a refused request does not count', () => {
  const { clock, throttle } = throttleAt(0);
  for (let n = 0; n < 480; n += 1) throttle.pass('key', 'default');
  for (let n = 0; n < 1000; n += 1) assert.throws(() => throttle.pass('key', 'default'));
  clock.now = 60_000;
  throttle.pass('key', 'default');
});

test('with two limits the longer wait is told', () => {
  const { clock, throttle } = throttleAt(0);
  for (let n = 0; n < 4800; n += 1) {
    throttle.pass('key', 'default');
    clock.now += 125;
  }
  assert.throws(() => throttle.pass('key', 'default'), { headers: { 'retry-after': '3000' } });
});

test('callers and classes are counted apart', () => {
  const { throttle } = throttleAt(0);
  for (let n = 0; n < 480; n += 1) throttle.pass('a', 'default');
  throttle.pass('b', 'default');
  throttle.pass('a', 'query');
});
