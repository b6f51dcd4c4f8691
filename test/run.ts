// `npm test`: one PostgreSQL and one ClickHouse for the whole run, then every test file. `--long` runs the long forms;
// parts of names pick files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { INSTALLED, takeInstalled } from '../src/cli/compile-cache.ts';
import { configWith } from '../src/config.ts';
import { openEmbeddedPostgres } from '../src/metadata/embedded/open.ts';
import { openStore } from '../src/store/open.ts';
import { type Job, planJobs } from './jobs.ts';

/** Twice the cores we plan for: a test that waits leaves its core to another. */
const JOBS_AT_A_TIME = 4;

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({ options: { long: { type: 'boolean' } }, allowPositionals: true });

const files = globSync(['src/**/*.test.ts', 'web/src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
  .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) {
  console.error(`No test file has ${positionals.join(' or ')} in its name.`);
  process.exit(2);
}

const folder = await mkdtemp(join(tmpdir(), 'tenrec-test-'));
const log = pino({ level: 'warn' });
const [postgres, store] = await Promise.all([
  // Its data ends with the run, so nothing waits for the disk.
  openEmbeddedPostgres(folder, log, { settings: { fsync: 'off', max_connections: '300' } }),
  openStore(configWith({ TENREC_DATA: folder, CLICKHOUSE_URL: process.env.CLICKHOUSE_URL ?? '' }), log),
]);

// Nearly every job loads the same modules: what the installation or another job compiled, it takes.
const compiled = join(folder, 'compiled');
if (existsSync(INSTALLED)) takeInstalled(compiled);

const env = {
  ...process.env,
  TENREC_TEST_DATABASE_URL: postgres.url,
  TENREC_TEST_CLICKHOUSE_URL: urlOf(store.address),
  NODE_COMPILE_CACHE: compiled,
  ...(values.long && { TENREC_TEST_LONG: '1' }),
};

function urlOf({ url, password, port }: typeof store.address): string {
  if (port === undefined) return url;
  const found = new URL(url);
  return Object.assign(found, { username: 'default', password, port: String(port) }).href;
}

const running = new Set<ReturnType<typeof spawn>>();
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isStopped = true;
    jobs.length = 0;
    for (const child of running) child.kill(signal);
  });
}

interface Ran {
  isGreen: boolean;
  said: string;
}

/** Shown when it has ended, or at once when it is the only one. */
async function runJob({ name, files }: Job): Promise<Ran> {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      '--expose-gc',
      '--test',
      '--test-isolation=none',
      // A hang is a failure with a name, not a run that never ends.
      `--test-timeout=${values.long ? 3_600_000 : 240_000}`,
      ...files,
    ],
    { cwd: root, env, stdio: ['ignore', alone ? 'inherit' : 'pipe', 'inherit'] },
  );
  running.add(child);
  const [[code], said] = await Promise.all([once(child, 'exit'), child.stdout ? text(child.stdout) : '']);
  running.delete(child);
  process.stdout.write(said);
  console.log(`${code === 0 ? '✔' : '✖'} ${name}: ${secondsSince(startedAt)} s${takeCost()}\n`);
  return { isGreen: code === 0, said };
}

/** Where the system tells: the processor time of those who have ended since the last call. */
let spent = 0;
function takeCost(): string {
  if (process.platform !== 'linux') return '';
  // Times are in hundredths of a second; what stands before them is a name, which may hold spaces.
  const [, after = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const fields = after.split(' ');
  const all = (Number(fields[13]) + Number(fields[14])) / 100;
  const cost = all - spent;
  spent = all;
  return `, ${cost.toFixed(0)} s of processor time`;
}

const totals = new Map<string, number>();
function count(said: string): void {
  for (const [, what = '', n] of said.matchAll(/^ℹ (tests|pass|fail|cancelled|skipped) (\d+)$/gm)) {
    totals.set(what, (totals.get(what) ?? 0) + Number(n));
  }
}

const secondsSince = (at: number) => ((performance.now() - at) / 1000).toFixed(0);

const startedAt = performance.now();
const jobs = planJobs(files);
const alone = jobs.length === 1;
const red: Job[] = [];
await Promise.all(
  Array.from({ length: JOBS_AT_A_TIME }, async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const { isGreen, said } = await runJob(job);
      if (isGreen) count(said);
      else red.push(job);
    }
  }),
);

// A promise that is broken stays broken when nothing else runs; what holds then was a matter of time, and is named, too.
const failed: string[] = [];
const unsteady: string[] = [];
for (const job of red) {
  if (alone || isStopped) {
    failed.push(job.name);
    continue;
  }
  console.log(`Once more, by itself: ${job.name}`);
  const { isGreen, said } = await runJob(job);
  count(said);
  (isGreen ? unsteady : failed).push(job.name);
}

if (!alone) console.log(`In all: ${[...totals].map(([what, n]) => `${what} ${n}`).join(', ')}`);
if (unsteady.length > 0) console.log(`Failed beside others and passed alone: ${unsteady}`);
console.log(`${secondsSince(startedAt)} s${failed.length ? `; failed: ${failed}` : ''}`);
await Promise.all([postgres.close(), store.close()]);
await rm(folder, { recursive: true, force: true });
process.exit(failed.length > 0 ? 1 : 0);
