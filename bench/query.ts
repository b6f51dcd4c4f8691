// Questions from the request to the answer, beside the best SQL that we can write by hand for each, through the same
// engine. `npm run bench query [events …]`; of 1,000,000 events and then of 10,000,000 if nothing is said.
import { performance } from 'node:perf_hooks';
import { type QueryApp, startQueryApp } from '../test/journeys/query-app.ts';
import { type Figure, median } from './measure/figure.ts';
import { growTo, insertPersons } from './query/events.ts';
import { peers } from './query/peers.ts';
import { type Question, questions } from './query/questions.ts';

const RUNS = 7;
const WARM_UP_ROUNDS = 3;
const CACHED_MS_MAX = 10;
const MILLION = 1_000_000;

export async function run(): Promise<Figure[]> {
  const given = process.argv.slice(3).map(Number);
  const sizes = given.length > 0 ? given : [MILLION, 10 * MILLION];
  await using app = await startQueryApp({}, { checkResponses: false });
  // Closing may fail as well after a failure, and would hide it.
  return await measureAll(app, sizes).catch((error: unknown) => {
    console.error(error);
    throw error;
  });
}

async function measureAll(app: QueryApp, sizes: readonly number[]): Promise<Figure[]> {
  await insertPersons(app.tables);
  const figures: Figure[] = [];
  const times: Record<string, number>[] = [];
  let size = 0;
  for (const events of sizes) {
    await growTo(app.tables, size, events);
    size = events;
    if (times.length === 0) await warmUp(app);
    const measured = await measure(app, events);
    figures.push(...measured.figures);
    times.push(measured.times);
  }
  return [...figures, ...growth(sizes, times)];
}

/** A program that has just begun runs its code slowly, and the first question would pay for all of them. */
async function warmUp(app: QueryApp): Promise<void> {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    for (const { name, query } of questions) {
      await ask(app, query, 'force_blocking', false);
      await app.tables.ask(peers[name]);
    }
  }
}

/** All questions about so many events. */
async function measure(app: QueryApp, events: number) {
  const of = (name: string) => `${name}, ${events / MILLION} M`;
  const figures: Figure[] = [];
  const times: Record<string, number> = {};
  for (const { name, query, maxMs } of questions) {
    const { ours, byHand, cached } = await inTurns({
      ours: () => ask(app, query, 'force_blocking', false),
      byHand: () => app.tables.ask(peers[name]),
      cached: () => ask(app, query, 'blocking', true),
    });
    times[name] = ours;
    figures.push(
      { name: of(`${name}, by hand`), value: byHand, unit: 'ms' },
      { name: of(name), value: ours, unit: 'ms', max: 1.5 * byHand + 15 },
      { name: of(`${name}, cached`), value: cached, unit: 'ms', max: CACHED_MS_MAX },
    );
    if (maxMs !== undefined && events <= MILLION) {
      figures.push({ name: of(`${name}, end to end`), value: ours, unit: 'ms', max: maxMs });
    }
  }
  return { figures, times };
}

async function ask(app: QueryApp, query: Question['query'], refresh: string, isCached: boolean): Promise<void> {
  const { status, text, body } = await app.query(query, { refresh });
  if (status !== 200 || body.is_cached !== isCached) throw new Error(`${status}: ${text.slice(0, 500)}`);
}

/** How many times as long the last size took as the first; no more than there are times as many events. */
function growth(sizes: readonly number[], times: readonly Record<string, number>[]): Figure[] {
  const [first, last] = [sizes[0]!, sizes.at(-1)!];
  if (first === last) return [];
  return questions.map(({ name }) => ({
    name: `${name}, growth over ${last / first} times the events`,
    value: times.at(-1)![name]! / times[0]![name]!,
    unit: '×',
    max: last / first,
  }));
}

/** The middle of some runs of each, taken in turns so that all meet the same neighbours. */
async function inTurns<Name extends string>(
  tasks: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(tasks) as Name[];
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let run = 0; run <= RUNS; run += 1) {
    for (const name of names) {
      const startedAt = performance.now();
      await tasks[name]();
      // The first run of each warms the caches.
      if (run > 0) times.get(name)?.push(performance.now() - startedAt);
    }
  }
  return Object.fromEntries([...times].map(([name, of]) => [name, median(of)])) as Record<Name, number>;
}
