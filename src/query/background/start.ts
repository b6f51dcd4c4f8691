// What queries do by themselves: keeping answers warm, and folding merged persons into the rows.
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { EventStore } from '../../store/open.ts';
import { foldOverrides } from './fold.ts';
import { type WarmParts, warmOnce } from './warm.ts';

const WARM_MS = 60_000;
const FOLD_MS = 3_600_000;
/** Any two numbers that nobody else locks; one process at a time does each of these. */
const WARM_LOCK = 7_365_001;
const FOLD_LOCK = 7_365_002;

export interface BackgroundParts extends WarmParts {
  store: EventStore;
  cluster?: string | undefined;
}

export interface Background {
  close(): Promise<void>;
}

export function startBackground(parts: BackgroundParts): Background {
  const { db, store, cluster, log } = parts;
  const stopping = new AbortController();

  const alone = (lock: number, work: () => Promise<unknown>) =>
    db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${lock}) as free`.execute(tx);
      if (rows[0]?.free) await work();
    });

  const repeat = async (everyMs: number, lock: number, what: string, work: () => Promise<unknown>) => {
    for (;;) {
      await delay(everyMs, undefined, { signal: stopping.signal, ref: false });
      await alone(lock, work).catch((error: unknown) => log.warn({ err: error }, what));
    }
  };

  const running = [
    repeat(WARM_MS, WARM_LOCK, 'answers could not be kept warm', () => warmOnce(parts, stopping.signal)),
    repeat(FOLD_MS, FOLD_LOCK, 'merged persons could not be folded into their events', () =>
      foldOverrides({ db, client: store.client, cluster }),
    ),
  ].map((loop) => loop.catch(() => {}));

  return {
    async close() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
