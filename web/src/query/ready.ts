// What is still being written is left out before a question is asked.
import { isComplete } from '../pickers/operators.ts';
import { needsProperty } from './defaults.ts';
import { readGroups, toProperties } from './filter-groups.ts';
import { type InsightQuery, type SeriesNode, seriesName } from './nodes.ts';

const readySeries = (series: SeriesNode): SeriesNode => {
  const isHalf = needsProperty(series.math) && !series.math_property;
  return {
    ...series,
    ...(isHalf && { math: 'total' }),
    ...(series.properties && { properties: series.properties.filter(isComplete) }),
  };
};

function readyProperties(properties: NonNullable<InsightQuery['properties']>): InsightQuery['properties'] {
  const groups = readGroups(properties);
  if (!groups) return properties;
  const whole = groups.values.map((group) => ({ ...group, values: group.values.filter(isComplete) }));
  return toProperties({ ...groups, values: whole.filter((group) => group.values.length > 0) });
}

/** The question as it can be asked now. */
export function toReady(query: InsightQuery): InsightQuery {
  const { properties } = query;
  return {
    ...query,
    ...(query.series && { series: query.series.map(readySeries) }),
    ...(properties !== undefined && { properties: readyProperties(properties) }),
  };
}

/** A name for an insight that nobody has named. */
export function describe(query: InsightQuery): string {
  const names = (query.series ?? []).map(seriesName);
  switch (query.kind) {
    case 'TrendsQuery': {
      const by = query.breakdownFilter?.breakdown;
      return `${names.join(' & ')}${by === undefined ? '' : ` by ${String(by)}`}`;
    }
    case 'FunnelsQuery':
      return names.join(' → ');
    case 'RetentionQuery': {
      const { targetEntity, returningEntity } = query.retentionFilter ?? {};
      return `Back to ${returningEntity?.name ?? 'any event'} after ${targetEntity?.name ?? 'any event'}`;
    }
    case 'LifecycleQuery':
      return `Lifecycle of ${names[0] ?? 'all events'}`;
    case 'StickinessQuery':
      return `Stickiness of ${names.join(' & ')}`;
    case 'PathsQuery':
      return 'Paths';
    case 'HogQLQuery':
      return 'SQL';
  }
}
