// Questions beside the best SQL that we can write by hand for each, through the same engine.
// `npm run bench query [events]`; 1,000,000 events if nothing is said.
import { performance } from 'node:perf_hooks';
import { kinds } from '../src/query/kinds.ts';
import { openTestContext } from '../src/query/test-context.ts';
import { openTestTables, type TestTables } from '../src/store/tables/test-tables.ts';
import { type Figure, median } from './measure/figure.ts';
import { insertRealisticEvents, peers } from './query/peers.ts';

const RUNS = 5;
/** Today's events are like any other day's: the data ends at noon of a day that is over. */
const NOW = Date.UTC(2025, 5, 30, 12);

const series = (...events: string[]) => events.map((event) => ({ kind: 'EventsNode', event }));
const dateRange = { date_from: '2025-06-01', date_to: '2025-06-30' };

/** What is asked, and what it is to be compared with. */
const questions: readonly { name: keyof typeof peers; query: Record<string, unknown>; maxMs?: number }[] = [
  {
    name: 'daily trend with uniques',
    query: { kind: 'TrendsQuery', dateRange, series: [{ ...series('$pageview')[0], math: 'dau' }] },
    maxMs: 200,
  },
  {
    name: 'breakdown by a property',
    query: {
      kind: 'TrendsQuery',
      dateRange,
      series: series('$pageview'),
      breakdownFilter: { breakdown: '$browser', breakdown_type: 'event' },
    },
  },
  {
    name: '3-step funnel',
    query: { kind: 'FunnelsQuery', dateRange, series: series('$pageview', 'added to cart', 'purchased') },
    maxMs: 150,
  },
  {
    name: 'day retention 30 × 30',
    query: {
      kind: 'RetentionQuery',
      dateRange,
      retentionFilter: {
        period: 'Day',
        totalIntervals: 30,
        retentionType: 'retention_recurring',
        targetEntity: { id: '$pageview', type: 'events' },
        returningEntity: { id: '$pageview', type: 'events' },
      },
    },
    maxMs: 400,
  },
  { name: 'lifecycle', query: { kind: 'LifecycleQuery', dateRange, series: series('$pageview') } },
  {
    name: 'paths',
    query: { kind: 'PathsQuery', dateRange, pathsFilter: { includeEventTypes: ['$pageview'] } },
  },
  {
    name: 'a person-property filter',
    query: {
      kind: 'TrendsQuery',
      dateRange,
      series: series('$pageview'),
      properties: [{ key: 'plan', value: 'pro', type: 'person' }],
    },
  },
];

export async function run(): Promise<Figure[]> {
  const events = Number(process.argv[3] ?? 1_000_000);
  const tables = await openTestTables();
  try {
    await insertRealisticEvents(tables, events);
    const figures: Figure[] = [];
    for (const { name, query, maxMs } of questions) {
      const { ours, byHand } = await inTurns({
        ours: () => answer(tables, query),
        byHand: () => tables.ask(peers[name]),
      });
      const max = 1.5 * byHand + 15;
      figures.push({ name: `${name}, by hand`, value: byHand, unit: 'ms' });
      figures.push({ name, value: ours, unit: 'ms', max });
      if (maxMs !== undefined && events <= 1_000_000) {
        figures.push({ name: `${name}, end to end`, value: ours, unit: 'ms', max: maxMs });
      }
    }
    return figures;
  } finally {
    await tables[Symbol.asyncDispose]();
  }
}

async function answer(tables: TestTables, query: Record<string, unknown>): Promise<void> {
  const kind = kinds.get(String(query.kind))!;
  const context = await openTestContext(tables, { now: NOW, query });
  await kind.run(context, kind.read(query));
}

/** The middle of some runs of each, taken in turns so that both meet the same neighbours. */
async function inTurns<Name extends string>(
  tasks: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(tasks) as Name[];
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let run = 0; run <= RUNS; run += 1) {
    for (const name of names) {
      const startedAt = performance.now();
      await tasks[name]();
      // The first run of each warms the caches.
      if (run > 0) times.get(name)?.push(performance.now() - startedAt);
    }
  }
  return Object.fromEntries([...times].map(([name, of]) => [name, median(of)])) as Record<Name, number>;
}
