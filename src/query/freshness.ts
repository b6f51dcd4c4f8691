// How long an answer is as good as a new one.
import { isDict } from '../http/fields.ts';
import { readMoment } from './dates/moment.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Ages {
  /** Older than this it is computed again when somebody waits for it. */
  fresh: number;
  /** The same where people would rather see something at once. */
  lazy: number;
}

/** By the interval of the chart: what is counted by months does not change by the minute. */
const AGES: Readonly<Record<string, Ages>> = {
  second: { fresh: 15_000, lazy: 3 * MINUTE },
  minute: { fresh: 15_000, lazy: 3 * MINUTE },
  hour: { fresh: 15 * MINUTE, lazy: HOUR },
  day: { fresh: 2 * HOUR, lazy: 7 * HOUR },
  week: { fresh: 12 * HOUR, lazy: DAY },
  month: { fresh: DAY, lazy: 2 * DAY },
};
const NO_INTERVAL: Ages = { fresh: MINUTE, lazy: HOUR };

const INSIGHTS_BY_DAY = new Set(['TrendsQuery', 'StickinessQuery', 'LifecycleQuery', 'FunnelsQuery', 'PathsQuery']);

function agesOf(node: Readonly<Record<string, unknown>>): Ages {
  const interval = typeof node.interval === 'string' ? node.interval : intervalOf(node);
  return (interval !== undefined && Object.hasOwn(AGES, interval) && AGES[interval]) || NO_INTERVAL;
}

function intervalOf({ kind, retentionFilter }: Readonly<Record<string, unknown>>): string | undefined {
  if (INSIGHTS_BY_DAY.has(String(kind))) return 'day';
  if (kind !== 'RetentionQuery') return undefined;
  const period = isDict(retentionFilter) ? retentionFilter.period : undefined;
  return typeof period === 'string' ? period.toLowerCase() : 'day';
}

export interface Freshness {
  /** Milliseconds; from then on it is computed again when somebody asks for a fresh one. */
  freshUntil: number;
  lazyUntil: number;
  /** Before that, clients need not bother to ask again. */
  nextAllowed: number;
}

/** `answeredTo` is where its range ended, if it has one: what was over when it was computed does not change any more. */
export function freshnessOf(
  node: Readonly<Record<string, unknown>>,
  computedAt: number,
  answeredTo: string | undefined,
): Freshness {
  const { fresh, lazy } = agesOf(node);
  const isOver = answeredTo !== undefined && Date.parse(answeredTo) < computedAt - HOUR;
  return {
    freshUntil: computedAt + (isOver ? Math.max(fresh, DAY) : fresh),
    lazyUntil: computedAt + (isOver ? Math.max(lazy, 2 * DAY) : lazy),
    nextAllowed: computedAt + waitOf(node, computedAt),
  };
}

function waitOf(node: Readonly<Record<string, unknown>>, now: number): number {
  if (!INSIGHTS_BY_DAY.has(String(node.kind)) && node.kind !== 'RetentionQuery') return MINUTE;
  return node.interval === 'hour' || node.interval === 'minute' || isShortRange(node.dateRange, now)
    ? 3 * MINUTE
    : 15 * MINUTE;
}

function isShortRange(range: unknown, now: number): boolean {
  const from = isDict(range) && typeof range.date_from === 'string' ? range.date_from : '-7d';
  const moment = readMoment(from, now, 'UTC');
  return moment !== undefined && moment.micros / 1_000 >= now - 8 * DAY;
}
