// Asks two servers the same small thing, over and over, and remembers the longest wait. A process of its own: whoever
// makes the load has no time to keep time.
import { setTimeout as delay } from 'node:timers/promises';
import type { Longest } from './pinger.ts';
import { type Sending, send } from './send.ts';

const EVERY_MS = 5;

interface Target {
  name: keyof Longest;
  port: number;
  sendings: Sending[];
}

const longest: Longest = { program: 0, bare: 0 };

async function ping({ name, port, sendings }: Target): Promise<void> {
  for (let n = 0; ; n += 1) {
    const begun = performance.now();
    const { status } = await send(port, sendings[n % sendings.length]!);
    // A refusal is an answer too; no answer at all counts as the longest wait there is.
    longest[name] = Math.max(longest[name], status === 0 ? Number.POSITIVE_INFINITY : performance.now() - begun);
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
