// When an event happened, by the server's clock: the client's own may be wrong by years.
import { MICROS_PER_MS, type Micros, parseTimestamp } from './parse-timestamp.ts';
import type { Warning } from './warnings.ts';

export interface TimeFacts {
  /** When the server received the request, milliseconds since 1970. */
  now: number;
  /** When the client says it sent the request, by its own clock. */
  sent_at: string | undefined;
  /** When the client says it happened. */
  timestamp: string | undefined;
  /** Milliseconds between the event and its sending. */
  offset: number | undefined;
  /** The client asks not to correct its clock: property `$ignore_sent_at`. */
  ignore_sent_at: boolean;
}

export interface SettledTime {
  timestamp: Micros;
  warning?: Warning;
}

const FUTURE_MICROS_MAX = 23 * 3_600 * 1_000_000;
const YEAR_0: Micros = Date.parse('0000-01-01T00:00:00Z') * MICROS_PER_MS;
const YEAR_10000: Micros = Date.parse('+010000-01-01T00:00:00Z') * MICROS_PER_MS;

/**
 * The client's clock is compared with ours at the moment of sending, and what it lacks is added to the event's time.
 * An offset needs no comparison and wins. A time further ahead than any zone could explain becomes the time of receipt.
 */
export function settleTimestamp(facts: TimeFacts): SettledTime {
  const now = facts.now * MICROS_PER_MS;
  const given = facts.timestamp === undefined ? undefined : parseTimestamp(facts.timestamp);
  const invalid = facts.timestamp !== undefined && given === undefined;
  const timestamp = facts.offset === undefined ? correctClock(given, now, facts) : now - facts.offset * MICROS_PER_MS;
  if (timestamp - now > FUTURE_MICROS_MAX) return { timestamp: now, warning: inFuture(facts) };
  if (!(timestamp >= YEAR_0 && timestamp < YEAR_10000))
    return { timestamp: 0, warning: ignored(facts, 'out of range') };
  return invalid ? { timestamp, warning: ignored(facts, 'not a timestamp') } : { timestamp: Math.round(timestamp) };
}

function correctClock(given: Micros | undefined, now: Micros, { sent_at, ignore_sent_at }: TimeFacts): Micros {
  if (given === undefined) return now;
  const sentAt = sent_at === undefined || ignore_sent_at ? undefined : parseTimestamp(sent_at);
  return sentAt === undefined ? given : now + (given - sentAt);
}

function ignored({ timestamp, offset }: TimeFacts, reason: string): Warning {
  const [field, value] = offset === undefined ? ['timestamp', timestamp ?? ''] : ['offset', offset];
  return { type: 'ignored_invalid_timestamp', details: { field, value, reason } };
}

function inFuture({ timestamp, sent_at, offset, now }: TimeFacts): Warning {
  const at = new Date(now).toISOString();
  const given = { timestamp: timestamp ?? null, sentAt: sent_at ?? null, offset: offset ?? null };
  return { type: 'event_timestamp_in_future', details: { ...given, now: at, result: at } };
}
