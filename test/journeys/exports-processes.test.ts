// Several exporters on one database: the work is shared, nothing is done twice, and nobody is missed for long.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { startWorkerProcess, type WorkerOrders } from '../load/export-worker.ts';
import { isLong } from '../random.ts';
import { type ExportsApp, SECRET, startExportsApp } from './exports-app.ts';

const LEASE_MS = 1_500;
const INTERVALS = 6;

let app: ExportsApp;
before(async () => {
  app = await startExportsApp();
  for (let hour = 0; hour < INTERVALS; hour += 1) {
    await app.storeEvents(`2025-03-04T${String(24 - INTERVALS + hour).padStart(2, '0')}:10:00Z`, [{}, {}]);
  }
});
after(() => app[Symbol.asyncDispose]());

const orders = (given: Partial<WorkerOrders> = {}): WorkerOrders => ({
  databaseUrl: app.database.url,
  address: app.store.address,
  folder: app.folder,
  secretKey: SECRET,
  timing: { pollMs: 20, beatMs: 100, leaseMs: LEASE_MS, retry: { firstMs: 20, maxMs: 50 } },
  now: Date.parse('2025-03-05T00:00:00Z'),
  ...given,
});

test('two exporters share the runs, and each is worked on once', async () => {
  app.setClock('2025-03-04T18:00:00Z');
  // Both are there before there is anything to do.
  const workers = await Promise.all([startWorkerProcess(orders()), startWorkerProcess(orders())]);
  const made: { id: string }[] = [];
  const runs = async () => (await Promise.all(made.map(({ id }) => app.runs(id)))).flat();
  // On a busy machine one may do everything before the other has had a look, so there is more work until both had some.
  await eventually('both have worked', async () => {
    const prefixes = ['a', 'b'].map((name) => `${name}${made.length}`);
    const creating = prefixes.map((prefix) => app.create({ destination: { type: 'File', config: { prefix } } }));
    made.push(...(await Promise.all(creating)));
    await eventually('all is shipped', async () => {
      const done = (await runs()).filter(({ status }) => status === 'Completed');
      return done.length === made.length * INTERVALS;
    });
    return workers.every((worker) => worker.taken().length > 0);
  });
  const exits = await Promise.all(workers.map((worker) => worker.kill('SIGTERM')));
  assert.deepEqual(exits, [
    [0, null],
    [0, null],
  ]);
  const [first = [], second = []] = workers.map((worker) => worker.taken());
  assert.equal(new Set([...first, ...second]).size, made.length * INTERVALS);
  assert.equal(first.length + second.length, made.length * INTERVALS, 'no run is taken up twice');
  for (const run of await runs()) assert.deepEqual([run.attempts, run.records_completed], [1, 2]);
  for (const { id } of made) await app.send('DELETE', `/batch_exports/${id}/`);
});

test('the runs of an exporter that is killed are taken over when its lease is up', async () => {
  app.setClock('2025-03-04T22:30:00Z');
  const { id } = await app.create();
  const doomed = await startWorkerProcess(orders({ hangs: true }));
  const statuses = async () =>
    (await app.runs(id)).map(({ status, lease_owner }) => `${status} ${lease_owner !== null}`);
  await eventually('it works', async () => (await statuses()).join() === 'Running true,Running true');
  const heir = await startWorkerProcess(orders());
  await doomed.kill('SIGKILL');
  const killedAt = performance.now();
  await eventually('they are done', async () => (await statuses()).join() === 'Completed false,Completed false');
  const tookMs = performance.now() - killedAt;
  await heir.kill('SIGTERM');
  // How soon is a matter of how busy the machine is, and long runs have it to themselves.
  if (isLong) assert.ok(tookMs < LEASE_MS + 5_000, `${tookMs} ms`);
  for (const run of await app.runs(id)) assert.deepEqual([run.attempts, run.records_completed], [2, 2]);
});

test('an exporter that stood still does not spoil what another has done meanwhile', async () => {
  app.setClock('2025-03-04T22:30:00Z');
  const { id } = await app.create();
  const sleeper = await startWorkerProcess(orders({ hangs: true }));
  const done = async () => (await app.runs(id)).filter(({ status }) => status === 'Completed').length === 2;
  await eventually('it works', async () => (await app.runs(id)).filter(({ lease_owner }) => lease_owner).length === 2);
  sleeper.child.kill('SIGSTOP');
  const heir = await startWorkerProcess(orders());
  await eventually('another has done it', done);
  await heir.kill('SIGTERM');
  const before = await app.runs(id);
  sleeper.child.kill('SIGCONT');
  // It finds that its leases are gone, lets go, and ends when it is told to.
  assert.deepEqual(await sleeper.kill('SIGTERM'), [0, null]);
  assert.deepEqual(await app.runs(id), before);
});
