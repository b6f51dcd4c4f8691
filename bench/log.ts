// The event log beside bare LMDB: durable appends a second, and how long one takes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { open } from 'lmdb';
import { pino } from 'pino';
import { openLmdbLog } from '../src/log/lmdb.ts';

const RUN_MS = 700;
/** Log and bare puts take turns this often, and the middle result counts: neighbours on the machine come and go. */
const ROUNDS = 5;
const RECORD_BYTES = 500;
const GB = 1024 ** 3;

interface Measured {
  recordsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** The longest time the event loop was held up. */
  stallMs: number;
}

/** Runs `appenders` loops of `append`, each waiting for its own, for a fixed time. */
async function measure(appenders: number, batch: number, append: (key: string) => Promise<unknown>): Promise<Measured> {
  const latencies: number[] = [];
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: appenders }, async (_, appender) => {
      for (let n = 0; performance.now() - startedAt < RUN_MS; n += 1) {
        const before = performance.now();
        await append(`1:person-${appender}-${n}`);
        latencies.push(performance.now() - before);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  loop.disable();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]!;
  return {
    recordsPerSecond: (latencies.length * batch) / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    stallMs: loop.max / 1e6,
  };
}

async function inFolder<Result>(use: (path: string) => Promise<Result>): Promise<Result> {
  const path = await mkdtemp(join(tmpdir(), 'tenrec-bench-log-'));
  try {
    return await use(path);
  } finally {
    await rm(path, { recursive: true });
  }
}

/** Realistic enough to be compressed and copied as events are, and different from record to record. */
function makeValue(n: number): Buffer {
  const event = {
    event: '$pageview',
    distinct_id: `person-${n}`,
    properties: { $current_url: `https://example.com/${n}` },
  };
  return Buffer.from(JSON.stringify(event).padEnd(RECORD_BYTES, ' '));
}

const values = Array.from({ length: 1_000 }, (_, n) => makeValue(n));
const valueAt = (n: number): Buffer => values[n % values.length]!;

function measureLog(appenders: number, batch: number): Promise<Measured> {
  return inFolder(async (path) => {
    await using log = await openLmdbLog({ path, maxBytes: 4 * GB }, pino({ level: 'silent' }));
    return await measure(appenders, batch, (key) =>
      log.append(Array.from({ length: batch }, (_, n) => ({ key: `${key}-${n}`, value: valueAt(n) }))),
    );
  });
}

/** The limit: the same records as plain puts, batched by LMDB itself, each waiting for its fsync. */
function measureBare(appenders: number, batch: number): Promise<Measured> {
  return inFolder(async (path) => {
    const db = open<Buffer, number>({
      path,
      noSubdir: false,
      mapSize: 4 * GB,
      encoding: 'binary',
      overlappingSync: false,
    });
    let next = 0;
    const measured = await measure(appenders, batch, () => {
      let written: Promise<boolean> | undefined;
      for (let n = 0; n < batch; n += 1) written = db.put(next++, valueAt(n));
      return written!;
    });
    await db.close();
    return measured;
  });
}

async function takeTurns(appenders: number, batch: number): Promise<{ bare: Measured; log: Measured }> {
  const bare: Measured[] = [];
  const log: Measured[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await measureBare(appenders, batch));
    log.push(await measureLog(appenders, batch));
  }
  return { bare: middle(bare), log: middle(log) };
}

function middle(measured: Measured[]): Measured {
  return measured.sort((a, b) => a.recordsPerSecond - b.recordsPerSecond)[measured.length >> 1]!;
}

/** How fast one reader gets through what is stored, decoding included. */
function measureReading(): Promise<number> {
  return inFolder(async (path) => {
    await using log = await openLmdbLog({ path, partitions: 1, maxBytes: 4 * GB }, pino({ level: 'silent' }));
    for (let n = 0; n < 200; n += 1) {
      await log.append(Array.from({ length: 1_000 }, (_, record) => ({ key: '1:a', value: valueAt(record) })));
    }
    const startedAt = performance.now();
    for (let from = 0; from < 200_000; ) from += (await log.read(0, from, { recordsMax: 2_000 })).length;
    return 200_000 / ((performance.now() - startedAt) / 1000);
  });
}

const whole = (value: number): string => Math.round(value).toLocaleString('en').padStart(9);
const ms = (value: number): string => `${value.toFixed(2)} ms`.padStart(9);

export async function run(): Promise<void> {
  console.log(`Event log: ${RECORD_BYTES}-byte records, each append waiting for its fsync, beside bare LMDB puts`);
  console.log('appenders  batch  records/s  bare puts/s  ratio        p50        p99  longest stall');
  for (const [appenders, batch] of [
    [1, 1],
    [32, 1],
    [256, 1],
    [1, 100],
    [8, 100],
    [32, 100],
  ] as const) {
    const { bare, log } = await takeTurns(appenders, batch);
    const ratio = (log.recordsPerSecond / bare.recordsPerSecond).toFixed(2);
    console.log(
      `${String(appenders).padStart(9)}  ${String(batch).padStart(5)}  ${whole(log.recordsPerSecond)}    ` +
        `${whole(bare.recordsPerSecond)}   ${ratio}  ${ms(log.p50Ms)}  ${ms(log.p99Ms)}      ${ms(log.stallMs)}`,
    );
  }
  console.log(`reading: ${whole(await measureReading()).trim()} records/s in batches of 2,000`);
}

if (import.meta.main) await run();
