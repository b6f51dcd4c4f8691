// Runs as they happen: what they select, how they fail, are repeated, cancelled, timed out and given back.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Registry } from 'prom-client';
import { type Destination, DestinationError, type Shipment } from '../../src/exports/destinations/destination.ts';
import { watchExports } from '../../src/exports/metrics.ts';
import { eventually } from '../eventually.ts';
import { type ExportsApp, startExportsApp } from './exports-app.ts';

/** A place that does what the test says. */
let ship: (shipment: Shipment) => Promise<{ records: number; bytes: number }>;
const obedient: Destination = {
  type: 'HTTP',
  fields: { url: { type: 'str', fallback: 'http://x' }, token: { type: 'str', fallback: '', secret: true } },
  models: ['events', 'persons', 'sessions'],
  tests: [],
  ship: (shipment) => ship(shipment),
};

let app: ExportsApp;
before(async () => {
  app = await startExportsApp({ destinations: { HTTP: obedient } });
  app.setClock('2025-03-04T09:30:00Z');
  await app.storeEvents('2025-03-04T09:15:00Z', [{ event: 'a' }, { event: 'b' }, { event: 'c' }]);
});
after(() => app[Symbol.asyncDispose]());

/** An export with one interval to ship, from nine to ten. */
async function createDue(config: Record<string, unknown> = {}): Promise<string> {
  app.setClock('2025-03-04T09:30:00Z');
  const { id } = await app.create({ destination: { type: 'HTTP', config } });
  app.setClock('2025-03-04T10:00:00Z');
  return id;
}

/** Deletes the export, so that no later test comes upon it. */
const over = (id: string) => app.send('DELETE', `/batch_exports/${id}/`);

const allOf = async ({ total }: Shipment) => ({ records: total, bytes: 7 });
/** Hangs until it is broken off, and remembers that it was. */
function hanging() {
  const state = { begun: 0, stopped: 0 };
  ship = ({ signal }) => {
    state.begun += 1;
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => {
        state.stopped += 1;
        reject(signal.reason);
      }),
    );
  };
  return state;
}

async function onlyRun(id: string) {
  const runs = await app.runs(id);
  assert.equal(runs.length, 1);
  return runs[0]!;
}

const messages = async (id: string, query = '') =>
  (await app.send('GET', `/batch_exports/${id}/logs/${query}`)).body.results.map(
    (line: { message: string }) => line.message,
  );

test('a run ships what arrived within its interval, no more and no less', async () => {
  const stored = await app.storeEvents('2025-02-04T09:00:00Z', [{ event: 'first' }, { event: 'second' }]);
  await app.storeEvents('2025-02-04T10:00:00Z', [{ event: 'too late' }]);
  await app.storeEvents('2025-02-04T08:59:59.999Z', [{ event: 'too early' }]);
  app.setClock('2025-02-04T09:30:00Z');
  const { id } = await app.create({ destination: { type: 'File', config: { prefix: 'first' } } });
  app.setClock('2025-02-04T10:00:00Z');
  await app.workUntilIdle();
  const run = await onlyRun(id);
  assert.deepEqual([run.status, run.records_completed, run.records_total_count], ['Completed', 2, 2]);
  assert.ok((run.bytes_exported ?? 0) > 0 && run.finished_at !== null && run.latest_error === null);
  const folder = join(app.folder, 'exports', 'first');
  const [file, ...others] = await readdir(folder);
  assert.deepEqual(others, []);
  const lines = (await readFile(join(folder, String(file)), 'utf8')).trim().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).uuid).sort(),
    stored.map(({ uuid }) => uuid),
  );
  await over(id);
});

test('an interval without data is complete, and nobody is asked to take nothing', async () => {
  app.setClock('2024-03-04T09:30:00Z');
  ship = () => Promise.reject(new Error('asked'));
  const { id } = await app.create({ destination: { type: 'HTTP', config: {} } });
  app.setClock('2024-03-04T10:00:00Z');
  await app.workUntilIdle();
  const run = await onlyRun(id);
  assert.deepEqual([run.status, run.records_completed, run.records_total_count], ['Completed', 0, 0]);
  await over(id);
});

test('a failure that may pass is tried again until it does', async () => {
  const id = await createDue();
  let attempts = 0;
  ship = async (shipment) => {
    attempts += 1;
    if (attempts < 4) throw new DestinationError('RequestTimeout', 'too slow', { final: false });
    return allOf(shipment);
  };
  const worker = app.exports.work();
  await eventually('it is completed', async () => (await app.runs(id))[0]?.status === 'Completed');
  await worker.close();
  const run = await onlyRun(id);
  assert.deepEqual([run.attempts, run.records_completed, run.bytes_exported, run.latest_error], [4, 3, 7, null]);
  const warned = await messages(id, '?level=warning');
  assert.equal(warned.length, 3);
  assert.match(warned[0], /will be tried again .*RequestTimeout: too slow/);
  await over(id);
});

test('a failure that only a person can mend ends the run, in words that hold no secret', async () => {
  const id = await createDue({ token: 'hunter22' });
  ship = () => Promise.reject(new DestinationError('Forbidden', 'no entry with hunter22', { final: true }));
  await app.workUntilIdle();
  const run = await onlyRun(id);
  assert.deepEqual([run.status, run.attempts, run.latest_error], ['Failed', 1, 'Forbidden: no entry with ***']);
  assert.deepEqual([run.records_completed, run.bytes_exported], [null, null]);
  for (const message of await messages(id)) assert.doesNotMatch(message, /hunter22/);
  await over(id);
});

test('a run that is cancelled stops, and stays cancelled', async () => {
  const id = await createDue();
  const state = hanging();
  const worker = app.exports.work();
  await eventually('it ships', () => state.begun === 1);
  const run = await onlyRun(id);
  const cancelled = await app.send('POST', `/batch_exports/${id}/runs/${run.id}/cancel/`);
  assert.deepEqual([cancelled.status, cancelled.body], [200, { cancelled: true }]);
  assert.equal((await onlyRun(id)).status, 'Cancelled');
  await eventually('the work is stopped', () => state.stopped === 1, 5_000);
  await worker.idle();
  await worker.close();
  const after = await onlyRun(id);
  assert.deepEqual([after.status, after.latest_error, state.begun], ['Cancelled', 'Cancelled', 1]);
  const again = await app.send('POST', `/batch_exports/${id}/runs/${run.id}/cancel/`);
  assert.deepEqual([again.status, again.body.detail], [400, "Cannot cancel a run that is in 'Cancelled' status"]);
  await over(id);
});

const HOUR_MS = 3_600_000;
const startedBefore = (id: string, ms: number) =>
  app.db
    .updateTable('batch_export_run')
    .set({ started_at: new Date(Date.now() - ms).toISOString() })
    .where('batch_export_id', '=', id)
    .execute();

test('a run that takes longer than it may is stopped', async () => {
  const id = await createDue();
  const state = hanging();
  const worker = app.exports.work();
  await eventually('it ships', () => state.begun === 1);
  await worker.close();
  await startedBefore(id, 6 * HOUR_MS - 500);
  await app.workUntilIdle();
  const run = await onlyRun(id);
  assert.deepEqual([run.status, state.stopped], ['TimedOut', state.begun]);
  assert.match(run.latest_error ?? '', /^TimedOut: .* 360 minutes/);
  await over(id);
});

test('a failure that may pass is given up when there is no time for another attempt', async () => {
  const id = await createDue();
  ship = async () => {
    await startedBefore(id, 6 * HOUR_MS - 10);
    throw new Error('A useful error message');
  };
  // The next attempt would begin after the limit.
  const worker = app.exports.work();
  await eventually(
    'it is over',
    async () => !['Starting', 'Running'].includes((await app.runs(id))[0]?.status ?? 'Starting'),
  );
  await worker.close();
  const run = await onlyRun(id);
  assert.ok(['FailedRetryable', 'TimedOut'].includes(run.status), run.status);
  await over(id);
});

test('a worker that stops gives its run back, and the next one takes it up', async () => {
  const id = await createDue();
  const state = hanging();
  const worker = app.exports.work();
  await eventually('it ships', () => state.begun === 1);
  await worker.close();
  const returned = await onlyRun(id);
  assert.deepEqual([returned.status, returned.attempts, returned.lease_owner], ['Running', 0, null]);
  ship = allOf;
  await app.workUntilIdle();
  const run = await onlyRun(id);
  assert.deepEqual([run.status, run.attempts], ['Completed', 1]);
  await over(id);
});

test('how far a run is can be seen while it works', async () => {
  const id = await createDue();
  let finish = () => {};
  ship = async (shipment) => {
    shipment.progress({ records: 2, bytes: 5 });
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return allOf(shipment);
  };
  const worker = app.exports.work();
  const shown = async () => {
    const [run] = (await app.send('GET', `/batch_exports/${id}/runs/`)).body.results;
    return run ? [run.status, run.records_completed, run.records_total_count, run.bytes_exported].join() : '';
  };
  await eventually('it is shown', async () => (await shown()) === 'Running,2,3,5');
  finish();
  await worker.idle();
  await worker.close();
  assert.equal(await shown(), 'Completed,3,3,7');
  await over(id);
});

test('of a Parquet file that is being written, the rows that were read for it are shown', async () => {
  const id = await createDue();
  let isShown = false;
  ship = async (shipment) => {
    shipment.progress({ records: 0, bytes: 1 });
    while (!isShown) {
      // Slow, as for a large file: the statement still runs when the heart beats.
      const select = [{ name: 'x', sql: 'sleepEachRow(0.3) + length(uuid)' }];
      const stream = await shipment.read({ select, format: 'Parquet', settings: { max_block_size: 1 } });
      await stream.resume().toArray();
    }
    return allOf(shipment);
  };
  const worker = app.exports.work();
  await eventually('it is shown', async () => {
    isShown = Number((await app.runs(id))[0]?.records_completed) > 0;
    return isShown;
  }).finally(() => {
    isShown = true;
  });
  await worker.idle();
  await worker.close();
  await over(id);
});

test('persons and sessions can be verified: who is missing is named, who changed since is not', async () => {
  const [nine, ten] = [Date.parse('2025-03-04T09:00:00Z'), Date.parse('2025-03-04T10:00:00Z')];
  const ids = ['plain', 'line\nbreak', 'тест'];
  const uuid = (n: number) => `0195a1c2-7f00-7000-8000-00000000000${n}`;
  const team_id = app.project.id;
  const change = (n: number, version: number, inserted_at: number) =>
    app.insert('person', [
      {
        ...{ id: uuid(n), team_id, version, inserted_at: inserted_at * 1_000, properties: `{"v":${version}}` },
        ...{ created_at: nine, is_identified: true, is_deleted: false },
      },
    ]);
  for (const [n, distinct_id] of ids.entries()) {
    await change(n, 1, nine);
    const link = { team_id, distinct_id, person_id: uuid(n), is_deleted: false, version: 1, inserted_at: 0 };
    await app.insert('person_distinct_id', [link]);
  }
  await app.storeEvents('2025-03-04T09:15:00Z', [{ properties: JSON.stringify({ $session_id: uuid(7) }) }]);
  const exported = async (model: string) => {
    app.setClock('2025-03-04T09:30:00Z');
    const { id } = await app.create({ model, destination: { type: 'File', config: { prefix: model } } });
    app.setClock('2025-03-04T10:00:00Z');
    return id;
  };
  const [persons, sessions] = [await exported('persons'), await exported('sessions')];
  await app.workUntilIdle();
  const verified = async (id: string) => {
    const { text } = await app.send('GET', `/batch_exports/${id}/verify/`);
    const [interval, end] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(end?.kind, 'end', text);
    const { expected, found, missing, repeated, unexpected_count } = interval;
    return { expected, found, missing, repeated, unexpected_count };
  };
  const whole = (rows: number) => ({ expected: rows, found: rows, missing: [], repeated: [], unexpected_count: 0 });
  assert.deepEqual(await verified(persons), whole(3));
  assert.deepEqual(await verified(sessions), whole(1));

  await change(0, 2, ten);
  assert.deepEqual(await verified(persons), whole(2));
  const folder = join(app.folder, 'exports', 'persons');
  const file = join(folder, (await readdir(folder))[0]!);
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  const [broken, other] = ['line\nbreak', 'тест'].map(
    (id) => lines.find((line) => JSON.parse(line).distinct_id === id)!,
  );
  await writeFile(file, `${lines.filter((line) => line !== broken).join('\n')}\n${other}\n`);
  const damaged = { expected: 2, found: 2, missing: ['line\nbreak'], repeated: ['тест'], unexpected_count: 0 };
  assert.deepEqual(await verified(persons), damaged);
  for (const id of [persons, sessions]) await over(id);
});

test('an export that keeps failing is paused, and its backfills are cancelled', async () => {
  app.setClock('2025-03-04T00:30:00Z');
  const { id } = await app.create({
    destination: { type: 'HTTP', config: {} },
    filters: [{ key: 'a', operator: 'regex', value: '(' }],
  });
  ship = allOf;
  for (let hour = 0; hour < 9; hour += 1)
    await app.storeEvents(`2025-03-04T0${hour}:59:00Z`, [{ properties: '{"a":1}' }]);
  app.setClock('2025-03-04T09:30:00Z');
  await app.workUntilIdle();
  assert.deepEqual(
    (await app.runs(id)).map(({ status }) => status),
    Array(9).fill('Failed'),
  );
  assert.equal((await app.send('GET', `/batch_exports/${id}/`)).body.paused, false);
  await app.send('POST', `/batch_exports/${id}/backfill/`, {
    body: { start_at: '2025-03-04T09:00:00Z', end_at: '2025-03-04T09:20:00Z' },
  });
  const retried = await app.send('POST', `/batch_exports/${id}/runs/${(await app.runs(id))[0]!.id}/retry/`);
  assert.equal(retried.status, 200);
  await app.workUntilIdle();
  const shown = (await app.send('GET', `/batch_exports/${id}/`)).body;
  assert.deepEqual([shown.paused, shown.last_paused_at], [true, '2025-03-04T09:30:00Z']);
  assert.ok((await messages(id, '?level=ERROR&search=threshold')).length === 1);
  await over(id);
});

test('runs by status, rows and lag are numbers for Prometheus', async () => {
  const registry = new Registry();
  watchExports(registry, app.db);
  const read = async (name: string) => {
    const { values } = (await registry.getSingleMetric(name)!.get()) as { values: { value: number; labels: object }[] };
    return Object.fromEntries(values.map(({ value, labels }) => [Object.values(labels).join(), value]));
  };
  const before = { runs: await read('tenrec_export_runs'), rows: (await read('tenrec_export_rows'))[''] ?? 0 };
  const { id } = await app.create({ paused: true });
  const end = Date.now() - 60_000;
  const add = (status: 'Completed' | 'Starting', records_completed: number | null) =>
    app.db
      .insertInto('batch_export_run')
      .values({
        ...{ id: randomUUID(), batch_export_id: id, backfill_id: null, status, records_completed },
        data_interval_start: status === 'Completed' ? null : new Date(end - 1_000).toISOString(),
        data_interval_end: new Date(end).toISOString(),
      })
      .execute();
  await add('Completed', 7);
  await add('Starting', null);

  assert.equal((await read('tenrec_export_runs')).Completed, (before.runs.Completed ?? 0) + 1);
  assert.equal((await read('tenrec_export_rows'))[''], before.rows + 7);
  const lag = (await read('tenrec_export_lag_seconds'))[''] ?? 0;
  assert.ok(lag >= 60, `${lag}`);
  await app.db.deleteFrom('batch_export_run').where('batch_export_id', '=', id).execute();
});
