// Random questions about random projects: what is answered, beside what the reference says.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { isLong, type Random, seededRandom, seedOfRun } from '../../random.ts';
import { openTestTables, type TestTables } from '../../tables.ts';
import { doEach } from './at-a-time.ts';
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
  /** About each project; as many as there are by default, unless one of them costs more or less than others do. */
  readonly questions?: number;
  readonly size?: Parameters<typeof makeDataset>[2];
  make(random: Random, dataset: Dataset): Question;
  /** Fails where the two differ; tells whether there was anything to find. */
  look(asked: Asked<Question>): Promise<boolean>;
}

/** The long form asks thousands. */
const [DATASETS, QUESTIONS] = isLong ? [80, 30] : [1, 5];

/** So many questions are asked at a time: while one is planned, another is counted. */
const AT_A_TIME = 4;

/** All comparisons of a process share them; each project is asked about by one. */
let tables: Promise<TestTables> | undefined;
let team_id = 1_000;
after(async () => (await tables)?.[Symbol.asyncDispose]());

/** Of many questions, so many have something to find; else they would prove little. */
const FOUND_SHARE_MIN = 1 / 10;

export async function compareWithReference<Question>(comparison: Comparison<Question>): Promise<void> {
  const { questions = QUESTIONS, size, make, look } = comparison;
  tables ??= openTestTables();
  const opened = await tables;
  let found = 0;
  for (let n = 0; n < DATASETS; n += 1) {
    team_id += 1;
    const dataset = makeDataset(seededRandom(seedOfRun + n), team_id, size);
    await storeDataset(opened.client, dataset);
    const { timezone, weekStartDay, now } = dataset;
    const context = await openTestContext(opened, { project: { id: team_id, timezone, weekStartDay }, now });
    await doEach(Array(questions).keys(), AT_A_TIME, async (q) => {
      // Each has its own randomness, so that it does not matter which of them is answered first.
      const random = seededRandom((seedOfRun + n) * 1_000 + q);
      const question = make(random, dataset);
      const told = `seed ${seedOfRun}, project ${n} in ${timezone}, question ${q}: ${JSON.stringify(question)}`;
      if (await look({ question, dataset, context, random, told })) found += 1;
    });
  }
  if (!isLong) return;
  const asked = DATASETS * questions;
  assert.ok(found > asked * FOUND_SHARE_MIN, `seed ${seedOfRun}: only ${found} of ${asked} had anything to find`);
  console.log(`seed ${seedOfRun}: ${asked} questions agree, ${found} of them with something to find`);
}
