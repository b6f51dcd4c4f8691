import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireChangeAllowed } from './change-level.ts';

type Level = 1 | 8 | 15;
const OWN_LEVEL = "You can't change your own access level.";
const ABOVE = 'You can only edit others with level lower or equal to you.';
const OWNERSHIP = "You can only pass on organization ownership if you're its owner.";

const cases: [own: Level, self: boolean, from: Level, to: Level, refusal: string | null][] = [
  [8, false, 1, 8, null],
  [8, false, 8, 1, null],
  [8, false, 15, 1, ABOVE],
  [8, false, 1, 15, OWNERSHIP],
  [8, true, 8, 1, OWN_LEVEL],
  [15, true, 15, 8, OWN_LEVEL],
  [15, false, 1, 8, null],
  [15, false, 8, 1, null],
  [15, false, 8, 15, null],
];

for (const [own, self, from, to, refusal] of cases) {
  test(`level ${own} sets ${self ? 'themselves' : 'another'} from ${from} to ${to}: ${refusal ?? 'allowed'}`, () => {
    const change = () => requireChangeAllowed({ own, self, from, to });
    if (refusal) assert.throws(change, { status: 403, message: refusal });
    else change();
  });
}
