// People who were asked about a moment ago: pages ask for the flags of one person several times in a row, servers for
// those of all their users.
//
// What is kept is as good as what is stored. Whatever changes a person is an event, and every event that this process
// accepts passes by `AcceptedWrites`; from that moment on what was read before counts for nothing. Changes that another
// process makes, and deletions, are noticed within `FRESH_MS`: what is older than that is not used, and those who were
// asked about of late are looked at again before it is, many in one statement (`listExpected`).
import type { AcceptedWrites } from './accepted-writes.ts';

export const FRESH_MS = 2_000;
const PEOPLE_MAX = 10_000;
/** How long somebody is looked at after they were asked about: most who come once do not come again, most others do. */
const ASKED_ONCE_MS = 5_000;
const ASKED_AGAIN_MS = 30_000;
/** A look does not find out that another process has given them one more id, so once in a while they are read again. */
const LOOKED_AT_MS = 60_000;
/** Whoever has more ids than this is not worth the looking after. */
export const IDS_MAX = 10;

export interface Kept<Facts> {
  readonly team_id: number;
  /** The id they were asked about by. */
  readonly distinct_id: string;
  /** All ids of the person. */
  readonly distinct_ids: readonly string[];
  readonly facts: Facts;
  /** A moment before the reading began, by `performance.now()`. */
  readonly readAt: number;
}

interface Entry<Facts> extends Kept<Facts> {
  /** When they were last known to be what is stored: when they were read, or looked at. */
  seenAt: number;
  /** Until then they are looked at. */
  expectedUntil: number;
}

export class PeopleCache<Facts> {
  readonly #accepted: Pick<AcceptedWrites, 'isQuietSince' | 'isStoredBy'>;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry<Facts>>();

  constructor(accepted: Pick<AcceptedWrites, 'isQuietSince' | 'isStoredBy'>, now = () => performance.now()) {
    this.#accepted = accepted;
    this.#now = now;
  }

  /** Undefined when nothing is known that still holds. */
  find(team_id: number, distinct_id: string): Facts | undefined {
    const entry = this.#entries.get(`${team_id}:${distinct_id}`);
    const now = this.#now();
    if (!entry || now - entry.seenAt >= FRESH_MS) return undefined;
    for (const id of entry.distinct_ids) {
      if (!this.#accepted.isQuietSince(team_id, id, entry.seenAt)) return undefined;
    }
    entry.expectedUntil = now + ASKED_AGAIN_MS;
    return entry.facts;
  }

  /** What was kept of them last, whether it still holds or not. */
  findFormer(team_id: number, distinct_id: string): Facts | undefined {
    return this.#entries.get(`${team_id}:${distinct_id}`)?.facts;
  }

  keep(kept: Kept<Facts>): void {
    if (kept.distinct_ids.length > IDS_MAX || !this.#isWhole(kept, kept.readAt)) return;
    const key = `${kept.team_id}:${kept.distinct_id}`;
    // Those who were read last are the last to go.
    const isBack = this.#entries.delete(key);
    const expectedUntil = kept.readAt + (isBack ? ASKED_AGAIN_MS : ASKED_ONCE_MS);
    this.#entries.set(key, { ...kept, seenAt: kept.readAt, expectedUntil });
    if (this.#entries.size > PEOPLE_MAX) this.#entries.delete(this.#entries.keys().next().value as string);
  }

  /** Those who are likely to be asked about again, and still hold. */
  listExpected(): Entry<Facts>[] {
    const now = this.#now();
    return [...this.#entries.values()].filter(
      ({ expectedUntil, seenAt, readAt }) =>
        now < expectedUntil && now - seenAt < FRESH_MS && now - readAt < LOOKED_AT_MS,
    );
  }

  /** They are what they were, as somebody has found who began to look at this moment. */
  confirm(entry: Entry<Facts>, seenAt: number): void {
    if (this.#isWhole(entry, seenAt)) entry.seenAt = seenAt;
  }

  /** They have changed, and have to be read again. */
  end(entry: Entry<Facts>): void {
    entry.seenAt = Number.NEGATIVE_INFINITY;
  }

  /** Whether nothing was on its way at this moment; what was will change them. */
  #isWhole({ team_id, distinct_ids }: Kept<Facts>, at: number): boolean {
    return distinct_ids.every((id) => this.#accepted.isStoredBy(team_id, id, at));
  }
}
