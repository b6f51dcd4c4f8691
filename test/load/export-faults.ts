// Exports under fire: events come in all the while, and exporters, the engine and destinations are killed or cut off at
// random. Afterwards everything that was stored must be at each destination exactly once.
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { configWith } from '../../src/config.ts';
import { createBackfill } from '../../src/exports/backfills/create.ts';
import { insertBackfill } from '../../src/exports/backfills/sql.ts';
import { createExport } from '../../src/exports/change.ts';
import { type Exports, openExports } from '../../src/exports/open.ts';
import { pauseExport } from '../../src/exports/pause.ts';
import { type VerifyLine, verifyExport } from '../../src/exports/verify/verify.ts';
import type { BatchExportRow, RunRow } from '../../src/metadata/tables-exports.ts';
import { eventually } from '../eventually.ts';
import { openTestPipeline, type TestPipeline } from '../pipeline.ts';
import { isLong, type Random } from '../random.ts';
import { startWorkerProcess, type WorkerOrders, type WorkerProcess } from './export-worker.ts';

const SECRET = 'a secret key that only tests would ever use';
const INTERVAL = 'every 4 seconds';
const INTERVAL_MS = 4_000;
const EVENTS_AT_ONCE = 20;
const FEED_EVERY_MS = isLong ? 40 : 150;
const SETTLE_MS = 180_000;
const VERIFY_MS = 120_000;
const BETWEEN_FAULTS_MS = 250;
/** On a busy machine faults could follow each other faster than anything gets done between them. */
const PROGRESS_MS_MAX = 20_000;

export interface Target {
  type: string;
  config: Record<string, unknown>;
  /** Makes the destination fail for a while; resolves when it is whole again. Undefined: it cannot be cut off. */
  cut?(random: Random): Promise<void>;
  /** Every uuid that is there, as often as it is there. */
  list(): Promise<string[]>;
  /** Whether `verify` can read it back. */
  isVerifiable: boolean;
}

export interface FaultPlan {
  targets: readonly Target[];
  /** How many faults each of the targets sees at least: of its own, of the exporter, of the engine. */
  faultsEach: number;
  folder: string;
  random: Random;
}

export interface FaultResult {
  type: string;
  /** Within the intervals that were shipped. */
  stored: number;
  /** Found without the help of the exporter. */
  found: number;
  distinct: number;
  missing: number;
  /** Undefined where it cannot be read back. */
  verified: VerifyLine | undefined;
  statuses: Record<string, number>;
  faults: number;
}

export async function runFaults(plan: FaultPlan): Promise<{ results: FaultResult[]; faults: Record<string, number> }> {
  await using pipeline = await openTestPipeline();
  const config = configWith({ TENREC_DATA: plan.folder, TENREC_EXPORT_PRIVATE_NETWORKS: true });
  const log = pino({ level: process.env.TENREC_LOG_LEVEL ?? 'silent' });
  const exports = openExports({ db: pipeline.database.db, store: pipeline.store, secretKey: SECRET, config, log });
  const orders: WorkerOrders = {
    databaseUrl: pipeline.database.url,
    address: pipeline.store.address,
    folder: plan.folder,
    secretKey: SECRET,
    timing: { pollMs: 50, beatMs: 200, leaseMs: 1_500, retry: { firstMs: 50, maxMs: 500 } },
  };
  const made: BatchExportRow[] = [];
  for (const { type, config } of plan.targets) {
    const draft = { name: type, interval: INTERVAL, destination: { type, config } };
    made.push(await createExport(exports.parts, pipeline.team_id, draft));
  }
  const worker = await startWorkerProcess(orders);
  const seen = new Map(plan.targets.map((target) => [target, 0]));
  const scene: Scene = { pipeline, exports, orders, worker, made, counts: {}, seen };
  pipeline.store.onMove((address) => {
    scene.orders.address = address;
    scene.worker.moveTo(address);
  });
  const feeding = new AbortController();
  const fed = feed(pipeline, feeding.signal);
  try {
    while (seen.values().some((faults) => faults < plan.faultsEach)) {
      await delay(BETWEEN_FAULTS_MS + plan.random.int(BETWEEN_FAULTS_MS));
      await strike(scene, plan);
      await progress(scene);
    }
    feeding.abort();
    await fed;
    await settle(scene);
  } finally {
    feeding.abort();
    await scene.worker.kill('SIGKILL');
  }
  const results: FaultResult[] = [];
  for (const [index, target] of plan.targets.entries()) results.push(await judge(scene, made[index]!, target));
  await exports.close();
  return { results, faults: scene.counts };
}

interface Scene {
  pipeline: TestPipeline;
  exports: Exports;
  orders: WorkerOrders;
  worker: WorkerProcess;
  made: readonly BatchExportRow[];
  /** How often what was done. */
  counts: Record<string, number>;
  /** How many faults each has seen. */
  seen: Map<Target, number>;
}

async function feed(pipeline: TestPipeline, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pipeline.append(
      Array.from({ length: EVENTS_AT_ONCE }, (_, n) => ({ distinct_id: `p${n}`, properties: { n } })),
    );
    await delay(FEED_EVERY_MS);
  }
}

/** One misfortune, or one person who asks for more than the schedule. */
async function strike(scene: Scene, { targets, random }: FaultPlan): Promise<void> {
  const { exports, made, counts, seen, pipeline } = scene;
  const row = random.pick(made);
  const target = targets[made.indexOf(row)]!;
  const count = (what: string, struck: readonly Target[] = []) => {
    counts[what] = (counts[what] ?? 0) + 1;
    for (const each of struck) seen.set(each, seen.get(each)! + 1);
  };
  const dice = random.next();
  if (dice < 0.4) {
    count('exporter killed', targets);
    await scene.worker.kill('SIGKILL');
    scene.worker = await startWorkerProcess(scene.orders);
    // The engine may have come up elsewhere while this one was starting.
    scene.worker.moveTo(scene.orders.address);
  } else if (dice < 0.65 && target.cut) {
    count(`${target.type} cut off`, [target]);
    await target.cut(random);
  } else if (dice < 0.85 && pipeline.store.engine?.up && pipeline.store.engine.pid) {
    count('engine killed', targets);
    process.kill(pipeline.store.engine.pid, 'SIGKILL');
  } else if (dice < 0.93) {
    count('backfill over live runs');
    const now = Date.now();
    const range = { start_at: new Date(now - 6_000).toISOString(), end_at: new Date(now).toISOString() };
    await createBackfill(exports.parts, row, 'UTC', range).catch(() => {});
  } else {
    count('run retried');
    const run = random.pick(await listRuns(scene, row));
    if (run) await retry(scene, row, run);
  }
}

/** Waits until something was shipped since, or nothing is left to be, but not for long: a fault may be why. */
async function progress({ pipeline }: Scene): Promise<void> {
  const { db } = pipeline.database;
  const shipped = async () => {
    const runs = await db.selectFrom('batch_export_run').select('status').execute();
    const done = runs.filter(({ status }) => status === 'Completed').length;
    return { done, isOver: done === runs.length };
  };
  const { done } = await shipped();
  const hasMoved = async () => {
    const now = await shipped();
    return now.isOver || now.done > done;
  };
  await eventually('something is shipped', hasMoved, PROGRESS_MS_MAX).catch(() => {});
}

const listRuns = ({ pipeline }: Scene, { id }: BatchExportRow): Promise<RunRow[]> =>
  pipeline.database.db.selectFrom('batch_export_run').selectAll().where('batch_export_id', '=', id).execute();

const retry = ({ pipeline }: Scene, row: BatchExportRow, run: RunRow) =>
  insertBackfill(pipeline.database.db, {
    batch_export_id: row.id,
    team_id: row.team_id,
    start_at: run.data_interval_start,
    end_at: run.data_interval_end,
    is_retry: true,
  });

/** Lets everything come to its end, and does what a person would about runs that failed for good. */
async function settle(scene: Scene): Promise<void> {
  const { pipeline, made } = scene;
  const { db } = pipeline.database;
  await pipeline.settled();
  // The interval in which the last event arrived must be over.
  await delay(INTERVAL_MS + 500);
  for (const row of made) {
    await db.transaction().execute((tx) => pauseExport(tx, row.id, Date.now(), { told: true }));
  }
  await eventually('every interval is shipped', () => allShipped(scene), SETTLE_MS).catch(async (error: Error) => {
    const runs = await db.selectFrom('batch_export_run').selectAll().where('status', '!=', 'Completed').execute();
    const backfills = await db
      .selectFrom('batch_export_backfill')
      .selectAll()
      .where('status', '!=', 'Completed')
      .execute();
    throw new Error(`${error.message}: ${JSON.stringify({ runs, backfills, faults: scene.counts })}`, { cause: error });
  });
}

async function allShipped(scene: Scene): Promise<boolean> {
  const { db } = scene.pipeline.database;
  const active = await db
    .selectFrom('batch_export_backfill')
    .select('id')
    .where('status', 'in', ['Starting', 'Running'])
    .execute();
  const runs = (await Promise.all(scene.made.map((row) => listRuns(scene, row)))).flat();
  if (active.length > 0 || runs.some(({ status }) => status === 'Starting' || status === 'Running')) return false;
  const shipped = new Set(runs.filter(({ status }) => status === 'Completed').map(keyOf));
  const missing = runs.filter((run) => !shipped.has(keyOf(run)));
  for (const run of missing) await retry(scene, scene.made.find(({ id }) => id === run.batch_export_id)!, run);
  await delay(100);
  return missing.length === 0;
}

const keyOf = (run: RunRow) => `${run.batch_export_id} ${run.data_interval_start} ${run.data_interval_end}`;

async function judge(scene: Scene, row: BatchExportRow, target: Target): Promise<FaultResult> {
  const runs = await listRuns(scene, row);
  const starts = runs.map(({ data_interval_start }) => Date.parse(data_interval_start ?? ''));
  const ends = runs.map(({ data_interval_end }) => Date.parse(data_interval_end));
  const stored = await scene.pipeline.rows<{ uuid: string }>(
    `SELECT toString(uuid) AS uuid FROM events
      WHERE team_id = {team:Int64}
        AND inserted_at >= fromUnixTimestamp64Milli({from:Int64}) AND inserted_at < fromUnixTimestamp64Milli({to:Int64})`,
    { team: row.team_id, from: Math.min(...starts), to: Math.max(...ends) },
  );
  const found = await target.list();
  const distinct = new Set(found);
  const statuses: Record<string, number> = {};
  for (const { status } of runs) statuses[status] = (statuses[status] ?? 0) + 1;
  return {
    type: target.type,
    stored: stored.length,
    found: found.length,
    distinct: distinct.size,
    missing: stored.filter(({ uuid }) => !distinct.has(uuid)).length,
    verified: target.isVerifiable ? await verify(scene, row) : undefined,
    statuses,
    faults: scene.seen.get(target)!,
  };
}

/** What `verify` says in the end. */
async function verify({ exports }: Scene, row: BatchExportRow): Promise<VerifyLine | undefined> {
  const lines = verifyExport(exports.parts, row, { from: null, to: null }, AbortSignal.timeout(VERIFY_MS));
  return (await Array.fromAsync(lines)).at(-1);
}
