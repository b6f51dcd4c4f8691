// Asks two servers the same small thing, over and over, and remembers the longest wait. A process of its own: whoever
// makes the load has no time to keep time.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Longest } from './pinger.ts';
import { type Sending, send } from './send.ts';

const EVERY_MS = 5;

interface Target {
  name: keyof Longest;
  port: number;
  pid: number;
  sendings: Sending[];
}

/** How long the main threads of the server and of this process have stood in line for a processor, in milliseconds. */
function readQueuedMs(pid: number): number {
  const queuedNs = (each: number) => Number(readFileSync(`/proc/${each}/task/${each}/schedstat`, 'utf8').split(' ')[1]);
  return (queuedNs(pid) + queuedNs(process.pid)) / 1e6;
}

const longest: Longest = { program: 0, bare: 0 };

async function ping({ name, port, pid, sendings }: Target): Promise<void> {
  for (let n = 0; ; n += 1) {
    const [begun, queuedBefore] = [performance.now(), readQueuedMs(pid)];
    const { status } = await send(port, sendings[n % sendings.length]!);
    const waitedMs = performance.now() - begun - (readQueuedMs(pid) - queuedBefore);
    // A refusal is an answer too; no answer at all counts as the longest wait there is.
    longest[name] = Math.max(longest[name], status === 0 ? Number.POSITIVE_INFINITY : waitedMs);
    await delay(EVERY_MS);
  }
}

process.on('message', (message: { targets?: Target[]; take?: true }) => {
  for (const target of message.targets ?? []) void ping(target);
  if (!message.take) return;
  process.send!({ ...longest });
  longest.program = 0;
  longest.bare = 0;
});
process.on('disconnect', () => process.exit(0));
