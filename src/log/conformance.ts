// What every form of the event log must do, as tests. A form calls this with a way to open logs of its kind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EventLog, type LogEntry, LogFull, type LogRecord, PositionOutOfRange } from './log.ts';
import { partitionOf } from './partition.ts';

export interface LogSetup {
  readonly partitions?: number;
  readonly maxBytes?: number;
  readonly keepMs?: number;
}

/** One log and its storage. `open` called again opens the same one, as a second process would after a restart. */
export interface LogHome extends AsyncDisposable {
  open(): Promise<EventLog>;
}

export type MakeHome = (setup: LogSetup) => Promise<LogHome>;

const text = (value: string): Buffer => Buffer.from(value);
const entry = (key: string, value: string): LogEntry => ({ key, value: text(value) });
const valuesOf = (records: readonly LogRecord[]): string[] => records.map(({ value }) => value.toString());

/** Everything in the partition from `from` on. */
export async function readAll(log: EventLog, partition: number, from = 0): Promise<LogRecord[]> {
  const all: LogRecord[] = [];
  for (;;) {
    const records = await log.read(partition, from + all.length);
    if (records.length === 0) return all;
    all.push(...records);
  }
}

/** Asks again until the answer is yes; a promise about the near future, without a guess how near. */
export async function eventually(holds: () => Promise<boolean>, what: string): Promise<void> {
  const giveUpAt = performance.now() + 10_000;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`did not happen within 10 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function commitAll(log: EventLog): Promise<void> {
  const { partitions } = await log.stats();
  await Promise.all(partitions.map(({ partition, next }) => log.commit(partition, next)));
}

export function conformsToEventLog(form: string, makeHome: MakeHome): void {
  const promise = (title: string, check: (log: EventLog, home: LogHome) => Promise<void>, setup: LogSetup = {}) =>
    test(`${form}: ${title}`, async () => {
      await using home = await makeHome({ partitions: 4, maxBytes: 64 * 1024 * 1024, ...setup });
      await using log = await home.open();
      await check(log, home);
    });

  promise('a new log is empty and starts at 0', async (log) => {
    assert.deepEqual(await log.read(0, 0), []);
    assert.equal(await log.committed(0), 0);
    const { partitions, bytes } = await log.stats();
    assert.equal(partitions.length, 4);
    assert.deepEqual(partitions[0], {
      partition: 0,
      first: 0,
      next: 0,
      committed: 0,
      oldestAppendedAt: null,
      bytes: 0,
    });
    assert.equal(bytes, 0);
  });

  promise('values come back byte for byte', async (log) => {
    const values = [Buffer.alloc(0), Buffer.from([0, 255, 10, 13, 0]), Buffer.alloc(1_000_000, 7), text('\u{1f994}')];
    await log.append(values.map((value) => ({ key: '1:a', value })));

    const records = await readAll(log, partitionOf('1:a', 4));
    assert.deepEqual(
      records.map(({ value }) => value),
      values,
    );
  });

  promise('records of a key keep their order, in gapless positions, across appends', async (log) => {
    await log.append([entry('1:a', 'a0'), entry('1:b', 'b0'), entry('1:a', 'a1')]);
    // Called without waiting in between: the order of the calls is what counts.
    await Promise.all([log.append([entry('1:a', 'a2')]), log.append([entry('1:a', 'a3')])]);

    const records = await readAll(log, partitionOf('1:a', 4));
    assert.deepEqual(
      valuesOf(records).filter((value) => value.startsWith('a')),
      ['a0', 'a1', 'a2', 'a3'],
    );
    assert.deepEqual(
      records.map(({ position }) => position),
      records.map((_, index) => index),
    );
  });

  promise('a read starts at any position and stops at either limit', async (log) => {
    const partition = partitionOf('1:a', 4);
    await log.append(Array.from({ length: 10 }, (_, n) => entry('1:a', `value-${n}`)));
    await log.append([entry('1:a', 'x'.repeat(1000)), entry('1:a', 'last')]);

    assert.deepEqual(valuesOf(await log.read(partition, 8, { recordsMax: 1 })), ['value-8']);
    assert.deepEqual(valuesOf(await log.read(partition, 7, { bytesMax: 20 })), ['value-7', 'value-8']);
    assert.deepEqual(valuesOf(await log.read(partition, 9, { recordsMax: 2 })), ['value-9', 'x'.repeat(1000)]);
    // A record larger than the limit comes alone instead of never.
    assert.deepEqual(valuesOf(await log.read(partition, 10, { bytesMax: 20 })), ['x'.repeat(1000)]);
    assert.deepEqual(await log.read(partition, 12), []);
  });

  promise('a position beyond the end, and a partition that is not there, are errors', async (log) => {
    await assert.rejects(log.read(0, 1), PositionOutOfRange);
    await assert.rejects(log.commit(0, 1), PositionOutOfRange);
    await assert.rejects(log.read(4, 0), /no partition 4 in the event log; expected one from 0 to 3/);
    await assert.rejects(log.commit(-1, 0), RangeError);
  });

  promise('a commit moves forward, may be repeated, and never goes back', async (log) => {
    const partition = partitionOf('1:a', 4);
    await log.append([entry('1:a', '0'), entry('1:a', '1'), entry('1:a', '2')]);
    await log.commit(partition, 2);
    await log.commit(partition, 2);

    await assert.rejects(log.commit(partition, 1), PositionOutOfRange);
    assert.equal(await log.committed(partition), 2);
    assert.deepEqual(valuesOf(await log.read(partition, 2)), ['2']);
  });

  promise('records, positions and counts are there after reopening', async (log, home) => {
    const partition = partitionOf('1:a', 4);
    await log.append([entry('1:a', '0'), entry('1:a', '1')], { 'accepted:1': 2 });
    await log.commit(partition, 1);
    await log.close();

    await using again = await home.open();
    assert.equal(await again.committed(partition), 1);
    assert.deepEqual(valuesOf(await again.read(partition, 1)), ['1']);
    assert.equal((await again.counts()).get('accepted:1'), 2);
    await again.append([entry('1:a', '2')]);
    assert.deepEqual(valuesOf(await again.read(partition, 1)), ['1', '2']);
  });

  promise('a waiting read is answered by the next append', async (log) => {
    const partition = partitionOf('1:a', 4);
    const waiting = log.read(partition, 0, { waitMs: 10_000 });
    await log.append([entry('1:a', 'now')]);

    assert.deepEqual(valuesOf(await waiting), ['now']);
  });

  promise('a waiting reader of the same process is woken at once: 40 round trips within a second', async (log) => {
    const partition = partitionOf('1:a', 4);
    const startedAt = performance.now();
    for (let position = 0; position < 40; position += 1) {
      const waiting = log.read(partition, position, { waitMs: 10_000 });
      await log.append([entry('1:a', `${position}`)]);
      assert.equal((await waiting).length, 1);
    }
    assert.ok(performance.now() - startedAt < 1_000);
  });

  promise('a waiting read ends when its time is up, when aborted, and when the log closes', async (log) => {
    assert.deepEqual(await log.read(0, 0, { waitMs: 1 }), []);
    const aborted = new AbortController();
    const first = log.read(0, 0, { waitMs: 60_000, signal: aborted.signal });
    aborted.abort();
    assert.deepEqual(await first, []);
    const second = log.read(0, 0, { waitMs: 60_000 });
    await log.close();
    assert.deepEqual(await second, []);
  });

  promise('a closed log finishes what it took and refuses the rest', async (log, home) => {
    // Together larger than any form would commit at once.
    const large = { key: '1:b', value: Buffer.alloc(3_000_000) };
    const taken = Promise.all([1, 2, 3].map(() => log.append([large, entry('1:a', 'taken')])));
    await log.close();
    await taken;
    await assert.rejects(log.append([entry('1:a', 'late')]), /the event log is closed/);

    await using again = await home.open();
    const records = await readAll(again, partitionOf('1:a', 4));
    assert.equal(valuesOf(records).filter((value) => value === 'taken').length, 3);
  });

  promise('counts are added with the records, read by prefix, and forgotten by name', async (log) => {
    await log.append([entry('1:a', '0')], { 'accepted:1:9': 1, 'accepted:2:9': 5 });
    await log.append([], { 'accepted:1:9': 3, 'dropped:1:9': 2 });
    await Promise.all([log.append([], { 'accepted:1:9': 1 }), log.append([], { 'accepted:1:9': 1 })]);

    assert.deepEqual(
      [...(await log.counts('accepted:'))],
      [
        ['accepted:1:9', 6],
        ['accepted:2:9', 5],
      ],
    );
    await log.forgetCounts(['accepted:1:9', 'never counted']);
    assert.deepEqual([...(await log.counts()).keys()], ['accepted:2:9', 'dropped:1:9']);
  });

  promise('the stats tell the lag: what is unprocessed, and since when', async (log) => {
    const partition = partitionOf('1:a', 4);
    const before = Date.now();
    await log.append([entry('1:a', '0'), entry('1:a', '1')]);
    const stats = (await log.stats()).partitions[partition]!;
    assert.equal(stats.next - stats.committed, 2);
    assert.ok(stats.oldestAppendedAt! >= before && stats.oldestAppendedAt! <= Date.now());
    assert.ok(stats.bytes > 0);

    await log.commit(partition, 2);
    assert.equal((await log.stats()).partitions[partition]!.oldestAppendedAt, null);
  });

  promise('committed records are removed, the others stay', async (log) => {
    const partition = partitionOf('1:a', 4);
    for (let n = 0; n < 300; n += 1) await log.append([entry('1:a', `${n}`)]);
    await log.commit(partition, 297);
    await eventually(async () => (await log.stats()).partitions[partition]!.first === 297, 'removal up to the commit');

    assert.deepEqual(valuesOf(await log.read(partition, 297)), ['297', '298', '299']);
    await assert.rejects(log.read(partition, 296), PositionOutOfRange);
    await log.commit(partition, 300);
    await eventually(async () => (await log.stats()).bytes === 0, 'an empty log');
  });

  promise(
    'a full log refuses whole appends, counts nothing, and accepts again once drained',
    async (log) => {
      const value = Buffer.alloc(50_000, 1);
      const pair = [
        { key: '1:a', value },
        { key: '1:b', value },
      ];
      let accepted = 0;
      await assert.rejects(
        async () => {
          for (; accepted < 1000; accepted += 1) await log.append(pair, { accepted: 2 });
        },
        (error) => error instanceof LogFull && error.limit === 'size',
      );
      const { partitions, full, bytes, bytesMax } = await log.stats();
      assert.ok(full && bytes <= bytesMax && bytes > bytesMax * 0.8, `${bytes} of ${bytesMax}`);
      assert.equal(
        partitions.reduce((sum, { next }) => sum + next, 0),
        accepted * 2,
      );
      assert.equal((await log.counts()).get('accepted'), accepted * 2);

      // Full does not flicker: nothing is taken, however small, until a good part is processed.
      await assert.rejects(log.append([entry('1:a', 'small')]), LogFull);
      await commitAll(log);
      await eventually(
        () =>
          log.append(pair).then(
            () => true,
            () => false,
          ),
        'accepting again',
      );
      assert.equal((await log.stats()).full, false);
    },
    { maxBytes: 2_000_000 },
  );

  promise(
    'an append that can never fit is told so, instead of to try again',
    async (log) => {
      await assert.rejects(log.append([{ key: '1:a', value: Buffer.alloc(2_000_000) }]), /can never fit/);
    },
    { maxBytes: 1_000_000 },
  );

  promise('many appenders and readers at once: everything is read once, each key in order', async (log) => {
    const appenders = 32;
    const each = 60;
    const seen = new Map<string, number[]>();
    const done = new AbortController();
    const readers = Array.from({ length: 4 }, async (_, partition) => {
      let from = 0;
      for (;;) {
        const finished = done.signal.aborted;
        const records = await log.read(partition, from, { waitMs: 5_000, recordsMax: 50, signal: done.signal });
        for (const { position, value } of records) {
          assert.equal(position, from);
          from += 1;
          const [key, n] = value.toString().split(' ');
          seen.set(key!, [...(seen.get(key!) ?? []), Number(n)]);
        }
        if (records.length > 0) await log.commit(partition, from);
        else if (finished) return;
      }
    });
    await Promise.all(
      Array.from({ length: appenders }, async (_, appender) => {
        for (let n = 0; n < each; n += 3) {
          const key = `1:${appender}`;
          await log.append([n, n + 1, n + 2].map((number) => entry(key, `${key} ${number}`)));
        }
      }),
    );
    done.abort();
    await Promise.all(readers);

    assert.equal(seen.size, appenders);
    const inOrder = Array.from({ length: each }, (_, n) => n);
    for (const [key, numbers] of seen) assert.deepEqual(numbers, inOrder, key);
  });
}
