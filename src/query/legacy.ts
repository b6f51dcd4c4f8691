// The older form of a question, flat and in snake case → the node that means the same.
import { invalid } from '../http/errors.ts';
import { isDict } from '../http/fields.ts';

type Dict = Record<string, unknown>;

export const LEGACY_KINDS = {
  TRENDS: 'TrendsQuery',
  FUNNELS: 'FunnelsQuery',
  RETENTION: 'RetentionQuery',
  PATHS: 'PathsQuery',
  STICKINESS: 'StickinessQuery',
  LIFECYCLE: 'LifecycleQuery',
} as const;
export type LegacyInsight = keyof typeof LEGACY_KINDS;

/** Each option of a kind, under the name that the node has for it. */
const OPTIONS: Readonly<Record<LegacyInsight, { under: string; names: Readonly<Record<string, string>> }>> = {
  TRENDS: {
    under: 'trendsFilter',
    names: { display: 'display', formula: 'formula', smoothing_intervals: 'smoothingIntervals' },
  },
  FUNNELS: {
    under: 'funnelsFilter',
    names: {
      funnel_viz_type: 'funnelVizType',
      funnel_order_type: 'funnelOrderType',
      funnel_window_interval: 'funnelWindowInterval',
      funnel_window_interval_unit: 'funnelWindowIntervalUnit',
      funnel_from_step: 'funnelFromStep',
      funnel_to_step: 'funnelToStep',
      breakdown_attribution_type: 'breakdownAttributionType',
      breakdown_attribution_value: 'breakdownAttributionValue',
      funnel_aggregate_by_hogql: 'funnelAggregateByHogQL',
      bin_count: 'binCount',
      layout: 'layout',
    },
  },
  RETENTION: {
    under: 'retentionFilter',
    names: {
      retention_type: 'retentionType',
      retention_reference: 'retentionReference',
      period: 'period',
      total_intervals: 'totalIntervals',
      target_entity: 'targetEntity',
      returning_entity: 'returningEntity',
      cumulative: 'cumulative',
      minimum_occurrences: 'minimumOccurrences',
      retention_custom_brackets: 'retentionCustomBrackets',
      time_window_mode: 'timeWindowMode',
      aggregation_type: 'aggregationType',
      aggregation_property: 'aggregationProperty',
      aggregation_property_type: 'aggregationPropertyType',
    },
  },
  PATHS: {
    under: 'pathsFilter',
    names: {
      include_event_types: 'includeEventTypes',
      paths_hogql_expression: 'pathsHogQLExpression',
      start_point: 'startPoint',
      end_point: 'endPoint',
      step_limit: 'stepLimit',
      edge_limit: 'edgeLimit',
      min_edge_weight: 'minEdgeWeight',
      max_edge_weight: 'maxEdgeWeight',
      path_groupings: 'pathGroupings',
      exclude_events: 'excludeEvents',
      path_replacements: 'pathReplacements',
      local_path_cleaning_filters: 'localPathCleaningFilters',
    },
  },
  STICKINESS: { under: 'stickinessFilter', names: { display: 'display' } },
  LIFECYCLE: { under: 'lifecycleFilter', names: {} },
};

const BREAKDOWN = [
  'breakdown',
  'breakdown_type',
  'breakdowns',
  'breakdown_limit',
  'breakdown_group_type_index',
  'breakdown_normalize_url',
  'breakdown_histogram_bin_count',
  'breakdown_hide_other_aggregation',
];

/** What a kind knows nothing of is left out. */
const HAS_SERIES = new Set<LegacyInsight>(['TRENDS', 'FUNNELS', 'STICKINESS', 'LIFECYCLE']);
const HAS_INTERVAL = HAS_SERIES;
const HAS_BREAKDOWN = new Set<LegacyInsight>(['TRENDS', 'FUNNELS', 'RETENTION']);
const HAS_COMPARISON = new Set<LegacyInsight>(['TRENDS', 'STICKINESS']);

export function fromLegacy(filters: Dict): Dict {
  const insight = readInsight(filters.insight);
  const { under, names } = OPTIONS[insight];
  const options = { ...pick(filters, names), ...(insight === 'FUNNELS' && readExclusions(filters)) };
  const isGiven = (name: string) => filters[name] !== undefined && filters[name] !== null && filters[name] !== '';
  return {
    kind: LEGACY_KINDS[insight],
    dateRange: { date_from: text(filters.date_from), date_to: text(filters.date_to) },
    ...(HAS_SERIES.has(insight) && { series: readSeries(filters) }),
    ...(HAS_INTERVAL.has(insight) && isGiven('interval') && { interval: filters.interval }),
    properties: readProperties(filters.properties),
    filterTestAccounts: isTrue(filters.filter_test_accounts),
    ...(isGiven('sampling_factor') && { samplingFactor: Number(filters.sampling_factor) }),
    ...(isGiven('aggregation_group_type_index') &&
      insight !== 'STICKINESS' && { aggregation_group_type_index: Number(filters.aggregation_group_type_index) }),
    ...(Object.keys(options).length > 0 || insight === 'RETENTION' || insight === 'PATHS' ? { [under]: options } : {}),
    ...(HAS_BREAKDOWN.has(insight) &&
      (isGiven('breakdown') || isGiven('breakdowns')) && {
        breakdownFilter: pick(filters, Object.fromEntries(BREAKDOWN.map((name) => [name, name]))),
      }),
    ...(HAS_COMPARISON.has(insight) &&
      isTrue(filters.compare) && {
        compareFilter: { compare: true, ...(isGiven('compare_to') && { compare_to: filters.compare_to }) },
      }),
  };
}

function readInsight(given: unknown): LegacyInsight {
  const name = String(given ?? 'TRENDS').toUpperCase();
  return Object.hasOwn(LEGACY_KINDS, name) ? (name as LegacyInsight) : 'TRENDS';
}

const isTrue = (value: unknown) => value === true || value === 'true' || value === '1';
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

function pick(filters: Dict, names: Readonly<Record<string, string>>): Dict {
  const found = Object.entries(names).flatMap(([name, to]) => {
    const value = filters[name];
    return value === undefined || value === null || value === '' ? [] : [[to, readOption(name, value)]];
  });
  return Object.fromEntries(found);
}

const FLAGS = ['cumulative', 'path_replacements'];

/** Numbers, flags, lists and objects come as texts when the question stood in an address. */
function readOption(name: string, value: unknown): unknown {
  if (FLAGS.includes(name)) return isTrue(value);
  if (typeof value !== 'string') return value;
  if (/^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return /^[[{]/.test(value) ? readJson(value, name) : value;
}

const SERIES_FIELDS = ['math', 'math_property', 'math_hogql', 'math_group_type_index', 'custom_name', 'name'];

function readSeries(filters: Dict): Dict[] {
  const listed = [
    ...readList(filters.events).map((entity) => ({ entity, isAction: entity.type === 'actions' })),
    ...readList(filters.actions).map((entity) => ({ entity, isAction: true })),
  ];
  return listed
    .sort((one, other) => Number(one.entity.order ?? 0) - Number(other.entity.order ?? 0))
    .map(({ entity, isAction }) => toNode(entity, isAction));
}

const toNode = (entity: Dict, isAction: boolean): Dict => ({
  ...(isAction
    ? { kind: 'ActionsNode', id: Number(entity.id) }
    : { kind: 'EventsNode', event: typeof entity.id === 'string' ? entity.id : null }),
  ...Object.fromEntries(
    SERIES_FIELDS.flatMap((name) =>
      entity[name] === undefined || entity[name] === null ? [] : [[name, entity[name]]],
    ),
  ),
  ...(entity.properties ? { properties: readProperties(entity.properties) } : {}),
});

function readExclusions(filters: Dict): Dict {
  const exclusions = readList(filters.exclusions).map((entity) => ({
    ...toNode(entity, entity.type === 'actions'),
    funnelFromStep: Number(entity.funnel_from_step ?? 0),
    funnelToStep: Number(entity.funnel_to_step ?? 1),
  }));
  return exclusions.length > 0 ? { exclusions } : {};
}

function readList(value: unknown): Dict[] {
  const given = readJson(value);
  return Array.isArray(given) ? given.filter(isDict) : [];
}

/** A list, a group, a text of either, or the oldest form: `{"name": value}`. */
function readProperties(value: unknown): unknown {
  const given = readJson(value);
  if (Array.isArray(given)) return given;
  if (!isDict(given)) return [];
  if (Array.isArray(given.values)) return given;
  return Object.entries(given).map(([name, wanted]) => {
    const at = name.lastIndexOf('__');
    return at > 0
      ? { key: name.slice(0, at), operator: name.slice(at + 2), value: wanted, type: 'event' }
      : { key: name, value: wanted, type: 'event' };
  });
}

function readJson(value: unknown, attr = 'properties'): unknown {
  if (typeof value !== 'string') return value;
  if (value.trim() === '') return undefined;
  try {
    return JSON.parse(value);
  } catch {
    throw invalid(attr === 'properties' ? 'Properties are unparsable!' : `${attr} is no JSON.`, attr);
  }
}
