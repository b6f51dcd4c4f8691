// Where the processor time of the program goes while it takes batches: its main thread and the pipeline's.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printTable } from '../../src/cli/table.ts';
import { startLoadedProgram } from '../../test/load/program.ts';
import { batchKind } from './batch.ts';
import type { LoadGenerator } from './load.ts';
import { waitUntilStored } from './stored.ts';

const EVENTS = 100_000;
const TOP = 15;

/** The parts of a `.cpuprofile` that matter here. */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  /** Microseconds since the sample before. */
  timeDeltas: number[];
}

/** Has a program of its own, because being watched slows it down. Prints what it finds. */
export async function printProfile(generator: LoadGenerator): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tenrec-bench-profile-'));
  const profiles = join(folder, 'profiles');
  try {
    const program = await startLoadedProgram({
      data: join(folder, 'data'),
      execArgv: ['--cpu-prof', `--cpu-prof-dir=${profiles}`],
    });
    const { events } = await generator.run({
      port: program.port,
      kind: batchKind,
      connections: 16,
      events: EVENTS,
      firstEvent: 0,
    });
    await waitUntilStored(program, events);
    await program.stop();
    for (const file of (await readdir(profiles)).sort()) {
      const profile: CpuProfile = JSON.parse(await readFile(join(profiles, file), 'utf8'));
      console.log(`${printBusiest(profile)}\n`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function printBusiest({ nodes, samples, timeDeltas }: CpuProfile): string {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const micros = new Map<string, number>();
  for (const [n, id] of samples.entries()) {
    const name = names.get(id)!;
    micros.set(name, (micros.get(name) ?? 0) + timeDeltas[n]!);
  }
  const idle = micros.get('(idle)') ?? 0;
  micros.delete('(idle)');
  const busy = [...micros.values()].reduce((sum, each) => sum + each, 0);
  const isPipeline = [...micros.keys()].some((name) => name.includes('pipeline/settle-batch'));
  const rows = [...micros]
    .sort(([, one], [, other]) => other - one)
    .slice(0, TOP)
    .map(([name, each]) => [`${((each / busy) * 100).toFixed(1)} %`, `${(each / EVENTS).toFixed(2)} µs`, name]);
  const thread = isPipeline ? "THE PIPELINE'S THREAD" : 'THE MAIN THREAD';
  const share = Math.round((busy / (busy + idle)) * 100);
  return printTable(
    ['OF ITS TIME', 'AN EVENT', `${thread}, busy for ${share} % of the time, start and end included`],
    rows,
  );
}

const nameOf = ({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']) =>
  url === ''
    ? functionName || '(unnamed)'
    : `${functionName || '(unnamed)'} ${url.replace(/.*\/(?=(?:src|node_modules)\/)/, '')}:${lineNumber + 1}`;
