// The way of events through the real program, all parts running: how many, how fast, how large, beside their limits.
//   npm run bench ingest                       everything, a few minutes
//   npm run bench ingest -- --only single      one of: single, batch, visible, memory, profile
//   npm run bench ingest -- --events 5000000   the long form of `memory`
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type LoadedProgram, startLoadedProgram } from '../test/load/program.ts';
import { type Goal, judge, printGoals } from './ingest/goal.ts';
import { type LoadGenerator, openLoadGenerator } from './ingest/load.ts';
import { measureSingle } from './ingest/single.ts';

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: { only: { type: 'string' }, events: { type: 'string', default: '500000' } },
});

/** What every part of the benchmark works with. */
export interface Bench {
  program: LoadedProgram;
  generator: LoadGenerator;
  /** Reserves numbers for events: no two that a program gets are alike. Returns the first. */
  takeNumbers(count: number): number;
}

const parts: Record<string, (bench: Bench) => Promise<Goal[]>> = {
  single: ({ generator, program, takeNumbers }) => measureSingle(generator, program, takeNumbers),
};

export async function run(): Promise<void> {
  const names = options.only ? [options.only] : Object.keys(parts);
  const goals: Goal[] = [];
  await using generator = await openLoadGenerator();
  for (const name of names) {
    const part = parts[name];
    if (!part) throw new Error(`no part is named ${name}; there are ${Object.keys(parts).join(', ')}`);
    goals.push(...(await withProgram((program) => part({ program, generator, takeNumbers: openNumbers() }))));
  }
  console.log(printGoals(goals));
  if (goals.some((goal) => judge(goal) === 'missed')) process.exitCode = 1;
}

function openNumbers(): Bench['takeNumbers'] {
  let next = 0;
  return (count) => {
    next += count;
    return next - count;
  };
}

/** Each part has a program of its own, so that none inherits what another left to be done. */
async function withProgram<Result>(use: (program: LoadedProgram) => Promise<Result>): Promise<Result> {
  const data = await mkdtemp(join(tmpdir(), 'tenrec-bench-ingest-'));
  const program = await startLoadedProgram({ data });
  try {
    return await use(program);
  } finally {
    await program.stop();
    await rm(data, { recursive: true, force: true });
  }
}
