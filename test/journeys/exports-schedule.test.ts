// Schedules by a moved clock: what is run, passed over, made up for, backfilled and run again.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type ExportsApp, startExportsApp } from './exports-app.ts';

let app: ExportsApp;
before(async () => {
  app = await startExportsApp();
  await app.storeEvents('2025-03-04T00:10:00Z', [{ event: 'very first' }]);
  for (const hour of ['08', '09', '10', '11', '12']) {
    await app.storeEvents(`2025-03-04T${hour}:10:00Z`, [{ event: `at ${hour}` }, { event: `also at ${hour}` }]);
  }
});
after(() => app[Symbol.asyncDispose]());

type Given = Record<string, unknown>;

async function createAt(clock: string, given: Given = {}): Promise<string> {
  app.setClock(clock);
  return (await app.create(given)).id;
}

async function workAt(clock: string): Promise<void> {
  app.setClock(clock);
  await app.workUntilIdle();
}

const post = (id: string, action: string, body: unknown = {}) =>
  app.send('POST', `/batch_exports/${id}/${action}/`, { body });

/** `09:00-10:00` of each run, in order; those of backfills are marked. */
const intervals = async (id: string) =>
  (await app.runs(id)).map(({ data_interval_start, data_interval_end, backfill_id }) => {
    const [from, to] = [data_interval_start, data_interval_end].map((text) => text?.slice(11, 16) ?? 'null');
    return `${from}-${to}${backfill_id ? ' backfill' : ''}`;
  });

const backfills = async (id: string) => (await app.send('GET', `/batch_exports/${id}/backfills/`)).body.results;

test('intervals that end while an export is paused are passed over', async () => {
  const id = await createAt('2025-03-04T09:30:00Z');
  app.setClock('2025-03-04T10:00:01Z');
  assert.deepEqual([(await post(id, 'pause')).status, (await post(id, 'pause')).text], [200, '']);
  await workAt('2025-03-04T12:30:00Z');
  // The one that had ended by then is not: nobody had looked at the clock yet, but it was due.
  assert.deepEqual(await intervals(id), ['09:00-10:00']);
  assert.equal((await app.send('GET', `/batch_exports/${id}/`)).body.last_paused_at, '2025-03-04T10:00:01Z');
  assert.deepEqual([(await post(id, 'unpause')).status, (await post(id, 'unpause')).text], [200, '']);
  await workAt('2025-03-04T14:00:00Z');
  assert.deepEqual(await intervals(id), ['09:00-10:00', '12:00-13:00', '13:00-14:00']);
  assert.deepEqual(await backfills(id), []);
});

test('what was passed over is made up for when asked, and nothing else', async () => {
  const id = await createAt('2025-03-04T09:30:00Z');
  app.setClock('2025-03-04T10:20:00Z');
  await post(id, 'pause');
  app.setClock('2025-03-04T12:30:00Z');
  const { status, text, headers } = await post(id, 'unpause', { backfill: true });
  assert.deepEqual([status, text], [200, '']);
  await workAt('2025-03-04T13:00:00Z');
  const all = ['09:00-10:00', '10:00-11:00 backfill', '11:00-12:00 backfill', '12:00-13:00'];
  assert.deepEqual(await intervals(id), all);
  const { body } = await app.send('GET', headers.get('location') ?? '');
  assert.deepEqual(
    [body.start_at, body.end_at, body.status, body.progress],
    ['2025-03-04T10:20:00Z', '2025-03-04T12:30:00Z', 'Completed', { total_runs: 2, finished_runs: 2, progress: 1 }],
  );
});

test('a pause shorter than an interval passes nothing over', async () => {
  const id = await createAt('2025-03-04T09:10:00Z');
  await post(id, 'pause');
  app.setClock('2025-03-04T09:50:00Z');
  const { headers } = await post(id, 'unpause', { backfill: true });
  await workAt('2025-03-04T10:00:00Z');
  assert.deepEqual([await intervals(id), headers.get('location')], [['09:00-10:00'], null]);
});

test('paused by a change: the schedule stops, and the time of the last pause stays', async () => {
  const id = await createAt('2025-03-04T09:30:00Z');
  const paused = await app.send('PATCH', `/batch_exports/${id}/`, { body: { paused: true } });
  assert.deepEqual([paused.status, paused.body.paused, paused.body.last_paused_at], [200, true, null]);
  await workAt('2025-03-04T11:30:00Z');
  await app.send('PATCH', `/batch_exports/${id}/`, { body: { paused: false } });
  await workAt('2025-03-04T12:00:00Z');
  assert.deepEqual(await intervals(id), ['11:00-12:00']);
});

test('intervals that ended while the program was down are made up for', async () => {
  const id = await createAt('2025-03-04T08:30:00Z');
  await workAt('2025-03-04T12:10:00Z');
  assert.deepEqual(await intervals(id), ['08:00-09:00', '09:00-10:00', '10:00-11:00', '11:00-12:00']);
});

test('an export that begins and ends has no runs before and after', async () => {
  const bounds = { start_at: '2025-03-04T10:00:00Z', end_at: '2025-03-04T11:30:00Z' };
  const id = await createAt('2025-03-04T08:30:00Z', bounds);
  await workAt('2025-03-04T14:00:00Z');
  assert.deepEqual(await intervals(id), ['09:00-10:00', '10:00-11:00']);
});

test('another interval holds from the change on', async () => {
  const id = await createAt('2025-03-04T08:30:00Z');
  app.setClock('2025-03-04T10:10:00Z');
  await app.send('PATCH', `/batch_exports/${id}/`, { body: { interval: 'every 15 minutes' } });
  await workAt('2025-03-04T10:31:00Z');
  assert.deepEqual(await intervals(id), ['08:00-09:00', '09:00-10:00', '10:00-10:15', '10:15-10:30']);
});

test('a deleted export has no more runs, and its backfills are cancelled', async () => {
  const id = await createAt('2025-03-04T09:30:00Z');
  await post(id, 'backfill', { start_at: '2025-03-04T08:00:00Z', end_at: '2025-03-04T09:00:00Z' });
  assert.equal((await app.send('DELETE', `/batch_exports/${id}/`)).status, 204);
  await workAt('2025-03-04T12:10:00Z');
  assert.deepEqual(await intervals(id), []);
  const rows = await app.db.selectFrom('batch_export_backfill').selectAll().where('batch_export_id', '=', id).execute();
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['Cancelled'],
  );
  assert.equal((await app.send('GET', `/batch_exports/${id}/`)).status, 404);
});

test('a backfill is a sequence of the whole intervals that its range touches', async () => {
  const id = await createAt('2025-03-04T12:30:00Z', { paused: true });
  const body = { start_at: '2025-03-04T08:30:00+00:00', end_at: '2025-03-04T11:20:00Z' };
  const { status, body: made, headers } = await app.send('POST', `/batch_exports/${id}/backfills/`, { body });
  assert.equal(status, 200);
  assert.deepEqual(made, { backfill_id: `${id}-Backfill-2025-03-04T08:30:00+00:00-2025-03-04T11:20:00+00:00` });
  const again = await app.send('POST', `/batch_exports/${id}/backfill/`, { body });
  assert.deepEqual([again.status, again.text, again.headers.get('location')], [200, '', headers.get('location')]);
  assert.deepEqual((await backfills(id))[0].progress, { total_runs: 3, finished_runs: 0, progress: 0 });
  const named = await app.send('GET', `/batch_exports/${id}/backfills/${encodeURIComponent(made.backfill_id)}/`);
  assert.deepEqual([named.status, named.body], [200, (await backfills(id))[0]]);
  await workAt('2025-03-04T12:30:00Z');
  assert.deepEqual(await intervals(id), ['08:00-09:00 backfill', '09:00-10:00 backfill', '10:00-11:00 backfill']);
  const runs = await app.runs(id);
  for (const [index, run] of runs.entries()) {
    assert.deepEqual([run.status, run.records_completed], ['Completed', 2]);
    if (index > 0) assert.ok(run.created_at >= (runs[index - 1]?.finished_at ?? ''), 'one after the other');
  }
});

test('a backfill of everything is one run from the beginning of time', async () => {
  const id = await createAt('2025-03-04T12:30:00Z', { paused: true });
  assert.equal((await post(id, 'backfill')).status, 200);
  await workAt('2025-03-04T12:30:00Z');
  assert.deepEqual(await intervals(id), ['null-12:00 backfill']);
  assert.equal((await app.runs(id))[0]?.records_completed, 9);
});

test('a backfill without an end catches up with the schedule, which goes on from there', async () => {
  const id = await createAt('2025-03-04T12:30:00Z', { paused: true });
  assert.equal((await post(id, 'backfill', { start_at: '2025-03-04T10:00:00Z' })).status, 200);
  await workAt('2025-03-04T12:30:00Z');
  await workAt('2025-03-04T13:00:00Z');
  assert.deepEqual(await intervals(id), ['10:00-11:00 backfill', '11:00-12:00 backfill', '12:00-13:00']);
});

test('a backfill waits for a run of the same interval instead of doing it beside it', async () => {
  const id = await createAt('2025-03-04T08:30:00Z');
  app.setClock('2025-03-04T10:30:00Z');
  await post(id, 'pause');
  await post(id, 'backfill', { start_at: '2025-03-04T08:00:00Z', end_at: '2025-03-04T10:00:00Z' });
  assert.deepEqual(
    (await app.runs(id)).map(({ status }) => status),
    ['Starting', 'Starting'],
  );
  await workAt('2025-03-04T10:30:00Z');
  const [first, ...others] = await intervals(id);
  assert.equal(first, '08:00-09:00');
  assert.ok(others.length <= 2);
  assert.equal((await backfills(id))[0].status, 'Completed');
});

const shipped = async (folder: string): Promise<string[]> => {
  const names = await readdir(join(app.folder, 'exports', folder));
  const texts = await Promise.all(names.map((name) => readFile(join(app.folder, 'exports', folder, name), 'utf8')));
  return texts
    .flatMap((text) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).event),
    )
    .sort();
};

test('live runs, backfills over them and retries ship every event exactly once', async () => {
  const destination = { type: 'File', config: { prefix: 'once' } };
  const id = await createAt('2025-03-04T08:30:00Z', { destination });
  await workAt('2025-03-04T13:00:00Z');
  const live = await shipped('once');
  assert.deepEqual(live.length, 10);
  await post(id, 'backfill', { start_at: '2025-03-04T08:20:00Z', end_at: '2025-03-04T12:40:00Z' });
  const [first] = await app.runs(id);
  const retried = await post(id, `runs/${first?.id}/retry`);
  assert.deepEqual([retried.status, retried.text], [200, '']);
  await workAt('2025-03-04T13:00:00Z');
  assert.deepEqual(await shipped('once'), live);
  const { body } = await app.send('GET', retried.headers.get('location') ?? '');
  assert.deepEqual(
    [body.status, body.start_at, body.end_at],
    ['Completed', first?.data_interval_start, first?.data_interval_end],
  );
  const unchanged = (await app.runs(id)).find((run) => run.id === first?.id);
  assert.deepEqual(unchanged, first);
});

test('a backfill that is cancelled starts no more runs', async () => {
  const id = await createAt('2025-03-04T12:30:00Z', { paused: true });
  await post(id, 'backfill', { start_at: '2025-03-04T08:00:00Z', end_at: '2025-03-04T12:00:00Z' });
  const [{ id: backfill }] = await backfills(id);
  const cancelled = await post(id, `backfills/${backfill}/cancel`);
  assert.deepEqual([cancelled.status, cancelled.body], [200, { cancelled: true }]);
  await workAt('2025-03-04T12:30:00Z');
  assert.deepEqual(await intervals(id), []);
  const again = await post(id, `backfills/${backfill}/cancel`);
  assert.deepEqual([again.status, again.body.detail], [400, "Cannot cancel a backfill that is in 'Cancelled' status"]);
  assert.equal((await backfills(id))[0].progress, null);
});

const refusedRanges: [title: string, body: Given, detail: string | RegExp][] = [
  ['no date', { start_at: 'not a date', end_at: null }, 'Input not a date is not a valid ISO formatted datetime.'],
  ['a number', { start_at: 5, end_at: null }, 'Input 5 is not a valid ISO formatted datetime.'],
  ['no offset', { start_at: '2021-01-01T01:00:00', end_at: null }, 'Input 2021-01-01T01:00:00 is naive.'],
  ['a day that does not exist', { start_at: '2021-02-30T01:00:00Z' }, /not a valid ISO/],
  [
    'an end before all data',
    { start_at: '2021-01-01T00:00:00Z', end_at: '2021-01-02T00:00:00Z' },
    'The provided backfill date range contains no data. The earliest possible backfill start date is 2025-03-04 00:00:00',
  ],
  [
    'an end before its start',
    { start_at: '2025-03-04T12:00:00Z', end_at: '2025-03-04T10:00:00Z' },
    "The initial backfill datetime 'start_at' happens after 'end_at'",
  ],
  [
    'an end in the future',
    { start_at: '2025-03-04T10:00:00Z', end_at: '2025-03-04T12:30:01Z' },
    "The provided 'end_at' (2025-03-04T12:30:01+00:00) is in the future",
  ],
  ['no end', { start_at: '2025-03-04T10:00:00Z' }, 'Backfilling a BatchExport with no end date is not allowed'],
];

test('a range that cannot be backfilled is refused, and told why', async () => {
  const destination = { type: 'File', config: { prefix: 'never' } };
  const id = await createAt('2025-03-04T12:30:00Z', { destination, paused: true });
  for (const [title, body, detail] of refusedRanges) {
    for (const path of [`/batch_exports/${id}/backfill/`, `/batch_exports/${id}/backfills/`]) {
      const answer = await app.send('POST', path, { body });
      assert.equal(answer.status, 400, title);
      assert.equal(answer.body.type, 'validation_error');
      if (typeof detail === 'string') assert.equal(answer.body.detail, detail, title);
      else assert.match(answer.body.detail, detail, title);
    }
  }
  assert.deepEqual(await backfills(id), []);
});

test('a start before all data is moved up to it', async () => {
  const id = await createAt('2025-03-04T12:30:00Z', { paused: true });
  await post(id, 'backfill', { start_at: '2021-01-01T00:00:00Z', end_at: '2025-03-04T02:00:00Z' });
  assert.equal((await backfills(id))[0].start_at, '2025-03-04T00:00:00Z');
});

test('there is nothing to backfill where there is no data', async () => {
  const id = await createAt('2025-03-04T12:30:00Z', { model: 'persons' });
  const range = { start_at: '2025-03-04T10:00:00Z', end_at: '2025-03-04T11:00:00Z' };
  const { status, body } = await post(id, 'backfill', range);
  assert.deepEqual([status, body.detail], [400, 'There is no data to backfill for this model.']);
});
