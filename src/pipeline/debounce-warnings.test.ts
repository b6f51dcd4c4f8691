import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WarningDebouncer } from './debounce-warnings.ts';

const HOUR_MS = 3_600_000;
const warning = (type: string, key = 'e', team_id = 1) => ({ team_id, type, key, details: {} });

test('of a repeated warning one an hour is told, for each project, type and event', () => {
  const debouncer = new WarningDebouncer();
  const told = (at: number, ...warnings: ReturnType<typeof warning>[]) => debouncer.select(warnings, at).length;
  assert.equal(told(0, warning('duplicate_event'), warning('duplicate_event')), 1);
  assert.equal(told(HOUR_MS - 1, warning('duplicate_event')), 0);
  assert.equal(told(0, warning('duplicate_event', 'other'), warning('duplicate_event', 'e', 2)), 2);
  assert.equal(told(HOUR_MS, warning('duplicate_event')), 1);
});

test('of a warning about a merge every one is told', () => {
  const warnings = Array.from({ length: 3 }, () => warning('cannot_merge_already_identified'));
  assert.equal(new WarningDebouncer().select(warnings, 0).length, 3);
});
