// A RetentionQuery with everything settled that does not need the events.
import { invalid } from '../../../http/errors.ts';
import { type Interval, shift, startOf } from '../../dates/interval.ts';
import { listPoints, readDateRange } from '../../dates/range.ts';
import type { QueryContext } from '../../kind.ts';
import { type Breakdown, planBreakdown } from '../breakdown-values.ts';
import type { Entity } from '../entity.ts';
import { INTERVALS_MAX, LOOKAHEAD_MAX, type RetentionEntity, type RetentionQuery } from './read.ts';

export const PERIODS = ['Hour', 'Day', 'Week', 'Month'] as const;

export interface RetentionPlan {
  readonly period: (typeof PERIODS)[number];
  /** Seconds at which the intervals begin: those of the rows, and as many after them as the last one looks ahead. */
  readonly points: readonly number[];
  /** Seconds; the end of the last row's interval. */
  readonly rowsEnd: number;
  /** Seconds; the end of everything that is looked at. */
  readonly end: number;
  readonly rows: number;
  readonly columns: number;
  /** How many intervals each column is, after the first, which is one. */
  readonly brackets: readonly number[];
  readonly target: Entity;
  readonly returning: Entity;
  /** `first`: the actor's first target event ever begins; `first_named`: it must be the first of its name as well. */
  readonly begins: 'each' | 'first' | 'first_named';
  readonly isCumulative: boolean;
  readonly occurrencesMin: number;
  /** How long each of the windows is that begin with an actor's first event; without it, the calendar's intervals count. */
  readonly windowMicros: number | undefined;
  /** What is added up over those who came back. */
  readonly amount: Amount | undefined;
  readonly groupTypeIndex: number | undefined;
  readonly breakdown: Breakdown | undefined;
  readonly filters: unknown;
  readonly filterTestAccounts: boolean;
  readonly samplingFactor: number | undefined;
}

export interface Amount {
  readonly kind: 'sum' | 'avg';
  readonly type: 'event' | 'person';
  readonly key: string;
}

const COLUMNS = 8;

const BEGINS = {
  retention_recurring: 'each',
  retention_first_time: 'first',
  retention_first_ever_occurrence: 'first_named',
} as const;

export async function planRetention(query: RetentionQuery, context: QueryContext): Promise<RetentionPlan> {
  const filter = query.retentionFilter;
  const period = filter.period ?? 'Day';
  const brackets = readBrackets(filter);
  const columns = brackets.length + 1;
  const lookahead = brackets.reduce((sum, length) => sum + length, 1);
  const windowMicros = filter.timeWindowMode === '24_hour_windows' ? WINDOW_HOURS[period] * HOUR_MICROS : undefined;
  const amount = readAmount(filter);
  if (filter.cumulative && (windowMicros !== undefined || amount)) throw neverCumulative();
  const intervals = await planIntervals(query, period.toLowerCase() as Interval, { columns, lookahead }, context);
  return {
    period,
    columns,
    brackets,
    ...intervals,
    // The windows of whoever begins with the last moment of the last row end that much later.
    ...(windowMicros !== undefined && { end: intervals.rowsEnd + (windowMicros * lookahead) / 1e6 }),
    windowMicros,
    amount,
    target: toEntity(filter.targetEntity),
    returning: toEntity(filter.returningEntity),
    begins: BEGINS[filter.retentionType ?? 'retention_first_time'],
    isCumulative: filter.cumulative === true,
    occurrencesMin: filter.minimumOccurrences ?? 1,
    groupTypeIndex: query.aggregation_group_type_index ?? undefined,
    breakdown: await planBreakdown(query.breakdownFilter, context),
    filters: query.properties,
    filterTestAccounts: query.filterTestAccounts === true,
    samplingFactor: query.samplingFactor ?? undefined,
  };
}

const HOUR_MICROS = 3_600e6;

/** Windows are all of one length, whatever the clocks and the calendar do: a month is 30 days. */
const WINDOW_HOURS = { Hour: 1, Day: 24, Week: 7 * 24, Month: 30 * 24 } as const;

/** Without a property there is nothing to add up, and people are counted as ever. */
function readAmount({
  aggregationType: kind,
  aggregationProperty: key,
  aggregationPropertyType: type,
}: RetentionQuery['retentionFilter']): Amount | undefined {
  return key && (kind === 'sum' || kind === 'avg') ? { kind, key, type: type ?? 'event' } : undefined;
}

const neverCumulative = () =>
  invalid(
    'Neither 24-hour windows nor amounts can be cumulative; choose calendar dates, count people, or leave cumulative out.',
    'retentionFilter__cumulative',
  );

/** The column of each lag, counted in intervals. */
export const columnsOfLags = ({ brackets }: Pick<RetentionPlan, 'brackets'>): number[] => [
  0,
  ...brackets.flatMap((length, at) => Array.from({ length }, () => at + 1)),
];

/** Usually one interval each. */
function readBrackets({ retentionCustomBrackets, totalIntervals }: RetentionQuery['retentionFilter']): number[] {
  if (!retentionCustomBrackets?.length) return Array.from({ length: (totalIntervals ?? COLUMNS) - 1 }, () => 1);
  const lookahead = retentionCustomBrackets.reduce((sum, length) => sum + length, 0);
  if (lookahead <= LOOKAHEAD_MAX) return retentionCustomBrackets;
  throw invalid(
    `The brackets are ${lookahead} intervals together; ${LOOKAHEAD_MAX} is the most.`,
    'retentionCustomBrackets',
  );
}

/** The rows are the intervals of the date range; when it does not say where it begins, there are as many as columns. */
async function planIntervals(
  query: RetentionQuery,
  interval: Interval,
  { columns, lookahead }: { columns: number; lookahead: number },
  context: QueryContext,
) {
  const { project, now, earliest } = context;
  const range = await readDateRange(query.dateRange, { ...project, now, earliest }, interval);
  const last = startOf(interval, Math.ceil(range.toMicros / 1_000) - 1, project);
  const starts = query.dateRange?.date_from
    ? listPoints(range, interval, project)
    : Array.from({ length: columns }, (_, at) => shift(interval, last, at + 1 - columns, project) / 1_000);
  if (starts.length > INTERVALS_MAX) {
    throw invalid(
      `The table would have more than ${INTERVALS_MAX} rows; choose a longer period or a shorter range.`,
      'dateRange',
    );
  }
  // One after the other: so the hour that clocks show twice is two hours here as well.
  const points = [...starts];
  while (points.length < starts.length + lookahead) points.push(next(interval, points.at(-1) ?? 0, context));
  const end = points.pop() ?? 0;
  return { points, rowsEnd: points[starts.length] ?? end, end, rows: starts.length };
}

function next(interval: Interval, start: number, { project }: QueryContext): number {
  const found = shift(interval, start * 1_000, 1, project) / 1_000;
  return found > start ? found : start + 3_600;
}

/** Without an id it is a page view, as long as nothing says that all events are meant. */
function toEntity(entity: RetentionEntity | null | undefined): Entity {
  if (!entity) return { event: '$pageview', filters: [] };
  const { id, type, kind, properties } = entity;
  const filters = properties ? [properties] : [];
  if (type !== 'actions' && kind !== 'ActionsNode') return { event: id ? String(id) : null, filters };
  const actionId = Number(id ?? Number.NaN);
  if (Number.isSafeInteger(actionId)) return { actionId, filters };
  throw invalid(`"${String(id)}" is no id of an action; it is a whole number.`, 'retentionFilter');
}
