// Orders for the load generator, which runs in a process of its own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RequestKind } from './requests.ts';

export interface LoadOrder {
  port: number;
  kind: RequestKind;
  connections: number;
  /** The number of the first event; every event that a server ever gets has another. */
  firstEvent: number;
  /** It ends after so many seconds or events, whichever comes first. */
  seconds?: number;
  events?: number;
  /** As fast as answers come, unless said. */
  eventsPerSecond?: number;
  /** Tell when each request was answered. */
  keepAnswers?: boolean;
}

export interface LoadResult {
  requests: number;
  events: number;
  /** The middle size of a request's body. */
  bodyBytes: number;
  seconds: number;
  /** How often each was answered; a 503 is sent again until it is another. */
  statuses: Record<string, number>;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** The first event of each request, and when its answer had come, in milliseconds since 1970. */
  answered: [firstEvent: number, at: number][];
}

export interface LoadGenerator extends AsyncDisposable {
  run(order: LoadOrder): Promise<LoadResult>;
}

const PROCESS = fileURLToPath(new URL('load-process.ts', import.meta.url));

export async function openLoadGenerator(): Promise<LoadGenerator> {
  const child = fork(PROCESS, { execArgv: [] });
  const ended = once(child, 'exit');
  await once(child, 'message');
  return {
    async run(order) {
      const answer = once(child, 'message');
      child.send(order);
      const [result] = (await Promise.race([answer, ended.then(() => [{ error: 'it ended' }])])) as [
        LoadResult | { error: string },
      ];
      if ('error' in result) throw new Error(`the load generator: ${result.error}`);
      return result;
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
