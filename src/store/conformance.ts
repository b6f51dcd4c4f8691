// All that Tenrec relies on in an event store, as tests. Whatever passes them can stand behind the `EventStore`
// interface; nothing above it asks which form it has.
import { after, before, test } from 'node:test';
import type { Bench, ConformanceOptions, Promises } from './conformance/bench.ts';
import { promiseInserts } from './conformance/inserts.ts';
import { promiseLimits } from './conformance/limits.ts';
import { promiseParameters } from './conformance/parameters.ts';
import { promiseResults } from './conformance/results.ts';
import { promiseTypes } from './conformance/types.ts';
import type { EventStore } from './open.ts';

export function conformsToEventStore(form: string, open: () => Promise<EventStore>, options: ConformanceOptions): void {
  let bench: Bench;

  before(async () => {
    const store = await open();
    const database = `conformance_${process.pid}_${Date.now()}`;
    await store.client.command({ query: `CREATE DATABASE ${database}` });
    bench = { store, database, client: store.connect({ database }) };
  });
  after(async () => {
    try {
      await bench.client.close();
      await bench.store.client.command({ query: `DROP DATABASE ${bench.database}` });
    } finally {
      await bench.store.close();
    }
  });

  const promise: Promises = (title, check) => test(`${form}: ${title}`, () => check(bench));
  promiseTypes(promise);
  promiseParameters(promise);
  promiseResults(promise, options);
  promiseInserts(promise);
  promiseLimits(promise);
}
