// Where events are: counted, warned about, followed. The pipeline is played by hand, one commit at a time.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { acceptedCounter } from '../../src/capture/accepted-counter.ts';
import type { CapturedEvent } from '../../src/capture/read-event.ts';
import { encodeDrop, eventEncoder } from '../../src/capture/record.ts';
import type { Answer } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/events.ts';
import { configWith } from '../../src/config.ts';
import { watchIngestion } from '../../src/events/ingestion/metrics.ts';
import { partitionOf } from '../../src/log/partition.ts';
import { eventually } from '../eventually.ts';
import { startReadingApp } from './reading-app.ts';

const app = await startReadingApp();
after(() => app[Symbol.asyncDispose]());

const HOUR = 3_600_000;

/** Appends events as capture does. */
async function accept(
  team_id: number,
  ...events: { event: string; distinct_id: string; uuid: string }[]
): Promise<void> {
  const now = Date.now();
  const encode = eventEncoder({ team_id, now, sent_at: undefined, ip: undefined, historical_migration: false });
  const entries = events.map((event) => ({
    key: `${team_id}:${event.distinct_id}`,
    value: encode({ ...event, properties: Buffer.from('{}') } as CapturedEvent),
  }));
  await app.eventLog.append(entries, { [acceptedCounter(team_id, now)]: events.length });
}

/** Where the last event with this id stands in the log. */
async function lastPlace(
  distinct_id: string,
  team_id = app.project.id,
): Promise<{ log_partition: number; log_position: number }> {
  const log_partition = partitionOf(`${team_id}:${distinct_id}`, app.eventLog.partitions);
  const { partitions } = await app.eventLog.stats();
  const next = partitions.find(({ partition }) => partition === log_partition)?.next ?? 0;
  return { log_partition, log_position: next - 1 };
}

/** Marks everything up to there as processed. */
const commit = ({ log_partition, log_position }: Awaited<ReturnType<typeof lastPlace>>) =>
  app.eventLog.commit(log_partition, log_position + 1);

const uuid = (n: number) => `018f0000-0000-7000-8000-00000000000${n}`;

/** The lines of a tail, one at a time, until it is left. */
async function openTail() {
  const left = new AbortController();
  const response = await fetch(`${app.here}/ingestion/tail/`, {
    headers: { authorization: `Bearer ${app.key}` },
    signal: left.signal,
  });
  assert.equal(response.status, 200);
  const decoder = new TextDecoderStream();
  const reader = response.body!.pipeThrough(decoder).getReader();
  let buffered = '';
  return {
    // biome-ignore lint/suspicious/noExplicitAny: lines of several shapes
    async next(): Promise<any> {
      for (;;) {
        const end = buffered.indexOf('\n');
        if (end >= 0) {
          const line = buffered.slice(0, end);
          buffered = buffered.slice(end + 1);
          if (line !== '') return JSON.parse(line);
          continue;
        }
        const { value, done } = await reader.read();
        if (done) return undefined;
        buffered += value;
      }
    },
    async connected() {
      const { value } = await reader.read();
      assert.equal(value, '\n');
    },
    leave: () => left.abort(),
  };
}

test('a tail tells of each event of the project once its fate is known', async () => {
  const tail = await openTail();
  await tail.connected();
  await accept(app.other.id, { event: 'theirs', distinct_id: 'x', uuid: uuid(0) });
  await commit(await lastPlace('x', app.other.id));
  await accept(app.project.id, { event: 'kept', distinct_id: 'ada', uuid: uuid(1) });
  const place = await lastPlace('ada');
  await app.storeEvents([{ ...place, event: 'kept', inserted_at: Date.now() * 1_000 }]);
  await commit(place);
  const { accepted_at, ...kept } = await tail.next();
  assert.ok(Math.abs(Date.parse(accepted_at) - Date.now()) < 60_000);
  assert.deepEqual(kept, {
    kind: 'event',
    event: 'kept',
    distinct_id: 'ada',
    uuid: uuid(1),
    fate: 'stored',
    reason: null,
  });

  await app.insert('ingestion_warnings', [
    {
      team_id: app.project.id,
      source: 'tenrec',
      type: 'event_dropped_too_old',
      details: JSON.stringify({ eventUuid: uuid(2) }),
      timestamp: Date.now() * 1_000,
    },
  ]);
  await accept(app.project.id, { event: 'old', distinct_id: 'ada', uuid: uuid(2) });
  await commit(await lastPlace('ada'));
  const old = await tail.next();
  assert.deepEqual([old.event, old.fate, old.reason], ['old', 'dropped', 'event_dropped_too_old']);

  const facts = { team_id: app.project.id, now: Date.now() };
  const drop = encodeDrop({ reason: 'missing_event_name', count: 3, details: { index: 0, distinct_id: 'ada' } }, facts);
  await app.eventLog.append([{ key: `${app.project.id}:`, value: drop }], {
    [acceptedCounter(app.project.id, facts.now)]: 3,
  });
  const leftOut = await tail.next();
  assert.deepEqual([leftOut.kind, leftOut.reason, leftOut.count], ['left_out', 'missing_event_name', 3]);

  await accept(app.project.id, { event: 'slow', distinct_id: 'bob', uuid: uuid(3) });
  const waiting = await tail.next();
  assert.deepEqual([waiting.event, waiting.fate], ['slow', 'waiting']);
  await commit(await lastPlace('bob'));
  const slow = await tail.next();
  assert.deepEqual([slow.event, slow.fate, slow.reason], ['slow', 'dropped', null]);
  tail.leave();
});

test('every accepted event is accounted for, by hour and by fate', async () => {
  const hour = (back: number) => new Date(Math.floor(Date.now() / HOUR) * HOUR - back * HOUR).toISOString();
  const count = (back: number, fate: string, events: number, team_id = app.project.id) => ({
    team_id,
    hour: hour(back),
    fate,
    events,
  });
  await app.db
    .insertInto('ingestion_count')
    .values([
      count(9, 'accepted', 10),
      count(9, 'stored', 7),
      count(9, 'dropped:duplicate', 2),
      count(9, 'dropped:event_too_large', 1),
      count(0, 'stored', 1),
      count(50, 'stored', 5),
      count(9, 'stored', 99, app.other.id),
    ])
    .execute();
  const { status, body, text } = await app.get('/ingestion/');
  assert.equal(status, 200, text);
  // Six came through the log in the test before.
  assert.deepEqual(body.totals, { accepted: 16, stored: 8, dropped: { duplicate: 2, event_too_large: 1 }, waiting: 5 });
  assert.deepEqual(body.hours[0], {
    hour: hour(9),
    accepted: 10,
    stored: 7,
    dropped: { duplicate: 2, event_too_large: 1 },
    waiting: 0,
  });
  assert.equal(body.lag.events >= 1, true);
  assert.equal(body.lag.seconds > 0, true);
  assert.match(body.lag.oldest_unprocessed_at, /Z$/);
  assert.deepEqual([body.log.bytes > 0, body.log.bytes_max, body.log.full], [true, 64 * 1024 * 1024, false]);
  assert.equal((await app.get('/ingestion/?from=-3d')).body.totals.stored, 13);
  assert.equal((await app.get('/ingestion/?from=-60d')).body.attr, 'from');
  assert.equal((await app.get('/ingestion/?from=2025-02-03&to=2025-02-03')).status, 400);
  assert.equal((await app.get('/ingestion/?to=never')).body.attr, 'to');
});

test('the same numbers are metrics', async () => {
  const registry = new Registry();
  watchIngestion(registry, app.db, app.eventLog);
  const text = await registry.metrics();
  const { lag } = (await app.get('/ingestion/')).body;
  assert.ok(text.includes(`\ntenrec_ingestion_lag_events ${lag.events}\n`), text);
  assert.match(text, /\ntenrec_ingestion_lag_seconds [\d.]+\n/);
  assert.match(text, /\ntenrec_event_log_bytes_max 67108864\n/);
  assert.match(text, /\ntenrec_ingestion_events\{fate="dropped:duplicate"\} 2\n/);
});

test('warnings are told by type, the last seen first, with examples', async () => {
  const now = Date.now();
  const warning = (type: string, daysAgo: number, n: number, team_id = app.project.id) => ({
    team_id,
    source: 'tenrec',
    type,
    details: JSON.stringify({ n, nested: { text: `number ${n}` } }),
    timestamp: (now - daysAgo * 24 * HOUR) * 1_000,
  });
  await app.insert('ingestion_warnings', [
    ...Array.from({ length: 60 }, (_, n) => warning('many', 2, n)),
    warning('many', 3, 60),
    warning('ancient', 40, 0),
    warning('theirs', 1, 0, app.other.id),
  ]);
  const { status, body, text } = await app.get('/ingestion_warnings/');
  assert.equal(status, 200, text);
  assert.deepEqual(
    body.results.map(({ type }: { type: string }) => type),
    ['event_dropped_too_old', 'many'],
  );
  const [, many] = body.results;
  assert.deepEqual([many.count, many.warnings.length, many.sparkline.length], [61, 50, 2]);
  assert.deepEqual(
    many.sparkline.map(([events]: [number]) => events),
    [1, 60],
  );
  assert.equal(many.lastSeen, many.warnings[0].timestamp);
  const searched = await app.get(`/ingestion_warnings/?q=${encodeURIComponent('number 60')}`);
  assert.deepEqual(searched.body.results[0].warnings[0].details, { n: 60, nested: { text: 'number 60' } });
  assert.deepEqual((await app.get(`/ingestion_warnings/?q=${encodeURIComponent("') OR 1=1 --")}`)).body.results, []);
});

test('`tenrec events tail` shows what the program tells, and ends when told', async () => {
  const { hostname, port } = new URL(app.url);
  const [tail] = commands;
  assert.ok(tail);
  const shown: Answer[] = [];
  const config = configWith({ DATABASE_URL: app.databaseUrl, HOST: hostname, PORT: Number(port) });
  const answer = tail.run({
    given: [],
    options: { project: String(app.project.id), limit: '1' },
    readConfig: () => config,
    openLog: async () => pino({ level: 'silent' }),
    show: (line) => void shown.push(line),
    terminal: process,
  });
  await eventually('the visit is open', async () => {
    const { count } = await app.db
      .selectFrom('session')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count > 0;
  });
  // Whatever is accepted before the tail listens is not followed, so one is accepted until it was.
  await eventually('a line is shown', async () => {
    await accept(app.project.id, { event: 'followed', distinct_id: 'ada', uuid: uuid(4) });
    await commit(await lastPlace('ada'));
    return shown.length > 0;
  });
  assert.match(shown[0]?.text ?? '', /dropped: .* followed {2}by ada/);
  assert.equal((await answer)?.text, '1 line.');
  assert.equal((await app.db.selectFrom('session').selectAll().execute()).length, 0);
});
