// What memory it takes to accept and store very many events: as much at the end as near the beginning.
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadedProgram } from '../../test/load/program.ts';
import { median } from '../measure/figure.ts';
import { readMemoryOfTree } from '../measure/processes.ts';
import { batchKind, CONNECTIONS } from './batch.ts';
import type { Goal } from './goal.ts';
import type { LoadGenerator } from './load.ts';
import { countStored, waitUntilStored } from './stored.ts';

const SAMPLE_EVERY_MS = 1_000;
/** Between the second fifth of the run and the last, all processes together. */
const GROWN_SHARE_MAX = 0.15;
/** The load pauses after so many until they are stored: this is about memory, and not about a full log. */
const EVENTS_AT_ONCE = 500_000;

interface Sample {
  events: number;
  mainMb: number;
  allMb: number;
}

export async function measureMemory(
  generator: LoadGenerator,
  program: LoadedProgram,
  events: number,
  takeNumbers: (count: number) => number,
): Promise<Goal[]> {
  const samples: Sample[] = [];
  const sampling = new AbortController();
  const sampled = sampleMemory(program, samples, sampling.signal);
  for (let sent = 0; sent < events; ) {
    const count = Math.min(EVENTS_AT_ONCE, events - sent);
    const firstEvent = takeNumbers(count + CONNECTIONS * batchKind.eventsPerRequest);
    const order = { port: program.port, kind: batchKind, connections: CONNECTIONS, events: count, firstEvent };
    sent += (await generator.run(order)).events;
    await waitUntilStored(program, sent);
  }
  sampling.abort();
  await sampled;
  return judgeMemory(samples);
}

async function sampleMemory(program: LoadedProgram, samples: Sample[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const processes = await readMemoryOfTree(program.pid);
    samples.push({
      events: await countStored(program),
      mainMb: processes.find(({ pid }) => pid === program.pid)?.rssMb ?? 0,
      allMb: processes.reduce((sum, { rssMb }) => sum + rssMb, 0),
    });
    await delay(SAMPLE_EVERY_MS);
  }
}

/** The first fifth warms up; after that memory has to be what it is, however many events there are. */
function judgeMemory(samples: readonly Sample[]): Goal[] {
  const events = samples.at(-1)!.events;
  const fifth = (n: number) =>
    samples.filter((sample) => sample.events >= (events * n) / 5 && sample.events <= (events * (n + 1)) / 5);
  const [early, late] = [fifth(1), fifth(4)].map((each) => median(each.map(({ allMb }) => allMb)));
  return [
    { name: 'events whose memory was watched', value: events, unit: '' },
    {
      name: 'memory of all processes, last fifth over second',
      value: (late! - early!) / early!,
      unit: 'more',
      max: GROWN_SHARE_MAX,
    },
    { name: 'memory of all processes, RSS, last fifth', value: late!, unit: 'MB' },
    {
      name: 'memory of the program alone, RSS, most',
      value: Math.max(...samples.map(({ mainMb }) => mainMb)),
      unit: 'MB',
    },
  ];
}
