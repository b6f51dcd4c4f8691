// From the answer to a request until its event is found by a query, at a thousand events a second.
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadedProgram } from '../../test/load/program.ts';
import { TOKEN } from '../../test/program.ts';
import type { Goal } from './goal.ts';
import type { LoadGenerator } from './load.ts';
import { counterDigits } from './requests.ts';

const EVENTS_PER_SECOND = 1_000;
const SECONDS = 15;
const WARM_UP_SECONDS = 3;
const CONNECTIONS = 32;
const LOOK_EVERY_MS = 20;
const P99_MS_MAX = 1_000;
const LAST_LOOK_MS = 30_000;

const kind = { path: '/capture/', token: TOKEN, eventsPerRequest: 1, requests: 1_000, people: 2_000 };

export async function measureVisible(
  generator: LoadGenerator,
  program: LoadedProgram,
  takeNumbers: (count: number) => number,
): Promise<Goal[]> {
  const load = (seconds: number) =>
    generator.run({
      port: program.port,
      kind,
      connections: CONNECTIONS,
      seconds,
      eventsPerSecond: EVENTS_PER_SECOND,
      keepAnswers: true,
      firstEvent: takeNumbers(EVENTS_PER_SECOND * seconds * 2),
    });
  await load(WARM_UP_SECONDS);
  const watcher = new Watcher(program);
  const watching = watcher.watch();
  const { answered } = await load(SECONDS);
  await watcher.stopAfter(answered.map(([event]) => counterDigits(event)));
  await watching;
  const waitsMs = answered
    .map(([event, answeredAt]) => Math.max(0, watcher.seenAt.get(counterDigits(event))! - answeredAt))
    .sort((a, b) => a - b);
  const at = (share: number) => waitsMs[Math.floor(waitsMs.length * share)]!;
  return [
    { name: `from 200 to visible at ${EVENTS_PER_SECOND} events/s, p99`, value: at(0.99), unit: 'ms', max: P99_MS_MAX },
    { name: 'from 200 to visible, p50', value: at(0.5), unit: 'ms' },
    { name: 'from 200 to visible, longest', value: waitsMs.at(-1)!, unit: 'ms' },
    { name: 'events that were watched', value: waitsMs.length, unit: '' },
  ];
}

/** Asks for new rows, over and over. An event counts as seen when the answer that has it is there. */
class Watcher {
  readonly seenAt = new Map<string, number>();
  readonly #program: LoadedProgram;
  #lastBatch = '0';
  #stopped = false;

  constructor(program: LoadedProgram) {
    this.#program = program;
  }

  async watch(): Promise<void> {
    while (!this.#stopped) {
      const rows = await this.#program.ask<{ digits: string; batch: string }>(
        `select substring(toString(uuid), 25) as digits, toString(batch_id) as batch from events where batch_id > {last:UInt64}`,
        { last: this.#lastBatch },
      );
      const now = Date.now();
      for (const { digits, batch } of rows) {
        this.seenAt.set(digits, now);
        if (BigInt(batch) > BigInt(this.#lastBatch)) this.#lastBatch = batch;
      }
      await delay(LOOK_EVERY_MS);
    }
  }

  /** Goes on until all of these are seen. */
  async stopAfter(digits: readonly string[]): Promise<void> {
    const until = performance.now() + LAST_LOOK_MS;
    const missing = () => digits.filter((each) => !this.seenAt.has(each)).length;
    while (missing() > 0 && performance.now() < until) await delay(LOOK_EVERY_MS);
    this.#stopped = true;
    if (missing() > 0) throw new Error(`${missing()} events never became visible`);
  }
}
