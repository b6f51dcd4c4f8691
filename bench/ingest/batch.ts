// Batches of a hundred events, from the first request until the last event is stored, and how much of the disk each event
// takes; beside a bare insert of the very rows that came of it.
import type { LoadedProgram } from '../../test/load/program.ts';
import { TOKEN } from '../../test/program.ts';
import { measureBareInsert } from './bare-insert.ts';
import { readCpuMicros } from './cpu.ts';
import type { Goal } from './goal.ts';
import type { LoadGenerator } from './load.ts';
import { waitUntilStored } from './stored.ts';

export const CONNECTIONS = 16;
const WARM_UP_EVENTS = 20_000;
const RATIO_MIN = 0.35;
const EVENTS_PER_SECOND_MIN = 40_000;

export const batchKind = { path: '/batch/', token: TOKEN, eventsPerRequest: 100, requests: 200, people: 5_000 };

export interface BatchParts {
  generator: LoadGenerator;
  program: LoadedProgram;
  data: string;
  events: number;
  takeNumbers(count: number): number;
}

/** Ends the program on the way: the engine cannot be opened twice. */
export async function measureBatch({ generator, program, data, events, takeNumbers }: BatchParts): Promise<Goal[]> {
  const load = (count: number) =>
    generator.run({
      port: program.port,
      kind: batchKind,
      connections: CONNECTIONS,
      events: count,
      firstEvent: takeNumbers(count + CONNECTIONS * batchKind.eventsPerRequest),
    });
  const warm = await load(WARM_UP_EVENTS);
  await waitUntilStored(program, warm.events);

  const engine = program.findEngine('ClickHouse')!;
  const [cpuBefore, engineCpuBefore] = [await readCpuMicros(program.pid), await readCpuMicros(engine)];
  const startedAt = performance.now();
  const result = await load(events);
  await waitUntilStored(program, warm.events + result.events);
  const seconds = (performance.now() - startedAt) / 1000;
  const [cpu, engineCpu] = [await readCpuMicros(program.pid), await readCpuMicros(engine)];
  const size = await readStoredSize(program);

  await program.stop();
  const bare = await measureBareInsert(data);
  const eventsPerSecond = result.events / seconds;
  return [
    {
      name: '/batch/ of 100, accepted and stored',
      value: eventsPerSecond,
      unit: 'events/s',
      min: EVENTS_PER_SECOND_MIN,
    },
    {
      name: 'the same beside a bare insert of its rows',
      value: eventsPerSecond / bare.rowsPerSecond,
      unit: 'of it',
      min: RATIO_MIN,
    },
    { name: 'the bare insert', value: bare.rowsPerSecond, unit: 'rows/s' },
    { name: '/batch/, accepted', value: result.events / result.seconds, unit: 'events/s' },
    { name: '/batch/, refused with 503 and sent again', value: result.statuses['503'] ?? 0, unit: 'requests' },
    { name: '/batch/, processor time of an event, program', value: (cpu - cpuBefore) / result.events, unit: 'µs' },
    {
      name: '/batch/, processor time of an event, ClickHouse',
      value: (engineCpu - engineCpuBefore) / result.events,
      unit: 'µs',
    },
    { name: 'an event on the wire', value: result.bodyBytes / batchKind.eventsPerRequest, unit: 'bytes' },
    { name: 'an event in the store', value: size, unit: 'bytes' },
  ];
}

/** Bytes on the disk, indexes and all, in the parts that are in use. */
async function readStoredSize(program: LoadedProgram): Promise<number> {
  const [row] = await program.ask<{ size: number }>(
    `select sum(bytes_on_disk) / sum(rows) as size from system.parts where active and table = 'events'`,
  );
  return row!.size;
}
