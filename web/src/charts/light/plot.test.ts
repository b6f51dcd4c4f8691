import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InsightQuery } from '../../query/nodes.ts';
import type { TrendItem } from '../../query/results.ts';
import { areaPath, barPath, dotPath, linePath } from './paths.ts';
import { lifecyclePlot, trendPlot } from './plot.ts';

const days = ['2026-03-01', '2026-03-02'];
const item = (label: string, data: number[], more: Partial<TrendItem> = {}): TrendItem => ({
  label,
  count: 0,
  data,
  days,
  ...more,
});
const trends = (display: NonNullable<InsightQuery['trendsFilter']>['display']): InsightQuery => ({
  kind: 'TrendsQuery',
  trendsFilter: { display },
});

test('lines stand by themselves, and their days are written as the reader writes them', () => {
  const plot = trendPlot([item('a', [1, 2]), item('a', [3, 4])], trends('ActionsLineGraph'), 'de');
  assert.deepEqual(plot?.points, ['1. März', '2. März']);
  assert.deepEqual(
    plot?.series.map(({ name, tops, bases }) => ({ name, tops, bases })),
    [
      { name: 'a', tops: [1, 2], bases: [0, 0] },
      { name: 'a (2)', tops: [3, 4], bases: [0, 0] },
    ],
  );
});

test('stacked bars stand on each other, the time before in a stack of its own', () => {
  const before = item('a', [5, 5], { compare_label: 'previous' });
  const plot = trendPlot([item('a', [1, 2]), item('b', [3, 4]), before], trends('ActionsBar'));
  assert.deepEqual(
    plot?.series.map(({ tops, bases, place, isFaded }) => ({ tops, bases, place, isFaded })),
    [
      { tops: [1, 2], bases: [0, 0], place: [0, 2], isFaded: false },
      { tops: [4, 6], bases: [1, 2], place: [0, 2], isFaded: false },
      { tops: [5, 5], bases: [0, 0], place: [1, 2], isFaded: true },
    ],
  );
  // The colour of the series that it is compared with.
  assert.equal(plot?.series[2]?.color, plot?.series[0]?.color);
});

test('those who are gone hang below the line', () => {
  const plot = lifecyclePlot([item('', [3, 0], { status: 'new' }), item('', [-2, -1], { status: 'dormant' })]);
  assert.deepEqual(plot.series[1]?.tops, [-2, -1]);
  assert.deepEqual(plot.series[1]?.bases, [0, 0]);
  assert.equal(plot.ticks[0]?.value, -2);
});

test('what only the chart library can draw is left to it', () => {
  assert.equal(trendPlot([item('a', [1, 2])], trends('ActionsPie')), undefined);
  const log: InsightQuery = { kind: 'TrendsQuery', trendsFilter: { yAxisScaleType: 'log10' } };
  assert.equal(trendPlot([item('a', [1, 2])], log), undefined);
});

test('marks are where their values are, from above', () => {
  const plot = trendPlot([item('a', [0, 4])], trends('ActionsLineGraph'));
  assert.ok(plot?.series[0]);
  assert.equal(linePath(plot, plot.series[0]), 'M1,1000L3,0');
  assert.equal(dotPath(plot, plot.series[0]), 'M1,1000h0M3,0h0');
  assert.equal(areaPath(plot, plot.series[0]), 'M1,1000L3,0L3,1000L1,1000Z');
  assert.equal(barPath(plot, plot.series[0]), 'M2.3,1000V0h1.4V1000z');
});
