import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countSlips, findNearest } from './nearest.ts';

const slips = [
  ['start', 'start', 0],
  ['strat', 'start', 1],
  ['sart', 'start', 1],
  ['startt', 'start', 1],
  ['stort', 'start', 1],
  ['', 'key', 3],
  ['doctor', 'config', 5],
] as const;

for (const [from, to, expected] of slips) {
  test(`${expected} slips lead from "${from}" to "${to}", and back`, () => {
    assert.equal(countSlips(from, to), expected);
    assert.equal(countSlips(to, from), expected);
  });
}

const words = ['start', 'migrate', 'doctor', 'user', 'project', 'key', 'config'];
const meant = [
  ['strat', 'start'],
  ['migrat', 'migrate'],
  ['migrations', undefined],
  ['proj', 'project'],
  ['usr', 'user'],
  ['kez', 'key'],
  ['k', undefined],
  ['frobnicate', undefined],
] as const;

for (const [typed, expected] of meant) {
  test(`"${typed}" probably means ${expected ?? 'none of the commands'}`, () => {
    assert.equal(findNearest(typed, words), expected);
  });
}
