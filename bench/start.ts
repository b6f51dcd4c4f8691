// From `tenrec start` to readiness, on an empty data folder and on one that has data; and the memory of all processes
// of the program at idle. Linux only: memory is read from /proc.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { printTable } from '../src/cli/table.ts';
import { type Figure, median } from './measure/figure.ts';
import { type ProcessMemory, readMemoryOfTree } from './measure/processes.ts';

const ROUNDS = 5;
const IDLE_MS = 5_000;
const POLL_MS = 5;
const READY_MS_MAX = 60_000;
const TENREC = fileURLToPath(new URL('../bin/tenrec.js', import.meta.url));

const FIRST_MS_MAX = 4_000;
const LATER_MS_MAX = 2_000;
const MEMORY_MB_MAX = 650;

interface Started {
  child: ChildProcess;
  readyMs: number;
  steps: { step: string; ms: number }[];
}

async function start(dataFolder: string): Promise<Started> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, [TENREC, 'start', '--json'], {
    // Nothing of this shell's own configuration may take part.
    env: { PATH: process.env.PATH, TENREC_DATA: dataFolder, PORT: String(port), TENREC_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const complaints = text(child.stderr);
  await waitUntilReady(port, child).catch(async (error: Error) => {
    child.kill('SIGKILL');
    throw new Error(`${error.message}: ${await complaints}`);
  });
  const readyMs = performance.now() - startedAt;
  const [line] = await said;
  return { child, readyMs, steps: JSON.parse(line).steps };
}

async function waitUntilReady(port: number, child: ChildProcess): Promise<void> {
  const until = performance.now() + READY_MS_MAX;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`tenrec start exited with code ${child.exitCode}`);
    const response = await fetch(`http://127.0.0.1:${port}/_readiness`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    await delay(POLL_MS);
  }
  throw new Error(`tenrec start was not ready after ${READY_MS_MAX} ms`);
}

async function stop(child: ChildProcess): Promise<number> {
  const startedAt = performance.now();
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`tenrec start ended with code ${code}`);
  return performance.now() - startedAt;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

function printSteps(first: readonly Started[], later: readonly Started[]): string {
  const middle = (runs: readonly Started[], at: number) => Math.round(median(runs.map(({ steps }) => steps[at]!.ms)));
  const named = first[0]!.steps.map(({ step }, at) => [step, `${middle(first, at)} ms`, `${middle(later, at)} ms`]);
  const rest = (runs: readonly Started[]) =>
    Math.round(median(runs.map(({ readyMs, steps }) => readyMs - steps.reduce((sum, { ms }) => sum + ms, 0))));
  const outside = ['starting Node and the first answer', `${rest(first)} ms`, `${rest(later)} ms`];
  return printTable(['WHERE THE TIME GOES', 'FIRST', 'LATER'], [...named, outside]);
}

function printMemory(processes: readonly ProcessMemory[]): string {
  const rows = processes
    .toSorted((a, b) => b.pssMb - a.pssMb)
    .map(({ command, pssMb, rssMb }) => [`${Math.round(pssMb)} MB`, `${Math.round(rssMb)} MB`, shorten(command)]);
  return printTable(['PSS', 'RSS', 'PROCESS'], rows);
}

/** Without the folders that programs lie in, and on one line. */
const shorten = (command: string) =>
  command
    .replaceAll(/\/\S*\/(?=\S)/g, '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 60);

export async function run(): Promise<Figure[]> {
  const first: Started[] = [];
  const later: Started[] = [];
  const stopsMs: number[] = [];
  let memory: ProcessMemory[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const dataFolder = await mkdtemp(join(tmpdir(), 'tenrec-bench-start-'));
    try {
      for (const runs of [first, later]) {
        const started = await start(dataFolder);
        runs.push(started);
        if (round === ROUNDS - 1 && runs === later) {
          await delay(IDLE_MS);
          memory = await readMemoryOfTree(started.child.pid!);
        }
        stopsMs.push(await stop(started.child));
      }
    } finally {
      await rm(dataFolder, { recursive: true, force: true });
    }
  }
  const sum = (of: 'pssMb' | 'rssMb') => memory.reduce((total, each) => total + each[of], 0);
  console.log(`${printSteps(first, later)}\n\n${printMemory(memory)}\n`);
  return [
    { name: 'first start, median', value: median(first.map(({ readyMs }) => readyMs)), unit: 'ms', max: FIRST_MS_MAX },
    { name: 'first start, slowest', value: Math.max(...first.map(({ readyMs }) => readyMs)), unit: 'ms' },
    { name: 'later start, median', value: median(later.map(({ readyMs }) => readyMs)), unit: 'ms', max: LATER_MS_MAX },
    { name: 'later start, slowest', value: Math.max(...later.map(({ readyMs }) => readyMs)), unit: 'ms' },
    // RSS counts a shared page in every process, so it can only be too high. PSS divides it among all that share it,
    // strangers to this program included, so beside other Nodes on the machine it is too low.
    { name: `memory after ${IDLE_MS / 1000} s idle, RSS of all`, value: sum('rssMb'), unit: 'MB', max: MEMORY_MB_MAX },
    { name: 'the same as PSS', value: sum('pssMb'), unit: 'MB' },
    { name: 'stop, median', value: median(stopsMs), unit: 'ms' },
  ];
}

if (import.meta.main) console.table(await run());
