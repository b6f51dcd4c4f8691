// Questions as the API writes them: query nodes, and the parts that several kinds share.

export type InsightKind =
  | 'TrendsQuery'
  | 'FunnelsQuery'
  | 'RetentionQuery'
  | 'LifecycleQuery'
  | 'StickinessQuery'
  | 'PathsQuery'
  | 'HogQLQuery';

export interface PropertyFilter {
  key: string;
  value?: string | number | boolean | (string | number)[] | null;
  operator: string;
  type: 'event' | 'person' | 'cohort' | 'session' | 'group' | 'feature' | 'hogql' | 'element' | 'event_metadata';
  group_type_index?: number;
}

export interface SeriesNode {
  kind: 'EventsNode' | 'ActionsNode';
  /** Null: all events. */
  event?: string | null;
  id?: number;
  name?: string;
  custom_name?: string;
  math?: string;
  math_property?: string;
  properties?: PropertyFilter[];
}

export interface DateRange {
  date_from?: string | null;
  date_to?: string | null;
}

export type Interval = 'minute' | 'hour' | 'day' | 'week' | 'month';

export interface BreakdownFilter {
  breakdown?: string | number | (string | number)[];
  breakdown_type?: string;
  breakdown_limit?: number;
}

/** One question; which fields mean something depends on the kind. */
export interface InsightQuery {
  kind: InsightKind;
  series?: SeriesNode[];
  dateRange?: DateRange;
  interval?: Interval;
  /** Groups of them: `filter-groups.ts`. */
  properties?: PropertyFilter[] | object;
  filterTestAccounts?: boolean;
  breakdownFilter?: BreakdownFilter;
  compareFilter?: { compare?: boolean; compare_to?: string };
  trendsFilter?: { display?: Display; formula?: string; showLegend?: boolean; yAxisScaleType?: 'linear' | 'log10' };
  funnelsFilter?: {
    funnelVizType?: 'steps' | 'time_to_convert' | 'trends';
    funnelOrderType?: 'ordered' | 'strict' | 'unordered';
    funnelWindowInterval?: number;
    funnelWindowIntervalUnit?: 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month';
  };
  retentionFilter?: {
    retentionType?: 'retention_first_time' | 'retention_recurring';
    period?: 'Hour' | 'Day' | 'Week' | 'Month';
    totalIntervals?: number;
    targetEntity?: RetentionEntity;
    returningEntity?: RetentionEntity;
    timeWindowMode?: 'strict_calendar_dates' | '24_hour_windows';
    aggregationType?: 'count' | 'sum' | 'avg';
    aggregationProperty?: string;
    aggregationPropertyType?: 'event' | 'person';
    minimumOccurrences?: number;
    cumulative?: boolean;
    retentionReference?: 'total' | 'previous';
  };
  lifecycleFilter?: Record<string, unknown>;
  stickinessFilter?: { display?: Display; computedAs?: 'cumulative' | 'non_cumulative' };
  pathsFilter?: {
    includeEventTypes?: ('$pageview' | '$screen' | 'custom_event')[];
    startPoint?: string;
    endPoint?: string;
    stepLimit?: number;
    edgeLimit?: number;
  };
  /** SQL of a HogQLQuery. */
  query?: string;
}

export interface RetentionEntity {
  id: string | null;
  name?: string;
  type: 'events';
}

export type Display =
  | 'ActionsLineGraph'
  | 'ActionsLineGraphCumulative'
  | 'ActionsAreaGraph'
  | 'ActionsBar'
  | 'ActionsUnstackedBar'
  | 'ActionsBarValue'
  | 'ActionsTable'
  | 'ActionsPie'
  | 'BoldNumber'
  | 'WorldMap';

/** Any node; wrappers hold the question in `source`. */
export interface QueryNode {
  kind: string;
  source?: QueryNode;
  display?: string;
  [field: string]: unknown;
}

/** The question inside its wrappers. */
export function sourceOf(node: QueryNode): InsightQuery {
  return (node.source ? sourceOf(node.source) : node) as unknown as InsightQuery;
}

/** As insights are saved: a chart around its question, or a table around SQL. */
export const wrap = (query: InsightQuery, display?: string): QueryNode =>
  query.kind === 'HogQLQuery'
    ? { kind: 'DataVisualizationNode', source: query as unknown as QueryNode, display: display ?? 'ActionsTable' }
    : { kind: 'InsightVizNode', source: query as unknown as QueryNode };

export const seriesName = ({ custom_name, name, event, id }: SeriesNode): string =>
  custom_name || name || event || (id === undefined ? 'All events' : `Action ${id}`);
