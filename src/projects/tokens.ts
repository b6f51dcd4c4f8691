// Which project a project key belongs to: asked for every event, so the answers are kept for a moment.
import type { Kysely } from 'kysely';
import type { Database } from '../metadata/tables.ts';
import { Unavailable } from '../platform/unavailable.ts';

interface Known {
  /** Undefined: no project has this key. */
  team_id: number | undefined;
  askedAt: number;
  asking?: Promise<number | undefined> | undefined;
}

/** Within this time a changed key is noticed by every process. */
const FRESH_MS = 2_000;
/** While PostgreSQL is away, what was known of a key goes on being true. */
const STALE_MS_MAX = 24 * 60 * 60 * 1000;
/** Keys nobody owns are remembered too, but a sender of made-up keys must not fill the memory. */
const KEYS_MAX = 10_000;

export interface ProjectTokens {
  /** The project's id, or undefined for a key that no project has. */
  find(token: string): Promise<number | undefined> | number | undefined;
  /** Asks anew at the next call: a key was changed here. */
  forget(): void;
}

export function openProjectTokens(db: Kysely<Database>, now: () => number = Date.now): ProjectTokens {
  const known = new Map<string, Known>();

  async function ask(token: string, entry: Known): Promise<number | undefined> {
    try {
      const row = await db.selectFrom('project').select('id').where('api_token', '=', token).executeTakeFirst();
      entry.team_id = row?.id;
      entry.askedAt = now();
    } catch (error) {
      const usable =
        error instanceof Unavailable && entry.team_id !== undefined && now() - entry.askedAt < STALE_MS_MAX;
      if (!usable) throw error;
    } finally {
      entry.asking = undefined;
    }
    return entry.team_id;
  }

  return {
    find(token) {
      let entry = known.get(token);
      if (entry && now() - entry.askedAt < FRESH_MS) return entry.team_id;
      if (!entry) {
        entry = { team_id: undefined, askedAt: Number.NEGATIVE_INFINITY };
        known.set(token, entry);
        if (known.size > KEYS_MAX) known.delete(known.keys().next().value as string);
      }
      // One question for all who ask at once.
      entry.asking ??= ask(token, entry);
      return entry.asking;
    },
    forget() {
      for (const entry of known.values()) entry.askedAt = Number.NEGATIVE_INFINITY;
    },
  };
}
