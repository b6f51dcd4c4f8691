// Looking at what has arrived in the event store.
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadedProgram } from '../../test/load/program.ts';

/** Looking costs the program and the engine some milliseconds each time. */
const LOOK_EVERY_MS = 100;
/** Longer than any pause of a pipeline that is still alive. */
const STANDSTILL_MS_MAX = 60_000;

export async function countStored(program: LoadedProgram): Promise<number> {
  const [row] = await program.ask<{ rows: string }>('select count() as rows from events');
  return Number(row!.rows);
}

/** Resolves when so many events are stored; fails when nothing moves any more. */
export async function waitUntilStored(program: LoadedProgram, events: number): Promise<void> {
  let stored = 0;
  let movedAt = performance.now();
  while (stored < events) {
    const now = await countStored(program);
    if (now > stored) movedAt = performance.now();
    stored = now;
    if (performance.now() - movedAt > STANDSTILL_MS_MAX) {
      throw new Error(`only ${stored} of ${events} events are stored\n${program.output().slice(-2_000)}`);
    }
    await delay(LOOK_EVERY_MS);
  }
}
