// One answer, drawn the way its question asks for.
import { Center, Text, useComputedColorScheme } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import type { ChartPoint } from '../api/use-query.ts';
import type { InsightQuery } from '../query/nodes.ts';
import {
  breakdownText,
  type PathEdge,
  type QueryAnswer,
  type RetentionRow,
  type TrendItem,
  toFunnels,
} from '../query/results.ts';
import { formatDuration } from '../ui/format.ts';
import { BoldNumber } from './BoldNumber.tsx';
import { Chart } from './Chart.tsx';
import type { ChartClick } from './EChart.tsx';
import { FunnelBars } from './FunnelBars.tsx';
import { funnelTrendsPlot, lifecyclePlot, trendPlot } from './light/plot.ts';
import {
  barValueOption,
  type ChartLook,
  funnelTrendsOption,
  lifecycleOption,
  pathsOption,
  pieOption,
  timeOption,
  timeToConvertOption,
} from './option.ts';
import { pointLabels } from './point-labels.ts';
import { RetentionGrid } from './RetentionGrid.tsx';
import { RowsTable } from './RowsTable.tsx';
import { SeriesTable } from './SeriesTable.tsx';
import { WorldTiles } from './WorldTiles.tsx';

export interface InsightResultProps {
  name: string;
  query: InsightQuery;
  answer: QueryAnswer;
  /** On a dashboard: less room, fewer words. */
  isSmall?: boolean;
  /** Somebody wants to know who is behind a point. */
  onPoint?: ((point: ChartPoint) => void) | undefined;
  onReady?: ((toPicture: () => string) => void) | undefined;
}

export function InsightResult(props: InsightResultProps) {
  const { query, answer } = props;
  if (isEmpty(answer.results)) return <Nothing />;
  switch (query.kind) {
    case 'TrendsQuery':
    case 'StickinessQuery':
      return <TrendResult {...props} />;
    case 'LifecycleQuery':
      return <LifecycleResult {...props} />;
    case 'FunnelsQuery':
      return <FunnelResult {...props} />;
    case 'RetentionQuery':
      return (
        <RetentionGrid
          rows={answer.results as RetentionRow[]}
          period={query.retentionFilter?.period ?? 'Day'}
          reference={query.retentionFilter?.retentionReference}
          onPoint={props.onPoint}
        />
      );
    case 'PathsQuery':
      return <PathsResult {...props} />;
    default:
      return <RowsTable answer={answer} />;
  }
}

const isEmpty = (results: unknown) =>
  results === null || results === undefined || (Array.isArray(results) && results.length === 0);

function Nothing() {
  return (
    <Center h="100%" mih={80}>
      <Text c="dimmed" size="sm" ta="center">
        Nothing matches in this time. Try a longer one, or fewer filters.
      </Text>
    </Center>
  );
}

const useLook = (isSmall = false): ChartLook => {
  const isDark = useComputedColorScheme('light') === 'dark';
  return useMemo(() => ({ isDark, isSmall }), [isDark, isSmall]);
};

function TrendResult({ name, query, answer, isSmall, onPoint, onReady }: InsightResultProps) {
  const items = answer.results as TrendItem[];
  const look = useLook(isSmall);
  const display = query.trendsFilter?.display ?? 'ActionsLineGraph';
  const plot = useMemo(() => (isSmall ? trendPlot(items, query) : undefined), [items, query, isSmall]);
  const toOption = useCallback(() => {
    if (display === 'ActionsPie') return pieOption(items, look);
    if (display === 'ActionsBarValue') return barValueOption(items, look);
    return timeOption(items, query, look);
  }, [items, query, look, display]);
  if (display === 'BoldNumber') return <BoldNumber items={items} onPoint={onPoint} />;
  if (display === 'ActionsTable') return <SeriesTable items={items} onPoint={onPoint} />;
  if (display === 'WorldMap') return <WorldTiles items={items} />;

  const onClick = onPoint && ((click: ChartClick) => onPoint(trendPoint(items, query, click)));
  return <Chart plot={plot} toOption={toOption} label={`Chart: ${name}`} onClick={onClick} onReady={onReady} />;
}

/** What the API needs to know to find the people behind a point. */
export function trendPoint(
  items: readonly TrendItem[],
  query: InsightQuery,
  { seriesIndex, dataIndex }: ChartClick,
): ChartPoint {
  const display = query.trendsFilter?.display;
  const isTotal = display === 'ActionsPie' || display === 'ActionsBarValue';
  const byValue = [...items]
    .sort((a, b) => (a.aggregated_value ?? a.count) - (b.aggregated_value ?? b.count))
    .slice(-50);
  const item = (isTotal ? (display === 'ActionsPie' ? items : byValue)[dataIndex] : items[seriesIndex]) ?? items[0];
  const day = isTotal ? undefined : item?.days?.[dataIndex];
  const what = item ? item.label || breakdownText(item.breakdown_value) : '';
  return {
    title: [what, isTotal || !item ? undefined : pointLabels(item)[dataIndex]].filter(Boolean).join(', '),
    ...(day !== undefined && { day }),
    series: item?.action?.order ?? 0,
    ...(item?.breakdown_value !== undefined && { breakdown: item.breakdown_value }),
    ...(item?.compare_label && { compare: item.compare_label }),
  };
}

function LifecycleResult({ name, answer, isSmall, onPoint, onReady }: InsightResultProps) {
  const items = answer.results as TrendItem[];
  const look = useLook(isSmall);
  const toOption = useCallback(() => lifecycleOption(items, look), [items, look]);
  const plot = useMemo(() => (isSmall ? lifecyclePlot(items) : undefined), [items, isSmall]);
  const onClick =
    onPoint &&
    (({ seriesIndex, dataIndex }: ChartClick) => {
      const item = items[seriesIndex];
      const title = `${item?.status ?? ''}, ${item ? pointLabels(item)[dataIndex] : ''}`;
      onPoint({ title, day: item?.days?.[dataIndex], status: item?.status, series: 0 });
    });
  return <Chart plot={plot} toOption={toOption} label={`Chart: ${name}`} onClick={onClick} onReady={onReady} />;
}

function FunnelResult({ name, query, answer, isSmall, onPoint, onReady }: InsightResultProps) {
  const look = useLook(isSmall);
  const viz = query.funnelsFilter?.funnelVizType ?? 'steps';
  const plot = useMemo(
    () => (isSmall && viz === 'trends' ? funnelTrendsPlot(answer.results as TrendItem[], query) : undefined),
    [answer.results, query, isSmall, viz],
  );
  const toOption = useCallback(() => {
    if (viz === 'trends') return funnelTrendsOption(answer.results as TrendItem[], query, look);
    const { bins } = answer.results as { bins: [number, number][] };
    return timeToConvertOption(bins ?? [], look, formatDuration);
  }, [answer.results, query, look, viz]);
  if (viz !== 'steps') return <Chart plot={plot} toOption={toOption} label={`Chart: ${name}`} onReady={onReady} />;
  return <FunnelBars funnels={toFunnels(answer.results)} isSmall={isSmall} onPoint={onPoint} />;
}

function PathsResult({ name, answer, isSmall, onReady }: InsightResultProps) {
  const look = useLook(isSmall);
  const edges = answer.results as PathEdge[];
  const toOption = useCallback(() => pathsOption(edges, look), [edges, look]);
  return <Chart toOption={toOption} label={`Paths: ${name}`} onReady={onReady} />;
}
