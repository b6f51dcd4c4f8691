// Runs of exports by a process of their own, with what they cost: time, and memory of the exporter and the engine.
import { setTimeout as delay } from 'node:timers/promises';
import { makeUuidV7 } from '../../src/capture/uuid.ts';
import { createExport } from '../../src/exports/change.ts';
import type { Exports } from '../../src/exports/open.ts';
import { insertRun } from '../../src/exports/runs/sql.ts';
import type { Db } from '../../src/exports/sql.ts';
import { readOwnMb, watchOwnMemory } from '../../test/load/memory.ts';
import { waitFor } from '../../test/program.ts';
import type { Interval } from './intervals.ts';

const RUN_MS_MAX = 3_600_000;
const REST_MS = 5_000;

export interface Shipping {
  rows: number;
  seconds: number;
  /** How much more memory exporter and engine had, at most, than before the first run. */
  grownMb: number;
}

export interface Shipper {
  ship(type: string, config: Record<string, unknown>, interval: Interval): Promise<Shipping>;
}

/** @param pids by the name that they are printed with */
export async function openShipper(
  db: Db,
  exports: Exports,
  team_id: number,
  pids: Record<string, number>,
): Promise<Shipper> {
  const watched = await Promise.all(
    Object.entries(pids).map(async ([name, pid]) => ({ name, pid, idleMb: await readIdleMb(pid) })),
  );
  console.log(`at rest: ${watched.map(({ name, idleMb }) => `${name} ${Math.round(idleMb)} MB`).join(', ')}`);

  async function finish(id: string) {
    const run = await db.selectFrom('batch_export_run').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    if (run.status === 'Completed') return run;
    if (run.latest_error) throw new Error(run.latest_error);
    return undefined;
  }

  return {
    async ship(type, config, interval) {
      const draft = { name: type, interval: 'hour', paused: true, destination: { type, config } };
      const { id: batch_export_id } = await createExport(exports.parts, team_id, draft);
      const id = makeUuidV7(Date.now());
      const watches = watched.map((each) => ({ ...each, watch: watchOwnMemory(each.pid) }));
      await insertRun(db, { id, batch_export_id, backfill_id: null, interval });
      const run = await waitFor(() => finish(id), RUN_MS_MAX);
      const seconds = (Date.parse(run.finished_at!) - Date.parse(run.started_at!)) / 1_000;
      const grown = watches.map(({ name, idleMb, watch }) => ({ name, mb: watch.stop() - idleMb }));
      const shares = grown.map(({ name, mb }) => `${name} ${Math.round(mb)} MB`).join(', ');
      const rows = Number(run.records_completed);
      console.log(
        `${type} ${config.compression ?? ''}: ${rows} rows, ${run.bytes_exported} bytes, ${seconds} s, ${shares}`,
      );
      return { rows, seconds, grownMb: grown.reduce((sum, { mb }) => sum + mb, 0) };
    },
  };
}

/** What a process has worked with before, it gives back after a while: it is at rest when that goes no further. */
async function readIdleMb(pid: number): Promise<number> {
  let idleMb = readOwnMb(pid);
  for (;;) {
    await delay(REST_MS);
    const nowMb = readOwnMb(pid);
    if (nowMb > idleMb - 1) return Math.min(nowMb, idleMb);
    idleMb = nowMb;
  }
}
