// The real program as a child process, the way a person starts it, to be watched and killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const BIN = join(import.meta.dirname, '..', 'bin', 'tenrec.js');
const START_MS_MAX = 60_000;

export const KEY = 'phx_a_key_that_only_tests_would_ever_use';
export const TOKEN = 'phc_a_token_that_only_tests_would_use';

export interface Program {
  readonly child: ChildProcess;
  readonly url: string;
  readonly output: () => string;
  /** Resolves with the exit code, or the signal. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

export interface StartOptions {
  data: string;
  env?: Record<string, string>;
  /** Put before the command: `['setpriv', …]`. */
  prefix?: readonly string[];
}

/** Resolves once the program answers that it is ready. */
export async function startProgram({ data, env = {}, prefix = [] }: StartOptions): Promise<Program> {
  const [command = '', ...args] = [...prefix, process.execPath, BIN, 'start'];
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      TENREC_DATA: data,
      TENREC_LOG_FORMAT: 'json',
      TENREC_BOOTSTRAP_PERSONAL_API_KEY: KEY,
      TENREC_BOOTSTRAP_PROJECT_TOKEN: TOKEN,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<number | NodeJS.Signals>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code ?? -1)),
  );
  const url = await waitFor(
    () => /ready at (http:\S+)/.exec(output)?.[1],
    START_MS_MAX,
    () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the program ended:\n${output}`);
      return `the program is not ready:\n${output}`;
    },
  );
  return { child, url, output: () => output, ended };
}

/** Polls until there is an answer; the message of the failure is asked for at every look. */
export async function waitFor<T>(
  look: () => T | undefined | Promise<T | undefined>,
  msMax: number,
  failure: () => string = () => 'waited in vain',
): Promise<T> {
  const until = performance.now() + msMax;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    const message = failure();
    if (performance.now() > until) throw new Error(message);
    await delay(20);
  }
}

export interface Process {
  pid: number;
  ppid: number;
  command: string;
}

/** Every process below this one, itself included. */
export function processTree(root: number): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const below = (pid: number): Process[] => {
    const children = all.filter(({ ppid }) => ppid === pid);
    return [...children, ...children.flatMap((child) => below(child.pid))];
  };
  return [...all.filter(({ pid }) => pid === root), ...below(root)];
}

function readProcess(pid: number): Process | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, state, ppid] = /^\d+ \(.*\) (\S) (\d+)/s.exec(status) ?? [];
    if (state === 'Z' || ppid === undefined) return undefined;
    return { pid, ppid: Number(ppid), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') };
  } catch {
    return undefined;
  }
}

/** Ends the program politely and tells how long that took. */
export async function stopProgram({ child, ended }: Program): Promise<{ exit: number | NodeJS.Signals; ms: number }> {
  const begun = performance.now();
  child.kill('SIGTERM');
  return { exit: await ended, ms: performance.now() - begun };
}
