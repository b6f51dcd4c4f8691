// Starting and following `test-program.ts`.
import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface TestProgram {
  child: ChildProcess;
  /** The next line it says. */
  next(): Promise<Record<string, unknown>>;
  end(signal: NodeJS.Signals): Promise<void>;
}

export function startTestProgram(dataFolder: string, user: { uid?: number; gid?: number } = {}): TestProgram {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'test-program.ts'), dataFolder], {
    ...user,
    // A group of its own, as a terminal would give it, so that a test can send a signal to all of it.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = on(createInterface({ input: child.stdout! }), 'line', { close: ['close'] });
  return {
    child,
    async next() {
      const { value, done } = await said.next();
      if (done) throw new Error('the program ended without another word');
      return JSON.parse(value[0]);
    },
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
}
