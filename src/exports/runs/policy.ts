// How long a run may take, when a failed attempt is repeated, and when an export is stopped. Pure.
import { intervalMs } from '../schedule/schedule.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface RetryPolicy {
  firstMs: number;
  maxMs: number;
}

export const RETRY: RetryPolicy = { firstMs: 30_000, maxMs: 120_000 };

/** How long after the failure of this attempt, counted from 1, the next begins: twice as long each time, to a limit. */
export function waitAfter(attempt: number, { firstMs, maxMs }: RetryPolicy = RETRY): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(attempt - 1, 30));
}

/** What a run of this interval may take, all of its attempts together. */
export function runMsMax(interval: string): number {
  const length = intervalMs(interval) ?? HOUR_MS;
  if (length >= 7 * DAY_MS) return 3 * DAY_MS;
  if (length >= DAY_MS) return DAY_MS;
  if (length >= HOUR_MS) return 6 * HOUR_MS;
  return Math.max(20 * MINUTE_MS, 4 * length);
}

/** An export is paused when so many of its last runs failed in a way that only a person can mend. */
export const FAILURES_MAX = 10;
export const FAILURES_AMONG = 50;
