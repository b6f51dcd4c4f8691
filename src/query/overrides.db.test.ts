import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { openTestTables } from '../../test/tables.ts';
import { insertRows } from '../store/tables/insert.ts';
import { openEngine } from './ask.ts';
import { OverrideGuesses } from './overrides.ts';

const tables = await openTestTables();
after(() => tables[Symbol.asyncDispose]());
const guesses = new OverrideGuesses(openEngine(tables.store, { seconds: 20, memoryBytes: 1024 ** 3 }));

/** What a question was told on its way, and what it answered. */
async function ask(team_id: number) {
  const told: boolean[] = [];
  const { signal } = new AbortController();
  const answer = await guesses.use({ team_id, signal }, async (hasOverrides) => {
    told.push(hasOverrides);
    return hasOverrides ? 'who they are now' : 'who they were';
  });
  return { told, answer };
}

async function mergeSomebody(team_id: number): Promise<void> {
  const merged = { distinct_id: 'bob', person_id: randomUUID(), is_deleted: false, version: 1, inserted_at: 0 };
  await insertRows(tables.client, 'person_distinct_id_overrides', [{ ...merged, team_id }], randomUUID());
}

test('the first question after a merge knows of it, and the next one knew', async () => {
  assert.deepEqual(await ask(1), { told: [false], answer: 'who they were' });

  await mergeSomebody(1);

  assert.deepEqual(await ask(1), { told: [false, true], answer: 'who they are now' });
  assert.deepEqual(await ask(1), { told: [true], answer: 'who they are now' });
  assert.deepEqual(await ask(2), { told: [false], answer: 'who they were' });
});

test('what comes of a wrong guess is stopped, and whatever it says is not heard', async () => {
  await mergeSomebody(3);
  const signals: AbortSignal[] = [];

  const answer = await guesses.use({ team_id: 3, signal: AbortSignal.any([]) }, async (hasOverrides, signal) => {
    signals.push(signal);
    if (!hasOverrides) throw new Error('asked without its people');
    return 'who they are now';
  });

  assert.equal(answer, 'who they are now');
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, false],
  );
});

test('a failure is told once the guess is known to be right', async () => {
  const { signal } = new AbortController();
  await assert.rejects(
    guesses.use({ team_id: 4, signal }, async () => {
      throw new Error('no such event');
    }),
    /no such event/,
  );
});
