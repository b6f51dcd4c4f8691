import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParserLane } from './parser-lane.ts';

/** Keeps the parser busy for seconds. */
const LONG = `select 1${'+1'.repeat(20_000)}`;
const PATIENT = { processorMs: 60_000, clockMs: 60_000, waitingMax: 10 };

test('a text that takes more than its share of a processor is given up, and the next one is parsed', async () => {
  const lane = new ParserLane({ ...PATIENT, processorMs: 300 });

  const [long, next] = await Promise.all([lane.parse(LONG, 'select'), lane.parse('select 1', 'select')]);
  await lane.close();

  assert.equal(long, undefined);
  assert.match(next ?? '', /SelectQuery/);
});

test('a text that takes longer than it may by the clock is given up', async () => {
  const lane = new ParserLane({ ...PATIENT, clockMs: 100 });

  const long = await lane.parse(LONG, 'select');
  await lane.close();

  assert.equal(long, undefined);
});

test('a text that breaks the parser unnoticed is given up, and the next one gets a whole one', async () => {
  const lane = new ParserLane(PATIENT);

  const [deep, next] = await Promise.all([
    lane.parse(`select ${'- '.repeat(240)}1`, 'select'),
    lane.parse('select 1', 'select'),
  ]);
  await lane.close();

  assert.equal(deep, undefined);
  assert.match(next ?? '', /SelectQuery/);
});
