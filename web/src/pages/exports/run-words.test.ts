import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run, RunStatus } from '../../api/use-export-runs.ts';
import { adviceFor, durationText, shareOf } from './run-words.ts';

const cases: { status: RunStatus; latest_error: string | null; says: RegExp | undefined }[] = [
  { status: 'Completed', latest_error: null, says: undefined },
  { status: 'Failed', latest_error: 'NoSuchBucket: The bucket does not exist', says: /Make what is missing/ },
  { status: 'Failed', latest_error: 'InsufficientPrivilege: permission denied', says: /rights/ },
  { status: 'Failed', latest_error: 'NoCredentials: No credentials were given', says: /credentials/ },
  { status: 'Failed', latest_error: 'PrivateNetworkError: exports may not connect', says: /allowed/ },
  { status: 'Failed', latest_error: 'Something: else', says: /what the message says/ },
  { status: 'FailedRetryable', latest_error: 'Timeout: slow', says: /well again/ },
];

for (const { status, latest_error, says } of cases) {
  test(`${status}, ${latest_error ?? 'no error'}: ${says?.source ?? 'no advice'}`, () => {
    const advice = adviceFor({ status, latest_error });
    if (says) assert.match(advice ?? '', says);
    else assert.equal(advice, undefined);
  });
}

test('progress is a share of the rows, where their number is known', () => {
  const run = (change: Partial<Run>) => ({ status: 'Running', records_completed: 30, ...change }) as Run;
  assert.equal(shareOf(run({ records_total_count: 120 })), 0.25);
  assert.equal(shareOf(run({ records_total_count: null })), undefined);
});

test('how long a run took is told in the two largest units', () => {
  const start = '2025-01-01T00:00:00Z';
  assert.equal(durationText(start, '2025-01-01T00:00:09Z', 0), '9 s');
  assert.equal(durationText(start, '2025-01-01T00:03:20Z', 0), '3 min 20 s');
  assert.equal(durationText(start, null, Date.parse('2025-01-01T05:01:00Z')), '5 h 1 min');
});
