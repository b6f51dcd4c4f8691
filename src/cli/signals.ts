/** A Ctrl-C may arrive twice by itself: from the terminal, and passed on by npm or by the process in front of this one. */
const SAME_PRESS_MS = 1_000;

/**
 * Resolves with the name of the first signal that asks the program to stop. From then on a further Ctrl-C ends the
 * process on the spot; the engines notice that it is gone and end too.
 */
export function waitForStop(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const ask = (signal: NodeJS.Signals) => {
      if (askedAt === undefined) {
        askedAt = performance.now();
        resolve(signal);
      } else if (signal === 'SIGINT' && performance.now() - askedAt > SAME_PRESS_MS) {
        process.exit(130);
      }
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, ask);
  });
}
