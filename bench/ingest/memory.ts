// What memory it takes to accept and store very many events: as much at the end as near the beginning.
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadedProgram } from '../../test/load/program.ts';
import { median } from '../measure/figure.ts';
import { type ProcessMemory, readMemoryOfTree } from '../measure/processes.ts';
import { batchKind, CONNECTIONS } from './batch.ts';
import type { Goal } from './goal.ts';
import type { LoadGenerator } from './load.ts';
import { countStored, waitUntilStored } from './stored.ts';

const SAMPLE_EVERY_MS = 1_000;
/** Of what the processes hold themselves, between the second fifth of the run and the last, all together. */
const GROWN_SHARE_MAX = 0.15;
/** The load pauses after so many until they are stored: this is about memory, and not about a full log. */
const EVENTS_AT_ONCE = 500_000;

const PARTS = { program: 'the program', clickhouse: 'ClickHouse', postgres: 'PostgreSQL' } as const;
type Part = keyof typeof PARTS;

/**
 * Anonymous memory is what a process holds; mapped memory is the kernel's cache of files it reads by mapping them (the
 * event log, the engine's library), which the kernel takes back whenever it needs the room.
 */
interface PartMemory {
  anonymousMb: number;
  mappedMb: number;
}

interface Sample {
  events: number;
  parts: Record<Part, PartMemory>;
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
    samples.push({ events: await countStored(program), parts: sumParts(processes, program.pid) });
    await delay(SAMPLE_EVERY_MS);
  }
}

function sumParts(processes: readonly ProcessMemory[], programPid: number): Record<Part, PartMemory> {
  const none = (): PartMemory => ({ anonymousMb: 0, mappedMb: 0 });
  const parts = { program: none(), clickhouse: none(), postgres: none() };
  for (const { pid, command, rssMb, anonymousMb } of processes) {
    const part = parts[pid === programPid ? 'program' : command.includes('postgres') ? 'postgres' : 'clickhouse'];
    part.anonymousMb += anonymousMb;
    part.mappedMb += rssMb - anonymousMb;
  }
  return parts;
}

/** The first fifth warms up; after that memory has to be what it is, however many events there are. */
function judgeMemory(samples: readonly Sample[]): Goal[] {
  const events = samples.at(-1)!.events;
  const fifth = (n: number) =>
    samples.filter((sample) => sample.events >= (events * n) / 5 && sample.events <= (events * (n + 1)) / 5);
  const typical = (of: readonly Sample[], what: (sample: Sample) => number) => median(of.map(what));
  const [early, late] = [fifth(1), fifth(4)];
  const grown = (what: (sample: Sample) => number) => typical(late, what) / typical(early, what) - 1;
  return [
    { name: 'events whose memory was watched', value: events, unit: '' },
    { name: 'memory held, last fifth over second', value: grown(held), unit: 'more', max: GROWN_SHARE_MAX },
    { name: 'memory held by all, last fifth', value: typical(late, held), unit: 'MB' },
    ...(Object.keys(PARTS) as Part[]).flatMap((part) => [
      {
        name: `held by ${PARTS[part]}, last fifth`,
        value: typical(late, ({ parts }) => parts[part].anonymousMb),
        unit: 'MB',
      },
      {
        name: `mapped by ${PARTS[part]}, last fifth`,
        value: typical(late, ({ parts }) => parts[part].mappedMb),
        unit: 'MB',
      },
    ]),
    { name: 'held by all, most', value: Math.max(...samples.map(held)), unit: 'MB' },
  ];
}

const held = ({ parts }: Sample): number => Object.values(parts).reduce((sum, part) => sum + part.anonymousMb, 0);
