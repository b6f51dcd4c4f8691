// The way of events through the real program, all parts running: how many, how fast, how large, beside their limits.
//   npm run bench ingest                             everything; most of its time goes into five million events
//   npm run bench ingest -- --only single            one of: single, batch, visible, memory, profile
//   npm run bench ingest -- --events 300000          how many events `batch` sends
//   npm run bench ingest -- --memory-events 5000000  and how many `memory`
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type LoadedProgram, startLoadedProgram } from '../test/load/program.ts';
import { measureBatch } from './ingest/batch.ts';
import { type Goal, judge, printGoals } from './ingest/goal.ts';
import { type LoadGenerator, openLoadGenerator } from './ingest/load.ts';
import { measureMemory } from './ingest/memory.ts';
import { printProfile } from './ingest/profile.ts';
import { measureSingle } from './ingest/single.ts';
import { measureVisible } from './ingest/visible.ts';

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    only: { type: 'string' },
    events: { type: 'string', default: '300000' },
    'memory-events': { type: 'string', default: '5000000' },
  },
});

const parts: Record<string, (generator: LoadGenerator) => Promise<Goal[]>> = {
  single: (generator) => withProgram((program) => measureSingle(generator, program, openNumbers())),
  batch: (generator) =>
    withProgram((program, data) =>
      measureBatch({ generator, program, data, events: Number(options.events), takeNumbers: openNumbers() }),
    ),
  visible: (generator) => withProgram((program) => measureVisible(generator, program, openNumbers())),
  memory: (generator) =>
    withProgram((program) => measureMemory(generator, program, Number(options['memory-events']), openNumbers())),
  profile: async (generator) => {
    await printProfile(generator);
    return [];
  },
};

export async function run(): Promise<void> {
  const names = options.only ? [options.only] : Object.keys(parts);
  const goals: Goal[] = [];
  await using generator = await openLoadGenerator();
  for (const name of names) {
    const part = parts[name];
    if (!part) throw new Error(`no part is named ${name}; there are ${Object.keys(parts).join(', ')}`);
    goals.push(...(await part(generator)));
  }
  if (goals.length > 0) console.log(printGoals(goals));
  if (goals.some((goal) => judge(goal) === 'missed')) process.exitCode = 1;
}

/** Hands out numbers for events, so that no two that a program gets are alike. Each call returns the first of its own. */
function openNumbers(): (count: number) => number {
  let next = 0;
  return (count) => {
    next += count;
    return next - count;
  };
}

/** Each part has a program of its own, so that none inherits what another left to be done. */
async function withProgram<Result>(use: (program: LoadedProgram, data: string) => Promise<Result>): Promise<Result> {
  const data = await mkdtemp(join(tmpdir(), 'tenrec-bench-ingest-'));
  const program = await startLoadedProgram({ data });
  try {
    return await use(program, data);
  } finally {
    await program.stop();
    await rm(data, { recursive: true, force: true });
  }
}
