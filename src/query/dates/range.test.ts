import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../http/errors.ts';
import type { Interval } from './interval.ts';
import { type DateRangeJson, listPoints, readDateRange, readPreviousRange } from './range.ts';
import { toDay, toIso, toLabel } from './text.ts';

/** Sunday, 30 March 2025, 15:30 in Berlin, the day on which its clocks go forward. */
const NOW = Date.UTC(2025, 2, 30, 13, 30);
const around = (timezone = 'UTC', weekStartDay: 0 | 1 = 0) => ({
  timezone,
  weekStartDay,
  now: NOW,
  earliest: async () => Date.UTC(2025, 0, 5, 10),
});

const shown = async (json: DateRangeJson | null, interval?: Interval, zone = 'UTC', week: 0 | 1 = 0) => {
  const { fromMicros, toMicros } = await readDateRange(json, around(zone, week), interval);
  return [toIso(fromMicros, zone), toIso(toMicros, zone)];
};

const ranges: [title: string, json: DateRangeJson | null, interval: Interval | undefined, from: string, to: string][] =
  [
    ['nothing said', null, 'day', '2025-03-23T00:00:00Z', '2025-03-31T00:00:00Z'],
    ['two weeks', { date_from: '-14d' }, 'day', '2025-03-16T00:00:00Z', '2025-03-31T00:00:00Z'],
    ['a day by hours', { date_from: '-24h' }, 'hour', '2025-03-29T13:00:00Z', '2025-03-30T14:00:00Z'],
    ['a day in days', { date_from: '-24h' }, 'day', '2025-03-29T00:00:00Z', '2025-03-31T00:00:00Z'],
    ['this month', { date_from: 'mStart' }, 'day', '2025-03-01T00:00:00Z', '2025-03-31T00:00:00Z'],
    [
      'the last month',
      { date_from: '-1mStart', date_to: '-1mEnd' },
      'day',
      '2025-02-01T00:00:00Z',
      '2025-03-01T00:00:00Z',
    ],
    ['yesterday', { date_from: '-1dStart', date_to: '-1dEnd' }, 'hour', '2025-03-29T00:00:00Z', '2025-03-30T00:00:00Z'],
    ['this year', { date_from: 'yStart' }, 'month', '2025-01-01T00:00:00Z', '2025-03-31T00:00:00Z'],
    ['a quarter is 13 weeks', { date_from: '-1q' }, 'day', '2024-12-29T00:00:00Z', '2025-03-31T00:00:00Z'],
    [
      'two dates',
      { date_from: '2025-03-01', date_to: '2025-3-2' },
      'day',
      '2025-03-01T00:00:00Z',
      '2025-03-03T00:00:00Z',
    ],
    [
      'two times by hours',
      { date_from: '2025-03-01T10:20:00', date_to: '2025-03-01T12:00:00' },
      'hour',
      '2025-03-01T10:00:00Z',
      '2025-03-01T12:00:00.000001Z',
    ],
    [
      'exactly these',
      { date_from: '2025-03-01T10:20:00', date_to: '2025-03-01T12:00:00', explicitDate: true },
      'day',
      '2025-03-01T10:20:00Z',
      '2025-03-01T12:00:00.000001Z',
    ],
    ['all there is', { date_from: 'all' }, 'day', '2025-01-05T00:00:00Z', '2025-03-31T00:00:00Z'],
    ['whole weeks', { date_from: '2025-03-12' }, 'week', '2025-03-09T00:00:00Z', '2025-03-31T00:00:00Z'],
    ['no interval', { date_from: '2025-03-12T10:00:00' }, undefined, '2025-03-12T10:00:00Z', '2025-03-31T00:00:00Z'],
  ];
for (const [title, json, interval, from, to] of ranges) {
  test(`${title} is ${from} to ${to}`, async () => assert.deepEqual(await shown(json, interval), [from, to]));
}

test('days begin where the project is, also when its clocks change', async () => {
  assert.deepEqual(await shown({ date_from: '-1d' }, 'day', 'Europe/Berlin'), [
    '2025-03-29T00:00:00+01:00',
    '2025-03-31T00:00:00+02:00',
  ]);
  const range = await readDateRange({ date_from: '2025-03-30' }, around('Europe/Berlin'), 'hour');
  const hours = listPoints(range, 'hour', around('Europe/Berlin'));
  // Now is 15:30 there; the hour from two to three never was.
  assert.deepEqual(
    hours.slice(0, 4).map((point) => toLabel(point, 'hour', 'Europe/Berlin')),
    ['30-Mar-2025 00:00', '30-Mar-2025 01:00', '30-Mar-2025 03:00', '30-Mar-2025 04:00'],
  );
  assert.equal(hours.length, 15);
});

test('weeks begin on the project’s day', async () => {
  const points = async (week: 0 | 1) => {
    const range = await readDateRange({ date_from: '2025-03-12', date_to: '2025-03-18' }, around('UTC', week), 'week');
    return listPoints(range, 'week', around('UTC', week)).map((point) => toDay(point, 'week', 'UTC'));
  };
  assert.deepEqual(await points(0), ['2025-03-09', '2025-03-16']);
  assert.deepEqual(await points(1), ['2025-03-10', '2025-03-17']);
});

test('the range before is as long, or so long ago', async () => {
  const zone = around('Europe/Berlin');
  const range = await readDateRange({ date_from: '2025-03-28', date_to: '2025-03-31' }, zone, 'day');
  const before = readPreviousRange(range, 'day', zone);
  assert.deepEqual(
    [toIso(before.fromMicros, zone.timezone), before.toMicros],
    ['2025-03-24T00:00:00+01:00', range.fromMicros],
  );
  const aWeekAgo = readPreviousRange(range, 'day', zone, '-1w');
  assert.equal(toIso(aWeekAgo.fromMicros, zone.timezone), '2025-03-21T00:00:00+01:00');
  assert.equal(toIso(aWeekAgo.toMicros, zone.timezone), '2025-03-25T00:00:00+01:00');
});

for (const json of [
  { date_from: 'yesterday' },
  { date_from: '2025-02-30' },
  { date_from: '2025-03-05', date_to: '2025-03-01' },
]) {
  test(`${JSON.stringify(json)} is refused`, async () => {
    await assert.rejects(
      readDateRange(json, around(), 'day'),
      (error) => error instanceof ApiError && error.status === 400,
    );
  });
}

test('a chart of too many points is refused', async () => {
  const range = await readDateRange({ date_from: '-1y' }, around(), 'minute');
  assert.throws(() => listPoints(range, 'minute', around()), /more than 20000 points/);
});
