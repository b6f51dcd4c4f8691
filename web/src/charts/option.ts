// Answers become ECharts options: pure functions, so that they can be tested without drawing.
import type { EChartsCoreOption } from 'echarts/core';
import type { InsightQuery } from '../query/nodes.ts';
import { type PathEdge, seriesLabel, type TrendItem, totalOf } from '../query/results.ts';
import { formatCompact, formatNumber } from '../ui/format.ts';
import { colorAt, LIFECYCLE_COLORS } from './colors.ts';
import { areWhole, displayOf, SERIES_MAX, trendSeries } from './light/plot.ts';
import { distinctNames } from './names.ts';
import { pointLabels } from './point-labels.ts';
import { tooltipContent } from './tooltip.ts';

export interface ChartLook {
  isDark: boolean;
  /** Small: on a dashboard. */
  isSmall: boolean;
}

const FADED = 0.45;

const inkOf = ({ isDark }: ChartLook) => ({
  text: isDark ? '#c9c9c9' : '#495057',
  line: isDark ? '#3b3b3b' : '#e6e2dc',
  ground: isDark ? '#242424' : '#ffffff',
});

/** The same for every chart: letters, ground, a tooltip built from text. */
function frame(look: ChartLook): EChartsCoreOption {
  const ink = inkOf(look);
  return {
    animation: false,
    textStyle: { color: ink.text, fontFamily: 'system-ui, sans-serif' },
    backgroundColor: 'transparent',
    tooltip: {
      trigger: 'axis',
      confine: true,
      backgroundColor: ink.ground,
      borderColor: ink.line,
      textStyle: { color: ink.text, fontSize: 12 },
      formatter: tooltipContent,
    },
  };
}

const legendOf = (names: readonly string[], look: ChartLook) =>
  names.length < 2
    ? undefined
    : { type: 'scroll', bottom: 0, data: [...names], textStyle: { color: inkOf(look).text }, pageIconColor: '#d96b1b' };

function axes(labels: readonly string[], look: ChartLook, { isLog = false, isWhole = false } = {}): EChartsCoreOption {
  const ink = inkOf(look);
  return {
    xAxis: {
      type: 'category',
      data: [...labels],
      axisLine: { lineStyle: { color: ink.line } },
      axisTick: { show: false },
      axisLabel: { color: ink.text, hideOverlap: true },
    },
    yAxis: {
      type: isLog ? 'log' : 'value',
      ...(isWhole && { minInterval: 1 }),
      splitLine: { lineStyle: { color: ink.line } },
      axisLabel: { color: ink.text, formatter: (value: number) => formatCompact(value) },
    },
  };
}

/** Lines, areas and bars over time. */
export function timeOption(items: readonly TrendItem[], query: InsightQuery, look: ChartLook): EChartsCoreOption {
  const shown = items.slice(0, SERIES_MAX);
  const series = trendSeries(shown, displayOf(query));
  const legend = legendOf(
    series.map(({ name }) => name),
    look,
  );
  return {
    ...frame(look),
    ...axes(shown[0] ? pointLabels(shown[0]) : [], look, {
      isLog: query.trendsFilter?.yAxisScaleType === 'log10',
      isWhole: areWhole(shown),
    }),
    grid: { left: 8, right: 16, top: 16, bottom: legend ? 36 : 8, containLabel: true },
    legend,
    series: series.map(({ name, shape, data, color, stack, isFaded }) => ({
      name,
      type: shape === 'bar' ? 'bar' : 'line',
      data,
      color,
      ...(stack && { stack }),
      ...(shape === 'area' && { areaStyle: { opacity: 0.35 } }),
      symbol: 'circle',
      symbolSize: data.length > 60 ? 0 : 5,
      lineStyle: { width: 2, ...(isFaded && { type: 'dashed', opacity: FADED }) },
      itemStyle: { ...(isFaded && { opacity: FADED }) },
      emphasis: { focus: 'series' },
    })),
  };
}

/** Those who are new, came back or stayed above the line; those who are gone below it. */
export function lifecycleOption(items: readonly TrendItem[], look: ChartLook): EChartsCoreOption {
  return {
    ...frame(look),
    ...axes(items[0] ? pointLabels(items[0]) : [], look, { isWhole: true }),
    grid: { left: 8, right: 16, top: 16, bottom: 36, containLabel: true },
    legend: legendOf(
      items.map(({ status }) => status ?? ''),
      look,
    ),
    series: items.map(({ status = '', data }) => ({
      name: status,
      type: 'bar',
      stack: 'all',
      data: data ?? [],
      color: LIFECYCLE_COLORS[status],
    })),
  };
}

/** One value a series, longest first. */
export function barValueOption(items: readonly TrendItem[], look: ChartLook): EChartsCoreOption {
  const ink = inkOf(look);
  const sorted = items
    .map((item, index) => ({ name: seriesLabel(item), value: totalOf(item), index }))
    .sort((a, b) => a.value - b.value)
    .slice(-SERIES_MAX);
  return {
    ...frame(look),
    tooltip: { ...(frame(look).tooltip as object), trigger: 'item' },
    grid: { left: 8, right: 56, top: 8, bottom: 8, containLabel: true },
    xAxis: {
      type: 'value',
      splitLine: { lineStyle: { color: ink.line } },
      axisLabel: { color: ink.text, formatter: (value: number) => formatCompact(value) },
    },
    yAxis: {
      type: 'category',
      data: distinctNames(sorted.map(({ name }) => name)),
      axisLine: { lineStyle: { color: ink.line } },
      axisTick: { show: false },
      axisLabel: { color: ink.text, width: look.isSmall ? 110 : 220, overflow: 'truncate' },
    },
    series: [
      {
        type: 'bar',
        barMaxWidth: 28,
        data: sorted.map(({ value, index }) => ({ value, itemStyle: { color: colorAt(index) } })),
        label: {
          show: true,
          position: 'right',
          color: ink.text,
          formatter: ({ value }: { value: number }) => formatNumber(value),
        },
      },
    ],
  };
}

export function pieOption(items: readonly TrendItem[], look: ChartLook): EChartsCoreOption {
  const ink = inkOf(look);
  const names = distinctNames(items.map(seriesLabel));
  return {
    ...frame(look),
    tooltip: { ...(frame(look).tooltip as object), trigger: 'item' },
    legend: legendOf(names, look),
    series: [
      {
        type: 'pie',
        radius: ['35%', '70%'],
        center: ['50%', '46%'],
        label: { color: ink.text, show: !look.isSmall },
        data: items.map((item, index) => ({
          name: names[index],
          value: totalOf(item),
          itemStyle: { color: colorAt(index) },
        })),
      },
    ],
  };
}

/** `2_https://a.com/pricing` → step 2, and what it is. */
export function splitStep(key: string): { step: number; name: string } {
  const at = key.indexOf('_');
  return { step: Number(key.slice(0, at)), name: key.slice(at + 1) };
}

const NODE_NAME_MAX = 32;
const shorten = (name: string) => (name.length > NODE_NAME_MAX ? `…${name.slice(1 - NODE_NAME_MAX)}` : name);

/** Pages of one site begin alike, and there is little room; the tooltip has the whole address. */
const withoutSite = (name: string) => name.replace(/^https?:\/\/[^/]+(?=\/)/, '');

export function pathsOption(edges: readonly PathEdge[], look: ChartLook): EChartsCoreOption {
  const ink = inkOf(look);
  const names = [...new Set(edges.flatMap(({ source, target }) => [source, target]))];
  return {
    ...frame(look),
    tooltip: { ...(frame(look).tooltip as object), trigger: 'item' },
    series: [
      {
        type: 'sankey',
        left: 8,
        right: 140,
        top: 8,
        bottom: 8,
        nodeWidth: 10,
        nodeGap: 10,
        emphasis: { focus: 'adjacency' },
        data: names.map((name) => ({
          name,
          depth: splitStep(name).step - 1,
          itemStyle: { color: colorAt(splitStep(name).step - 1) },
        })),
        links: edges.map(({ source, target, value }) => ({ source, target, value })),
        lineStyle: { color: 'source', opacity: 0.25 },
        label: {
          color: ink.text,
          formatter: ({ name }: { name: string }) => shorten(withoutSite(splitStep(name).name)),
        },
      },
    ],
  };
}

/** How the share of people who convert goes over time. */
export const funnelTrendsOption = (items: readonly TrendItem[], query: InsightQuery, look: ChartLook) =>
  timeOption(
    items.map((item) => ({ ...item, label: item.label ?? '' })),
    { ...query, trendsFilter: { display: 'ActionsLineGraph' } },
    look,
  );

/** How many took how long, in equal bins. */
export function timeToConvertOption(
  bins: readonly [number, number][],
  look: ChartLook,
  name: (seconds: number) => string,
) {
  return {
    ...frame(look),
    ...axes(
      bins.map(([start]) => name(start)),
      look,
    ),
    grid: { left: 8, right: 16, top: 16, bottom: 8, containLabel: true },
    series: [{ type: 'bar', name: 'People', data: bins.map(([, count]) => count), color: colorAt(0) }],
  };
}
