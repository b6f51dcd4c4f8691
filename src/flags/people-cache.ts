// People who were asked about a moment ago: pages ask for the flags of one person several times in a row.
//
// What is kept is as good as what is stored. Whatever changes a person is an event, and every event that this process
// accepts passes by `AcceptedWrites`; from that moment on what was read before counts for nothing. Changes that another
// process makes, and deletions, are noticed after `FRESH_MS`.
import type { AcceptedWrites } from './accepted-writes.ts';

export const FRESH_MS = 2_000;
const PEOPLE_MAX = 10_000;
/** Whoever has more ids than this is not worth the looking after. */
export const IDS_MAX = 10;

interface Kept<Facts> {
  facts: Facts;
  /** All ids of the person. */
  distinct_ids: readonly string[];
  readAt: number;
}

export class PeopleCache<Facts> {
  readonly #accepted: AcceptedWrites;
  readonly #kept = new Map<string, Kept<Facts>>();

  constructor(accepted: AcceptedWrites) {
    this.#accepted = accepted;
  }

  /** The very object that was kept; undefined when nothing is known that still holds. */
  find(team_id: number, distinct_id: string): Facts | undefined {
    const key = `${team_id}:${distinct_id}`;
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    const isFresh = performance.now() - kept.readAt < FRESH_MS;
    if (isFresh && kept.distinct_ids.every((id) => this.#accepted.isQuietSince(team_id, id, kept.readAt))) {
      return kept.facts;
    }
    this.#kept.delete(key);
    return undefined;
  }

  /** `readAt`: a moment before the reading began, by `performance.now()`. */
  keep(team_id: number, distinct_id: string, kept: Kept<Facts>): void {
    const { distinct_ids, readAt } = kept;
    // What was on its way when this was read will change it.
    if (distinct_ids.length > IDS_MAX || !distinct_ids.every((id) => this.#accepted.isStoredBy(team_id, id, readAt)))
      return;
    const key = `${team_id}:${distinct_id}`;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    this.#forgetOld(readAt);
  }

  /** The oldest come first. What is too old is let go at once: it may hold definitions that have long been replaced. */
  #forgetOld(now: number): void {
    for (const [key, { readAt }] of this.#kept) {
      if (now - readAt < FRESH_MS && this.#kept.size <= PEOPLE_MAX) return;
      this.#kept.delete(key);
    }
  }
}
