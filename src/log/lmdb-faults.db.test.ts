// What the LMDB log promises when processes are killed, when there are several of them, and when the disk gives out.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { eventually, readAll } from './conformance.ts';
import { type LmdbLogOptions, openLmdbLog } from './lmdb.ts';
import { type EventLog, LogFull } from './log.ts';
import { partitionOf } from './partition.ts';

const quiet = pino({ level: 'silent' });
const long = process.env.TENREC_TEST_LONG === '1';
const HOUR_MS = 3_600_000;

async function makeFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'tenrec-log-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

const openAt = (path: string, options: Partial<LmdbLogOptions> = {}): Promise<EventLog> =>
  openLmdbLog({ path, partitions: 4, maxBytes: 256 * 1024 * 1024, diskReserveBytes: 0, ...options }, quiet);

/** Ends with the scope that started it, if it was not killed before. */
interface Appender extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Everything the child acknowledged so far. */
  readonly lines: string[];
  readonly complaints: string[];
}

function startAppender(path: string, name: string, keepMs: number, options: string[] = [], shell = ''): Appender {
  const script = join(import.meta.dirname, 'crash-appender.ts');
  const command = [process.execPath, script, path, name, `${keepMs}`, ...options];
  const stdio = ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'];
  const child = shell
    ? spawn('sh', ['-c', `${shell}; exec "$@"`, 'sh', ...command], { stdio })
    : spawn(command[0]!, command.slice(1), { stdio });
  const lines: string[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line));
  const complaints: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => complaints.push(line));
  const appender = { child, lines, complaints, [Symbol.asyncDispose]: () => killAppender(appender) };
  return appender;
}

const acknowledged = ({ child, lines, complaints }: Appender, count: number, start = '') =>
  eventually(async () => {
    assert.equal(child.exitCode, null, `the appending process ended by itself:\n${complaints.join('\n')}`);
    return lines.filter((line) => line.startsWith(start)).length >= count;
  }, `${count} acknowledgements ${start}`);

async function killAppender({ child }: Pick<Appender, 'child'>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close'); // After `close`, all it has acknowledged has been read.
  child.kill('SIGKILL');
  await closed;
}

/** The same sequence for the same seed: a failure can be run again. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The numbers found in the log for each key, in the order they are read. */
async function numbersByKey(log: EventLog): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  for (let partition = 0; partition < log.partitions; partition += 1) {
    for (const { value } of await readAll(log, partition)) {
      const [key, n] = value.toString().split(' ', 2);
      const numbers = found.get(key!);
      if (numbers) numbers.push(Number(n));
      else found.set(key!, [Number(n)]);
    }
  }
  return found;
}

/** Every acknowledged record is there, once and in order, and the counters say exactly what the log holds. */
async function checkNothingLost(log: EventLog, lines: readonly string[]): Promise<void> {
  const found = await numbersByKey(log);
  for (const [key, numbers] of found) {
    assert.deepEqual(
      numbers,
      numbers.map((_, n) => n),
      `${key} has gaps, repeats or a wrong order`,
    );
  }
  for (const line of lines) {
    const [what, key, n] = line.split(' ');
    if (what === 'appended') assert.ok(Number(n) < (found.get(key!)?.length ?? 0), `lost: ${line}`);
  }
  const counts = await log.counts();
  assert.deepEqual(counts, new Map([...found].map(([key, numbers]) => [key, numbers.length] as const).sort()));
}

test('kill -9 at any moment loses nothing acknowledged, keeps order, and counts exactly', async () => {
  await using folder = await makeFolder();
  const next = random(20);
  const lines: string[] = [];
  for (let round = 0; round < (long ? 100 : 10); round += 1) {
    await using appender = startAppender(folder.path, `round${round}`, HOUR_MS, ['--commit']);
    // Mostly in the midst of the work; every third time by the clock, which also meets the opening of the log.
    if (round % 3 === 2) await delay(next() * 500);
    else await acknowledged(appender, 1 + Math.floor(next() * 400));
    await killAppender(appender);
    lines.push(...appender.lines);
  }

  await using log = await openAt(folder.path, { keepMs: HOUR_MS });
  await checkNothingLost(log, lines);
  for (const line of lines) {
    const [what, partition, position] = line.split(' ');
    if (what === 'committed') assert.ok((await log.committed(Number(partition))) >= Number(position), `lost: ${line}`);
  }
});

test('kill -9 while committed records are removed leaves the rest readable and the size exact', async () => {
  await using folder = await makeFolder();
  const next = random(21);
  for (let round = 0; round < (long ? 50 : 5); round += 1) {
    await using appender = startAppender(folder.path, `round${round}`, 0, ['--commit']);
    await acknowledged(appender, 200 + Math.floor(next() * 1000));
    await killAppender(appender);
  }

  await using log = await openAt(folder.path);
  for (const { partition, committed, next } of (await log.stats()).partitions) {
    assert.equal((await readAll(log, partition, committed)).length, next - committed);
    await log.commit(partition, next);
  }
  await eventually(async () => (await log.stats()).bytes === 0, 'every byte accounted for');
});

test('several processes append to one log, and each reads what the others wrote', async () => {
  await using folder = await makeFolder();
  await using log = await openAt(folder.path, { keepMs: HOUR_MS });
  await using left = startAppender(folder.path, 'left', HOUR_MS);
  await using right = startAppender(folder.path, 'right', HOUR_MS);
  const tooLate = AbortSignal.timeout(10_000);
  const found = await log.read(partitionOf('left-0', 4), 0, { waitMs: 60_000, signal: tooLate });
  assert.ok(found.length > 0 && !tooLate.aborted);
  await Promise.all([left, right].map((appender) => acknowledged(appender, 300)));
  for (let n = 0; n < 20; n += 1) await log.append([{ key: 'own', value: Buffer.from(`own ${n}`) }], { own: 1 });
  await Promise.all([left, right].map(killAppender));

  await checkNothingLost(log, [...left.lines, ...right.lines]);
});

test('a disk that gives out refuses appends, loses nothing, and is no end: appends go on once there is room', {
  skip: process.platform === 'win32',
}, async () => {
  await using folder = await makeFolder();
  // A limit on the size of files stands for a full disk: the same write fails in the same place.
  await using limited = startAppender(folder.path, 'limited', HOUR_MS, [], 'ulimit -f 12000');
  await acknowledged(limited, 20, 'refused disk');
  await killAppender(limited);
  await using free = startAppender(folder.path, 'free', HOUR_MS);
  await acknowledged(free, 50, 'appended');
  await killAppender(free);

  await using log = await openAt(folder.path, { keepMs: HOUR_MS });
  await checkNothingLost(log, [...limited.lines, ...free.lines]);
});

for (const size of ['mixed', 'large']) {
  test(`a process that met a full disk goes on by itself once records are committed: ${size} records`, {
    skip: process.platform === 'win32',
  }, async () => {
    await using folder = await makeFolder();
    await using limited = startAppender(folder.path, 'limited', 0, [`--${size}`], 'ulimit -f 12000');
    await acknowledged(limited, 5, 'refused disk');
    const before = limited.lines.filter((line) => line.startsWith('appended')).length;
    await using consumer = await openAt(folder.path);
    for (const { partition, next } of (await consumer.stats()).partitions) await consumer.commit(partition, next);
    await acknowledged(limited, before + 5, 'appended');
    await killAppender(limited);
  });
}

test('appends are refused while the disk has less room than the reserve', async () => {
  await using folder = await makeFolder();
  await using log = await openAt(folder.path, { diskReserveBytes: Number.MAX_SAFE_INTEGER });

  await assert.rejects(
    log.append([{ key: 'a', value: Buffer.from('a') }]),
    (error) => error instanceof LogFull && error.limit === 'disk',
  );
});

test('the file stays bounded however much passes through', async () => {
  await using folder = await makeFolder();
  const maxBytes = 8 * 1024 * 1024;
  await using log = await openAt(folder.path, { maxBytes });
  const next = random(22);
  let passed = 0;
  while (passed < (long ? 100 : 15) * maxBytes) {
    const sizes = Array.from({ length: 50 }, () => Math.floor(next() ** 8 * 300_000) + 100);
    const entries = sizes.map((size) => ({ key: `${next()}`, value: Buffer.alloc(size, 1) }));
    await log.append(entries).catch(async (error) => {
      if (!(error instanceof LogFull)) throw error;
      const { partitions } = await log.stats();
      await Promise.all(partitions.map((partition) => log.commit(partition.partition, partition.next)));
      await eventually(async () => (await log.stats()).bytes < maxBytes / 2, 'room');
    });
    passed += sizes.reduce((sum, size) => sum + size, 0);
  }

  const { size } = await stat(join(folder.path, 'data.mdb'));
  assert.ok(size < maxBytes * 2, `the file has ${size} bytes with a ceiling of ${maxBytes}`);
});

test('committed records are kept as long as asked, by the clock', async () => {
  await using folder = await makeFolder();
  let now = 1_000_000;
  await using log = await openAt(folder.path, { partitions: 1, keepMs: 60_000, now: () => now });
  await log.append([{ key: 'a', value: Buffer.from('old') }]);
  now += 50_000;
  await log.append([{ key: 'a', value: Buffer.from('new') }]);
  await log.commit(0, 1);
  now += 20_000;
  await log.commit(0, 2);

  await eventually(async () => (await log.stats()).partitions[0]!.first === 1, 'removal of the old record');
  assert.equal((await readAll(log, 0, 1)).length, 1);
});

test('a log is not opened with another number of partitions', async () => {
  await using folder = await makeFolder();
  await (await openAt(folder.path)).close();

  await assert.rejects(
    openAt(folder.path, { partitions: 8 }),
    /has 4 partitions, but 8 were asked for; open it with 4/,
  );
  await assert.rejects(openAt(folder.path, { partitions: 0 }), /expected a whole number from 1 to 256/);
  await using log = await openAt(folder.path);
  assert.equal(log.partitions, 4);
});
