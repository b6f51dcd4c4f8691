// How long others wait while something goes on: small requests to the program and, for comparison, to a server that
// does next to nothing. The time that a thread stands in line for a processor, because the machine has other things to
// do, is taken off; what else slows both down is nobody's fault; only the program is to blame for the difference.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Sending } from './send.ts';

/** The longest wait for an answer, in milliseconds. */
export interface Longest {
  program: number;
  bare: number;
}

export interface Pinger extends AsyncDisposable {
  /** The longest waits since the last call. */
  take(): Promise<Longest>;
}

export async function openPinger(
  program: { port: number; pid: number },
  sendings: readonly Sending[],
): Promise<Pinger> {
  const bare = fork(join(import.meta.dirname, 'bare-server.ts'), { execArgv: [] });
  const [{ port: barePort }] = (await once(bare, 'message')) as [{ port: number }];
  const child = fork(join(import.meta.dirname, 'pinger-process.ts'), { execArgv: [], serialization: 'advanced' });
  child.send({
    targets: [
      { name: 'program', port: program.port, pid: program.pid, sendings },
      { name: 'bare', port: barePort, pid: bare.pid, sendings: sendings.filter(({ body }) => body) },
    ],
  });
  return {
    async take() {
      child.send({ take: true });
      const [longest] = (await once(child, 'message')) as [Longest];
      return longest;
    },
    async [Symbol.asyncDispose]() {
      for (const each of [child, bare]) if (each.connected) each.disconnect();
      await Promise.all([child, bare].map((each) => each.exitCode ?? once(each, 'exit')));
    },
  };
}
