import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TailLine } from '../events/tail/tail.ts';
import { toText } from './events.ts';

const event = {
  kind: 'event',
  accepted_at: '2025-02-03T10:11:12.345Z',
  event: 'signed up',
  distinct_id: 'ada',
  uuid: '018f4e5a-7b6c-7d8e-9f00-112233445566',
  fate: 'stored',
  reason: null,
} as const;
const leftOut = {
  kind: 'left_out',
  accepted_at: '2025-02-03T10:11:12.345Z',
  reason: 'missing_event_name',
  count: 3,
  event: null,
  distinct_id: 'ada',
} as const;

const cases: [TailLine, string][] = [
  [event, '10:11:12.345  stored    signed up  by ada  018f4e5a-7b6c-7d8e-9f00-112233445566'],
  [
    { ...event, fate: 'dropped', reason: 'duplicate_event' },
    '10:11:12.345  dropped: duplicate_event  signed up  by ada  018f4e5a-7b6c-7d8e-9f00-112233445566',
  ],
  [leftOut, '10:11:12.345  dropped: missing_event_name  by ada  (3 events)'],
  [{ kind: 'passed_over', count: 12 }, '              … 12 more, too many to show'],
];

for (const [line, expected] of cases) {
  test(`a line of kind ${line.kind} reads: ${expected.trim()}`, () => assert.equal(toText(line), expected));
}

test('what a client sent cannot move the cursor of a terminal', () => {
  const text = toText({ ...event, event: 'red\u001b[31m', distinct_id: 'two\nlines' });
  assert.equal(text.includes('\u001b'), false);
  assert.equal(text.includes('\n'), false);
});
