// Accepted events of one project as they come, each with what became of it.
import { decodeRecord } from '../../capture/record.ts';
import type { EventLog, LogRecord } from '../../log/log.ts';
import { Unavailable } from '../../platform/unavailable.ts';
import type { EventStore } from '../../store/open.ts';
import { findFates, type Place } from './fates.ts';
import { followLog } from './follow-log.ts';

export type TailLine =
  | {
      kind: 'event';
      accepted_at: string;
      event: string;
      distinct_id: string;
      uuid: string;
      fate: 'stored' | 'dropped' | 'waiting';
      /** Why it was dropped, as far as that is known of a single event. */
      reason: string | null;
    }
  /** Events that capture left out; the first of them is the example. */
  | {
      kind: 'left_out';
      accepted_at: string;
      reason: string;
      count: number;
      event: string | null;
      distinct_id: string | null;
    }
  /** More came than could be shown. */
  | { kind: 'passed_over'; count: number }
  /** Nothing to tell, for a while. */
  | { kind: 'idle' };

export interface TailParts {
  log: EventLog;
  store: EventStore;
  team_id: number;
  signal: AbortSignal;
}

interface Pending extends Place {
  event: string;
  distinct_id: string;
  announced: boolean;
}

/** How many events may be waiting for their fate; what comes beyond is counted, not shown. */
const PENDING_MAX = 1_000;
const READ_MAX = 500;
const LOOK_MS = 200;
/** After this long an event is shown as waiting, and again when its fate is known. */
const PATIENCE_MS = 2_000;
const IDLE_MS = 15_000;

export async function* tailEvents({ log, store, team_id, signal }: TailParts): AsyncGenerator<TailLine> {
  const pending = new Set<Pending>();
  // The first word comes as soon as the log is followed: until then, whoever asked cannot tell whether he is heard.
  let [lookedAt, spokeAt] = [0, Number.NEGATIVE_INFINITY];
  for await (const { partition, records, missed } of followLog(log, {
    waitMs: LOOK_MS,
    recordsMax: READ_MAX,
    signal,
  })) {
    const lines = [...receive(records, partition, team_id, pending)];
    if (missed > 0) lines.push({ kind: 'passed_over', count: missed });
    if (performance.now() - lookedAt >= LOOK_MS && pending.size > 0) {
      lines.push(...(await settle(log, store, team_id, pending)));
      lookedAt = performance.now();
    }
    if (lines.length === 0 && performance.now() - spokeAt >= IDLE_MS) lines.push({ kind: 'idle' });
    if (lines.length > 0) spokeAt = performance.now();
    yield* lines;
  }
}

/** Notes the project's events, and tells what was left out at the door. */
function* receive(
  records: readonly LogRecord[],
  partition: number,
  team_id: number,
  pending: Set<Pending>,
): Generator<TailLine> {
  let passedOver = 0;
  for (const { value, position, appendedAt } of records) {
    const record = decodeRecord(value);
    if (record.team_id !== team_id) continue;
    if (record.kind === 'drop') {
      const { reason, count, details } = record;
      const { event = null, distinct_id = null } = details;
      yield { kind: 'left_out', accepted_at: toTime(appendedAt), reason, count, event, distinct_id };
    } else if (pending.size < PENDING_MAX) {
      const { uuid, event, distinct_id } = record;
      pending.add({ uuid, event, distinct_id, partition, position, acceptedAt: appendedAt, announced: false });
    } else {
      passedOver += 1;
    }
  }
  if (passedOver > 0) yield { kind: 'passed_over', count: passedOver };
}

/** Tells the fates that are known by now, and who has waited for long. */
async function settle(log: EventLog, store: EventStore, team_id: number, pending: Set<Pending>): Promise<TailLine[]> {
  const committed = new Map<number, number>();
  for (const { partition } of pending) {
    if (!committed.has(partition)) committed.set(partition, await log.committed(partition));
  }
  const processed = [...pending].filter(({ partition, position }) => position < (committed.get(partition) ?? 0));
  const lines: TailLine[] = [];
  for (const [place, fate] of processed.length > 0 ? await findFatesIfPossible(store, team_id, processed) : []) {
    pending.delete(place as Pending);
    const line = toLine(place as Pending, fate.stored ? 'stored' : 'dropped');
    lines.push(fate.stored ? line : { ...line, reason: fate.reason });
  }
  const impatientSince = Date.now() - PATIENCE_MS;
  for (const each of pending) {
    if (each.announced || each.acceptedAt > impatientSince) continue;
    each.announced = true;
    lines.push(toLine(each, 'waiting'));
  }
  return lines;
}

/** While the store does not answer, everything goes on waiting. */
async function findFatesIfPossible(store: EventStore, team_id: number, places: readonly Pending[]) {
  try {
    return await findFates(store, team_id, places);
  } catch (error) {
    if (error instanceof Unavailable) return [];
    throw error;
  }
}

function toLine({ acceptedAt, event, distinct_id, uuid }: Pending, fate: 'stored' | 'dropped' | 'waiting') {
  return { kind: 'event', accepted_at: toTime(acceptedAt), event, distinct_id, uuid, fate, reason: null } as const;
}

const toTime = (ms: number): string => new Date(ms).toISOString();
