import { setTimeout as delay } from 'node:timers/promises';

/** Asks until the answer is true; fails, with what was waited for, when it never is. */
export async function eventually(
  what: string,
  ask: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> {
  const until = performance.now() + withinMs;
  while (!(await ask())) {
    if (performance.now() > until) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(20);
  }
}
