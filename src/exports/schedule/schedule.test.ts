import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  boundaryAfter,
  boundaryAtOrBefore,
  boundaryBefore,
  countIntervals,
  intervalMs,
  nextInterval,
  nextRunAfter,
  type Schedule,
} from './schedule.ts';

const at = (text: string) => Date.parse(text);
const shown = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
const schedule = (interval: string, more: Partial<Schedule> = {}): Schedule => ({
  interval,
  timezone: 'UTC',
  offset_day: null,
  offset_hour: null,
  ...more,
});
const HOUR_MS = 3_600_000;

const boundaries: [title: string, Schedule, moment: string, before: string, after: string][] = [
  ['an hour', schedule('hour'), '2025-03-04T09:12:33Z', '2025-03-04T09:00:00Z', '2025-03-04T10:00:00Z'],
  ['an hour at its boundary', schedule('hour'), '2025-03-04T09:00:00Z', '2025-03-04T09:00:00Z', '2025-03-04T10:00:00Z'],
  ['a day', schedule('day'), '2025-03-04T09:12:33Z', '2025-03-04T00:00:00Z', '2025-03-05T00:00:00Z'],
  [
    'a week begins on a Thursday',
    schedule('week'),
    '2025-03-04T09:12:33Z',
    '2025-02-27T00:00:00Z',
    '2025-03-06T00:00:00Z',
  ],
  [
    'a week with a day of its own',
    schedule('week', { offset_day: 1 }),
    '2025-03-04T09:12:33Z',
    '2025-03-03T00:00:00Z',
    '2025-03-10T00:00:00Z',
  ],
  [
    'a week of a zone begins on Sunday',
    schedule('week', { timezone: 'Europe/Berlin' }),
    '2025-03-04T09:12:33Z',
    '2025-03-01T23:00:00Z',
    '2025-03-08T23:00:00Z',
  ],
  ['five minutes', schedule('every 5 minutes'), '2025-03-04T09:12:33Z', '2025-03-04T09:10:00Z', '2025-03-04T09:15:00Z'],
  ['ten seconds', schedule('every 10 seconds'), '2025-03-04T09:12:33Z', '2025-03-04T09:12:30Z', '2025-03-04T09:12:40Z'],
  [
    'an hour knows no zone',
    schedule('hour', { timezone: 'Asia/Kolkata' }),
    '2025-03-04T09:12:33Z',
    '2025-03-04T09:00:00Z',
    '2025-03-04T10:00:00Z',
  ],
  [
    'a day of New York at six',
    schedule('day', { timezone: 'America/New_York', offset_hour: 6 }),
    '2025-03-04T09:12:33Z',
    '2025-03-03T11:00:00Z',
    '2025-03-04T11:00:00Z',
  ],
  [
    'the day on which Berlin loses an hour',
    schedule('day', { timezone: 'Europe/Berlin' }),
    '2025-03-30T12:00:00Z',
    '2025-03-29T23:00:00Z',
    '2025-03-30T22:00:00Z',
  ],
  [
    'the day on which Berlin gets it back',
    schedule('day', { timezone: 'Europe/Berlin' }),
    '2025-10-26T12:00:00Z',
    '2025-10-25T22:00:00Z',
    '2025-10-26T23:00:00Z',
  ],
  [
    'a boundary at an hour that is skipped',
    schedule('day', { timezone: 'Europe/Berlin', offset_hour: 2 }),
    '2025-03-30T12:00:00Z',
    '2025-03-30T01:00:00Z',
    '2025-03-31T00:00:00Z',
  ],
  [
    'a boundary at an hour that comes twice',
    schedule('day', { timezone: 'Europe/Berlin', offset_hour: 2 }),
    '2025-10-26T12:00:00Z',
    '2025-10-26T00:00:00Z',
    '2025-10-27T01:00:00Z',
  ],
  [
    'a midnight that is skipped',
    schedule('day', { timezone: 'America/Santiago' }),
    '2025-09-07T12:00:00Z',
    '2025-09-07T04:00:00Z',
    '2025-09-08T03:00:00Z',
  ],
];

for (const [title, given, moment, before, after] of boundaries) {
  test(`${title}: boundaries around ${moment}`, () => {
    assert.equal(shown(boundaryAtOrBefore(given, at(moment))), before);
    assert.equal(shown(boundaryAfter(given, at(moment))), after);
  });
}

const zones = ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Santiago'];

for (const timezone of zones) {
  test(`a year of days and weeks in ${timezone} has neither gaps nor overlaps`, () => {
    for (const given of [
      schedule('day', { timezone }),
      schedule('day', { timezone, offset_hour: 2 }),
      schedule('week', { timezone, offset_day: 3, offset_hour: 23 }),
    ]) {
      const [begun, over] = [boundaryAtOrBefore(given, at('2025-01-05T13:00:00Z')), at('2026-01-05T13:00:00Z')];
      let count = 0;
      let start = begun;
      for (let end = boundaryAfter(given, start); end <= over; end = boundaryAfter(given, start)) {
        assert.ok(Math.abs(end - start - (intervalMs(given.interval) ?? 0)) <= HOUR_MS, shown(start));
        assert.equal(boundaryAtOrBefore(given, start), start, shown(start));
        assert.equal(boundaryBefore(given, end), start, shown(end));
        assert.equal(boundaryAfter(given, end - 1), end, shown(end));
        start = end;
        count += 1;
      }
      assert.equal(count, given.interval === 'day' ? 365 : 52);
      assert.equal(countIntervals(given, begun, over), count);
    }
  });
}

test('a year of hours and minutes is counted from 1970', () => {
  for (const interval of ['hour', 'every 5 minutes', 'every 15 minutes']) {
    const length = intervalMs(interval) ?? 0;
    for (let ms = at('2025-01-01T00:00:00Z'); ms < at('2026-01-01T00:00:00Z'); ms += length) {
      if (boundaryBefore(schedule(interval), ms) !== ms - length) assert.fail(shown(ms));
    }
  }
});

const intervals: [string, number | undefined][] = [
  ['hour', HOUR_MS],
  ['day', 24 * HOUR_MS],
  ['week', 168 * HOUR_MS],
  ['every 5 minutes', 300_000],
  ['every 15 minutes', 900_000],
  ['every 1 seconds', 1_000],
  ['minute', undefined],
  ['every 0 minutes', undefined],
  ['every 1.5 minutes', undefined],
  ['every 5 minutes ', undefined],
  ['constructor', undefined],
];

for (const [text, expected] of intervals) {
  test(`"${text}" is ${expected === undefined ? 'no interval' : `${expected} ms`}`, () => {
    assert.equal(intervalMs(text), expected);
  });
}

test('no run is scheduled before the start or after the end of an export', () => {
  const hourly = schedule('hour');
  const bounds = { startAtMs: at('2025-03-04T10:00:00Z'), endAtMs: at('2025-03-04T12:00:00Z') };
  const next = (moment: string) => nextRunAfter(hourly, bounds, at(moment));
  assert.equal(next('2025-03-01T00:00:00Z'), at('2025-03-04T10:00:00Z'));
  assert.equal(next('2025-03-04T10:00:00Z'), at('2025-03-04T11:00:00Z'));
  assert.equal(next('2025-03-04T11:59:59Z'), at('2025-03-04T12:00:00Z'));
  assert.equal(next('2025-03-04T12:00:00Z'), null);
  assert.equal(nextRunAfter(hourly, { startAtMs: null, endAtMs: null }, 0), HOUR_MS);
});

test('a backfill is made of whole intervals, from the one its start lies in', () => {
  const hourly = schedule('hour');
  const listed = (from: string, until: string) => {
    const found: string[] = [];
    let next = nextInterval(hourly, at(from), at(until));
    while (next) {
      found.push(`${shown(next.start).slice(11, 16)}-${shown(next.end).slice(11, 16)}`);
      next = nextInterval(hourly, next.end, at(until));
    }
    assert.equal(countIntervals(hourly, at(from), at(until)), found.length);
    return found;
  };
  assert.deepEqual(listed('2025-03-04T10:00:00Z', '2025-03-04T12:20:00Z'), ['10:00-11:00', '11:00-12:00']);
  assert.deepEqual(listed('2025-03-04T10:30:00Z', '2025-03-04T12:00:00Z'), ['10:00-11:00', '11:00-12:00']);
  assert.deepEqual(listed('2025-03-04T10:10:00Z', '2025-03-04T10:50:00Z'), []);
});
