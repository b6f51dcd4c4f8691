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

  /** Undefined when nothing is known that still holds. */
  find(team_id: number, distinct_id: string): Facts | undefined {
    const kept = this.#kept.get(`${team_id}:${distinct_id}`);
    if (!kept || performance.now() - kept.readAt >= FRESH_MS) return undefined;
    const isQuiet = kept.distinct_ids.every((id) => this.#accepted.isQuietSince(team_id, id, kept.readAt));
    return isQuiet ? kept.facts : undefined;
  }

  /** What was kept of them last, whether it still holds or not. */
  findFormer(team_id: number, distinct_id: string): Facts | undefined {
    return this.#kept.get(`${team_id}:${distinct_id}`)?.facts;
  }

  /** `readAt`: a moment before the reading began, by `performance.now()`. */
  keep(team_id: number, distinct_id: string, kept: Kept<Facts>): void {
    const { distinct_ids, readAt } = kept;
    // What was on its way when this was read will change it.
    if (distinct_ids.length > IDS_MAX || !distinct_ids.every((id) => this.#accepted.isStoredBy(team_id, id, readAt)))
      return;
    const key = `${team_id}:${distinct_id}`;
    // Those who were read last are the last to go.
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    if (this.#kept.size > PEOPLE_MAX) this.#kept.delete(this.#kept.keys().next().value as string);
  }
}
