// New questions of each kind, and how one turns into another without losing what both know.
import type { Display, InsightKind, InsightQuery, SeriesNode } from './nodes.ts';

export const kindLabels: Readonly<Record<InsightKind, { label: string; about: string; legacy: string }>> = {
  TrendsQuery: { label: 'Trends', about: 'How often something happens, over time', legacy: 'TRENDS' },
  FunnelsQuery: { label: 'Funnel', about: 'How far people come, step by step', legacy: 'FUNNELS' },
  RetentionQuery: { label: 'Retention', about: 'Who comes back, and when', legacy: 'RETENTION' },
  LifecycleQuery: { label: 'Lifecycle', about: 'Who is new, stays, returns or is gone', legacy: 'LIFECYCLE' },
  StickinessQuery: { label: 'Stickiness', about: 'On how many days people are active', legacy: 'STICKINESS' },
  PathsQuery: { label: 'Paths', about: 'What people do one after the other', legacy: 'PATHS' },
  HogQLQuery: { label: 'SQL', about: 'Whatever you can ask in SQL', legacy: 'SQL' },
};

export const kinds = Object.keys(kindLabels) as InsightKind[];

export const newSeries = (event: string | null): SeriesNode => ({
  kind: 'EventsNode',
  event,
  name: event ?? 'All events',
  math: 'total',
});

const FIRST_SQL = `select event, count() as times
from events
where timestamp > now() - interval 7 day
group by event
order by times desc
limit 100`;

/** What is particular to a kind; series, time and filters are common to most. */
function ownPart(kind: InsightKind, series: readonly SeriesNode[]): Partial<InsightQuery> {
  const first = series[0]?.event ?? null;
  const entity = { id: first, name: first ?? 'All events', type: 'events' as const };
  switch (kind) {
    case 'TrendsQuery':
      return { series: [...series], interval: 'day', trendsFilter: { display: 'ActionsLineGraph' } };
    case 'FunnelsQuery':
      return {
        series: [...(series.length >= 2 ? series : [...series, ...series])].map(({ math: _math, ...rest }) => rest),
        funnelsFilter: {
          funnelVizType: 'steps',
          funnelOrderType: 'ordered',
          funnelWindowInterval: 14,
          funnelWindowIntervalUnit: 'day',
        },
      };
    case 'RetentionQuery':
      return {
        retentionFilter: {
          retentionType: 'retention_first_time',
          period: 'Day',
          totalIntervals: 8,
          targetEntity: entity,
          returningEntity: entity,
        },
      };
    case 'LifecycleQuery':
      return { series: series.slice(0, 1), interval: 'day' };
    case 'StickinessQuery':
      return { series: [...series], interval: 'day', stickinessFilter: {} };
    case 'PathsQuery':
      return { pathsFilter: { includeEventTypes: ['$pageview', 'custom_event'], stepLimit: 5, edgeLimit: 50 } };
    case 'HogQLQuery':
      return { query: FIRST_SQL };
  }
}

export function newQuery(kind: InsightKind, from?: InsightQuery): InsightQuery {
  const series = from?.series && from.series.length > 0 ? from.series : [newSeries(null)];
  if (kind === 'HogQLQuery') return { kind, ...ownPart(kind, series) };
  return {
    kind,
    dateRange: from?.dateRange ?? { date_from: kind === 'RetentionQuery' ? '-7d' : '-30d', date_to: null },
    ...(from?.properties && { properties: from.properties }),
    ...(from?.filterTestAccounts && { filterTestAccounts: true }),
    ...ownPart(kind, series),
  };
}

export const displays: readonly { value: Display; label: string }[] = [
  { value: 'ActionsLineGraph', label: 'Lines' },
  { value: 'ActionsLineGraphCumulative', label: 'Lines, adding up' },
  { value: 'ActionsAreaGraph', label: 'Areas' },
  { value: 'ActionsBar', label: 'Bars, stacked' },
  { value: 'ActionsUnstackedBar', label: 'Bars, side by side' },
  { value: 'BoldNumber', label: 'Number' },
  { value: 'ActionsBarValue', label: 'Total bars' },
  { value: 'ActionsPie', label: 'Pie' },
  { value: 'ActionsTable', label: 'Table' },
  { value: 'WorldMap', label: 'World map' },
];

export const maths: readonly { value: string; label: string; needsProperty?: boolean }[] = [
  { value: 'total', label: 'times' },
  { value: 'dau', label: 'people' },
  { value: 'weekly_active', label: 'active in 7 days' },
  { value: 'monthly_active', label: 'active in 30 days' },
  { value: 'unique_session', label: 'sessions' },
  { value: 'first_time_for_user', label: 'people, first time ever' },
  { value: 'avg_count_per_actor', label: 'times a person, on average' },
  { value: 'sum', label: 'sum of', needsProperty: true },
  { value: 'avg', label: 'average of', needsProperty: true },
  { value: 'median', label: 'median of', needsProperty: true },
  { value: 'min', label: 'least of', needsProperty: true },
  { value: 'max', label: 'most of', needsProperty: true },
  { value: 'p90', label: '90th percentile of', needsProperty: true },
  { value: 'p95', label: '95th percentile of', needsProperty: true },
  { value: 'p99', label: '99th percentile of', needsProperty: true },
];

export const needsProperty = (math: string | undefined) =>
  maths.find(({ value }) => value === math)?.needsProperty === true;
