// What the live feed keeps and shows: bounded, whatever comes in.
import type { TailLine } from '../../api/follow-events.ts';

export type FeedLine = Extract<TailLine, { kind: 'event' } | { kind: 'left_out' }> & { key: string };

export interface Feed {
  lines: readonly FeedLine[];
  /** More came than could be shown. */
  passedOver: number;
}

export const emptyFeed: Feed = { lines: [], passedOver: 0 };
export const FEED_MAX = 500;

/** Newest first, each event once: it is told again when its fate is known, and then takes the place it had. */
export function withLines({ lines, passedOver }: Feed, told: readonly TailLine[], serial: () => number): Feed {
  const byKey = new Map(lines.map((line) => [line.key, line]));
  const fresh = new Map<string, FeedLine>();
  let missed = passedOver;
  for (const line of told) {
    if (line.kind === 'passed_over') missed += line.count;
    if (line.kind === 'left_out') {
      const key = `left out ${serial()}`;
      fresh.set(key, { ...line, key });
    }
    if (line.kind !== 'event') continue;
    const known = { ...line, key: line.uuid };
    if (byKey.has(line.uuid)) byKey.set(line.uuid, known);
    else fresh.set(line.uuid, known);
  }
  const kept = [...[...fresh.values()].reverse(), ...byKey.values()];
  return { lines: kept.slice(0, FEED_MAX), passedOver: missed };
}

export interface FeedFilter {
  event?: string | undefined;
  person?: string | undefined;
  fate?: 'stored' | 'dropped' | 'waiting' | undefined;
}

const includes = (text: string | null, part: string | undefined) =>
  part === undefined || (text ?? '').toLowerCase().includes(part.toLowerCase());

export const fateOf = (line: FeedLine) => (line.kind === 'left_out' ? 'dropped' : line.fate);

export const matchFeed = (lines: readonly FeedLine[], { event, person, fate }: FeedFilter): FeedLine[] =>
  lines.filter(
    (line) =>
      includes(line.event, event) &&
      includes(line.distinct_id, person) &&
      (fate === undefined || fateOf(line) === fate),
  );
