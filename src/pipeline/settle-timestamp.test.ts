import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTimestamp } from './parse-timestamp.ts';
import { settleTimestamp, type TimeFacts } from './settle-timestamp.ts';

const NOW = '2025-07-01T12:00:00.000Z';

const cases: { name: string; facts: Partial<TimeFacts>; at: string; warning?: string }[] = [
  { name: 'nothing is known', facts: {}, at: '2025-07-01 12:00:00.000000' },
  {
    name: 'only when it happened',
    facts: { timestamp: '2025-07-01T11:00:00.123456Z' },
    at: '2025-07-01 11:00:00.123456',
  },
  {
    name: 'a clock two hours ahead',
    facts: { timestamp: '2025-07-01T13:59:50Z', sent_at: '2025-07-01T14:00:00Z' },
    at: '2025-07-01 11:59:50.000000',
  },
  {
    name: 'a clock years behind',
    facts: { timestamp: '2001-01-01T00:00:00Z', sent_at: '2001-01-01T00:00:30.000001Z' },
    at: '2025-07-01 11:59:29.999999',
  },
  {
    name: 'a client that asks not to be corrected',
    facts: { timestamp: '2025-06-01T00:00:00Z', sent_at: '2025-07-01T14:00:00Z', ignore_sent_at: true },
    at: '2025-06-01 00:00:00.000000',
  },
  {
    name: 'a time of sending that makes no sense',
    facts: { timestamp: '2025-07-01T11:00:00Z', sent_at: 'soon' },
    at: '2025-07-01 11:00:00.000000',
  },
  { name: 'an offset', facts: { offset: 1_500 }, at: '2025-07-01 11:59:58.500000' },
  {
    name: 'an offset of nothing',
    facts: { offset: 0, timestamp: '2025-01-01T00:00:00Z' },
    at: '2025-07-01 12:00:00.000000',
  },
  {
    name: 'an offset, which wins over everything else',
    facts: { offset: 1_000, timestamp: '2025-01-01T00:00:00Z', sent_at: '2025-02-01T00:00:00Z' },
    at: '2025-07-01 11:59:59.000000',
  },
  { name: '23 hours ahead', facts: { timestamp: '2025-07-02T11:00:00Z' }, at: '2025-07-02 11:00:00.000000' },
  {
    name: 'more than 23 hours ahead',
    facts: { timestamp: '2025-07-02T11:00:00.000001Z' },
    at: '2025-07-01 12:00:00.000000',
    warning: 'event_timestamp_in_future',
  },
  {
    name: 'an offset into the future',
    facts: { offset: -1e9 },
    at: '2025-07-01 12:00:00.000000',
    warning: 'event_timestamp_in_future',
  },
  {
    name: 'no timestamp',
    facts: { timestamp: 'yesterday' },
    at: '2025-07-01 12:00:00.000000',
    warning: 'ignored_invalid_timestamp',
  },
  { name: 'a time long ago', facts: { timestamp: '1901-02-03' }, at: '1901-02-03 00:00:00.000000' },
  {
    name: 'an offset beyond all years',
    facts: { offset: 1e18 },
    at: '1970-01-01 00:00:00.000000',
    warning: 'ignored_invalid_timestamp',
  },
  {
    name: 'an infinite offset',
    facts: { offset: Number.POSITIVE_INFINITY },
    at: '1970-01-01 00:00:00.000000',
    warning: 'ignored_invalid_timestamp',
  },
];
for (const { name, facts, at, warning } of cases) {
  test(`${name}: ${at}`, () => {
    const settled = settleTimestamp({
      now: Date.parse(NOW),
      sent_at: undefined,
      timestamp: undefined,
      offset: undefined,
      ignore_sent_at: false,
      ...facts,
    });
    assert.equal(formatTimestamp(settled.timestamp), at);
    assert.equal(settled.warning?.type, warning);
  });
}
