// The JSON of a TrendsQuery.
import { z } from 'zod';
import { BreakdownFilter, CompareFilter, IntervalField, insightFields, SeriesNode } from '../../nodes.ts';
import { SERIES_MAX } from '../series.ts';

const DISPLAYS = [
  'Auto',
  'ActionsLineGraph',
  'ActionsBar',
  'ActionsUnstackedBar',
  'ActionsStackedBar',
  'ActionsAreaGraph',
  'ActionsLineGraphCumulative',
  'BoldNumber',
  'Metric',
  'ActionsPie',
  'ActionsDonut',
  'ActionsBarValue',
  'ActionsTable',
  'WorldMap',
  'CalendarHeatmap',
  'TwoDimensionalHeatmap',
  'BoxPlot',
  'SlopeGraph',
  'ScatterPlot',
] as const;
export type Display = (typeof DISPLAYS)[number];

const formula = z.string().max(500);
const FORMULAS_MAX = 26;

/** How the answer is drawn; nothing of it changes the answer. */
const DRAWING = [
  'showLegend',
  'showValuesOnSeries',
  'showLabelsOnSeries',
  'showPercentStackView',
  'showMultipleYAxes',
  'yAxisScaleType',
  'aggregationAxisFormat',
  'aggregationAxisPrefix',
  'aggregationAxisPostfix',
  'decimalPlaces',
  'minDecimalPlaces',
  'hiddenLegendIndexes',
  'goalLines',
  'resultCustomizationBy',
  'resultCustomizations',
  'showAlertThresholdLines',
  'showConfidenceIntervals',
  'confidenceLevel',
  'showTrendLines',
  'showMovingAverage',
  'movingAverageIntervals',
  'detailedResultsAggregationType',
] as const;
const drawingFields = Object.fromEntries(DRAWING.map((name) => [name, z.unknown().optional()])) as Record<
  (typeof DRAWING)[number],
  z.ZodOptional<z.ZodUnknown>
>;

const TrendsFilter = z.strictObject({
  display: z.enum(DISPLAYS).nullish(),
  formula: formula.nullish(),
  formulas: z.array(formula).max(FORMULAS_MAX).nullish(),
  formulaNodes: z
    .array(z.strictObject({ formula, custom_name: z.string().max(400).nullish() }))
    .max(FORMULAS_MAX)
    .nullish(),
  smoothingIntervals: z.int().min(1).max(1_000).nullish(),
  ...drawingFields,
});

export const TrendsQuery = z.strictObject({
  kind: z.literal('TrendsQuery'),
  ...insightFields,
  interval: IntervalField,
  series: z.array(SeriesNode).min(1).max(SERIES_MAX),
  trendsFilter: TrendsFilter.nullish(),
  breakdownFilter: BreakdownFilter.nullish(),
  compareFilter: CompareFilter.nullish(),
  conversionGoal: z.null('a goal is counted as a series of its own, an event or an action').optional(),
});
export type TrendsQuery = z.output<typeof TrendsQuery>;
