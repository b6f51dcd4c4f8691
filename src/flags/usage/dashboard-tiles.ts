// What the dashboard of a flag asks: how often it is called, by whom, and what they do with the feature behind it.
import type { TemplateTile } from '../../dashboards/templates/wire.ts';

type Dict = Record<string, unknown>;
/** As in templates: all events, or people. */
type Counting = 'total' | 'dau';

interface Asked {
  name: string;
  description: string;
  event: string;
  /** The property of the event that has the flag's key. */
  property: string;
  counted: readonly Counting[];
  display: 'ActionsLineGraph' | 'ActionsTable';
  by?: string;
}

const CALLS = { event: '$feature_flag_called', property: '$feature_flag', by: '$feature_flag_response' } as const;

const USAGE: readonly Asked[] = [
  {
    ...CALLS,
    name: 'Feature Flag Called Total Volume',
    description: 'Shows the number of total calls made on feature flag with key: ',
    counted: ['total'],
    display: 'ActionsLineGraph',
  },
  {
    ...CALLS,
    name: 'Feature Flag calls made by unique users per variant',
    description: 'Shows the number of unique user calls made on feature flag per variant with key: ',
    counted: ['dau'],
    display: 'ActionsTable',
  },
];

const ENRICHED: readonly Asked[] = [
  {
    name: 'Feature Interaction Total Volume',
    description: 'Shows the number of interactions with the feature of the flag with key: ',
    event: '$feature_interaction',
    property: 'feature_flag',
    counted: ['total', 'dau'],
    display: 'ActionsLineGraph',
  },
  {
    name: 'Feature Viewed Total Volume',
    description: 'Shows the number of views of the feature of the flag with key: ',
    event: '$feature_view',
    property: 'feature_flag',
    counted: ['total', 'dau'],
    display: 'ActionsLineGraph',
  },
];

const COLUMNS = 2;
const layoutAt = (index: number): Dict => ({
  sm: { x: (index % COLUMNS) * 6, y: Math.floor(index / COLUMNS) * 5, w: 6, h: 5, minW: 3, minH: 5 },
  xs: { x: 0, y: index * 5, w: 1, h: 5, minW: 1, minH: 5 },
});

const toTile = (key: string, { name, description, ...asked }: Asked, index: number): TemplateTile => ({
  type: 'INSIGHT',
  name,
  description: description + key,
  color: index % COLUMNS === 0 ? 'blue' : 'green',
  layouts: layoutAt(index),
  query: {
    kind: 'InsightVizNode',
    source: {
      kind: 'TrendsQuery',
      series: asked.counted.map((math) => ({ kind: 'EventsNode', event: asked.event, name: asked.event, math })),
      interval: 'day',
      dateRange: { date_from: '-30d' },
      properties: [{ key: asked.property, value: key, operator: 'exact', type: 'event' }],
      trendsFilter: { display: asked.display },
      ...(asked.by && { breakdownFilter: { breakdown: asked.by, breakdown_type: 'event' } }),
    },
  },
});

export const usageTiles = (key: string) => USAGE.map((asked, index) => toTile(key, asked, index));
/** They stand below the others. */
export const enrichedTiles = (key: string) => ENRICHED.map((asked, index) => toTile(key, asked, USAGE.length + index));

const PROPERTIES = new Set([...USAGE, ...ENRICHED].map(({ property }) => property));

/** The same question about a flag whose key has changed. */
export function renamed(query: unknown, before: string, after: string): unknown {
  return JSON.parse(JSON.stringify(query), (_name, node) =>
    PROPERTIES.has(node?.key) && node.value === before ? { ...node, value: after } : node,
  );
}
