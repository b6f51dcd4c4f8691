// The line that says what a slow start is doing, and how long each step took.

export interface Progress {
  readonly steps: readonly { step: string; ms: number }[];
  /** Ends the step before, if any. */
  begin(step: string): void;
  end(): void;
}

/** Steps that take longer than this are worth a line. */
const SLOW_MS = 400;

/** On a terminal the line is replaced by what follows it; elsewhere, slow steps leave one line each. */
export function showProgress(stderr: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>): Progress {
  const steps: { step: string; ms: number }[] = [];
  let current: { step: string; startedAt: number; timer: NodeJS.Timeout } | undefined;
  let lineShown = false;

  const end = () => {
    if (!current) return;
    clearTimeout(current.timer);
    steps.push({ step: current.step, ms: Math.round(performance.now() - current.startedAt) });
    if (lineShown && stderr.isTTY) stderr.write('\r\x1b[K');
    lineShown = false;
    current = undefined;
  };
  const begin = (step: string) => {
    end();
    const timer = setTimeout(() => {
      lineShown = true;
      stderr.write(stderr.isTTY ? `${step} …` : `${step} …\n`);
    }, SLOW_MS);
    current = { step, startedAt: performance.now(), timer };
  };
  return { steps, begin, end };
}
