// Random questions about random projects: what is answered, beside what the reference says.
import assert from 'node:assert/strict';
import { isLong, type Random, seededRandom, seedOfRun } from '../../random.ts';
import type { TestTables } from '../../tables.ts';
import { openTestContext } from './context.ts';
import { type Dataset, makeDataset, storeDataset } from './dataset.ts';

export interface Asked<Question> {
  readonly question: Question;
  readonly dataset: Dataset;
  readonly context: Awaited<ReturnType<typeof openTestContext>>;
  readonly random: Random;
  /** The seed and the question, for a failure to name. */
  readonly told: string;
}

export interface Comparison<Question> {
  readonly tables: TestTables;
  /** Of the first project; the tests of a file have projects of their own. */
  readonly firstTeam?: number;
  readonly datasets: number;
  /** About each of them. */
  readonly questions: number;
  readonly size?: Parameters<typeof makeDataset>[2];
  make(random: Random, dataset: Dataset): Question;
  /** Fails where the two differ; tells whether there was anything to find. */
  look(asked: Asked<Question>): Promise<boolean>;
}

/** So many questions are asked at a time: while one is planned, another is counted. */
const AT_A_TIME = 4;

/** Of many questions, so many have something to find; else they would prove little. */
const FOUND_SHARE_MIN = 1 / 10;

export async function compareWithReference<Question>(comparison: Comparison<Question>): Promise<void> {
  const { tables, firstTeam = 1_000, datasets, questions, size, make, look } = comparison;
  let found = 0;
  for (let n = 0; n < datasets; n += 1) {
    const dataset = makeDataset(seededRandom(seedOfRun + n), firstTeam + n, size);
    await storeDataset(tables.client, dataset);
    const { team_id: id, timezone, weekStartDay, now } = dataset;
    const context = await openTestContext(tables, { project: { id, timezone, weekStartDay }, now });
    const left = countTo(questions);
    const askSome = async () => {
      for (const q of left) {
        // Each has its own randomness, so that it does not matter which of them is answered first.
        const random = seededRandom((seedOfRun + n) * 1_000 + q);
        const question = make(random, dataset);
        const told = `seed ${seedOfRun}, project ${n} in ${timezone}, question ${q}: ${JSON.stringify(question)}`;
        if (await look({ question, dataset, context, random, told })) found += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, askSome));
  }
  if (!isLong) return;
  const asked = datasets * questions;
  assert.ok(found > asked * FOUND_SHARE_MIN, `seed ${seedOfRun}: only ${found} of ${asked} had anything to find`);
  console.log(`seed ${seedOfRun}: ${asked} questions agree, ${found} of them with something to find`);
}

/** Shared by several loops; it ends for all of them when one fails. */
function* countTo(end: number): Generator<number> {
  for (let n = 0; n < end; n += 1) yield n;
}
