// When each flag was last asked for: looked up in the background, because lists of flags show it and should not wait.
import { type Kysely, sql } from 'kysely';
import { ask } from '../../filters/ask.ts';
import { BoundValues } from '../../filters/bound-values.ts';
import type { Database } from '../../metadata/tables.ts';
import { inTransaction } from '../../metadata/transaction.ts';
import { readWatermark } from '../../pipeline/watermark.ts';
import type { Logger } from '../../platform/logger.ts';
import type { EventStore } from '../../store/open.ts';
import { CALLED, FLAG_KEY } from './calls.ts';

type Db = Kysely<Database>;

const LOOK_EVERY_MS = 30_000;

export interface LastCallsParts {
  db: Db;
  store: EventStore;
  log: Logger;
}

export function startNotingCalls({ db, store, log }: LastCallsParts): { close(): Promise<void> } {
  let looking: Promise<void> | undefined;
  const look = () => {
    looking ??= noteLastCalls(db, store)
      .catch((error) => log.debug({ err: error }, 'calls of flags were not looked at; trying again'))
      .finally(() => {
        looking = undefined;
      });
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await looking;
    },
  };
}

/** Looks at what was stored since the last time. Running it twice, or in two processes, does no harm. */
export async function noteLastCalls(db: Db, store: EventStore): Promise<void> {
  const to = await readWatermark(db);
  const { looked_up_to: from } = await db
    .selectFrom('flag_call_progress')
    .select('looked_up_to')
    .executeTakeFirstOrThrow();
  if (to <= from) return;
  const bound = new BoundValues();
  const text = `
    SELECT team_id, ${FLAG_KEY} AS flag_key,
           toUnixTimestamp64Milli(toDateTime64(max(least(timestamp, inserted_at)), 3)) AS called_ms
      FROM events
     WHERE event = ${bound.text(CALLED)} AND flag_key != ''
       AND inserted_at >= ${bound.moment(from)} AND inserted_at < ${bound.moment(to)}
     GROUP BY team_id, flag_key`;
  const rows = await ask<{ team_id: number; flag_key: string; called_ms: number }>(store, {
    text,
    params: bound.params,
  });
  await inTransaction(db, async (tx) => {
    await sql`
      insert into flag_last_call as known (team_id, flag_key, called_at)
      select team_id, flag_key, to_timestamp(called_ms / 1000.0)
        from unnest(${rows.map((row) => row.team_id)}::int[], ${rows.map((row) => row.flag_key)}::text[],
                    ${rows.map((row) => row.called_ms)}::float8[]) as news (team_id, flag_key, called_ms)
       where exists (select from project where id = team_id)
          on conflict (team_id, flag_key) do update set called_at = greatest(known.called_at, excluded.called_at)`.execute(
      tx,
    );
    await sql`update flag_call_progress set looked_up_to = greatest(looked_up_to, ${to})`.execute(tx);
  });
}

/** By flag key. */
export async function findLastCalls(db: Db, team_id: number): Promise<Map<string, string>> {
  const rows = await db.selectFrom('flag_last_call').selectAll().where('team_id', '=', team_id).execute();
  return new Map(rows.map(({ flag_key, called_at }) => [flag_key, called_at]));
}
