// The real `tenrec` command, run as people run it, or the same in this process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Terminal } from '../src/cli/command.ts';
import { runCli } from '../src/cli/run.ts';

const TENREC = fileURLToPath(new URL('../bin/tenrec.js', import.meta.url));

export type Env = Readonly<Record<string, string>>;

function spawnTenrec(args: readonly string[], env: Env): ChildProcess {
  // Nothing of the configuration of whoever runs the tests may take part.
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return spawn(process.execPath, [TENREC, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
  /** What was printed with `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any;
}

/** Runs a command to its end. */
export async function runTenrec(args: readonly string[], env: Env = {}, input = ''): Promise<Ran> {
  const child = spawnTenrec(args, env);
  child.stdin!.on('error', () => {}); // a command that asks for nothing may be gone before it was told
  child.stdin!.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return ranAs(args, { code, stdout, stderr });
}

/** The same without a process of its own, which is what most of its time goes to. */
export async function runHere(args: readonly string[], env: Env = {}, input = ''): Promise<Ran> {
  const said = { stdout: '', stderr: '' };
  const collect = (name: keyof typeof said) => ({
    write(text: string) {
      said[name] += text;
      return true;
    },
  });
  const stdin = new PassThrough();
  stdin.end(input);
  const terminal = { stdin, stdout: collect('stdout'), stderr: collect('stderr') } as unknown as Terminal;
  const code = await runCli(args, terminal, env);
  return ranAs(args, { code, ...said });
}

function ranAs(args: readonly string[], ran: Omit<Ran, 'json'>): Ran {
  return { ...ran, json: args.includes('--json') && ran.stdout !== '' ? JSON.parse(ran.stdout) : undefined };
}

export interface RunningTenrec extends AsyncDisposable {
  address: string;
  pid: number;
  stdout(): string;
  stderr(): string;
  /** Sends the signal and waits for the end: its exit code, or the signal that ended it. */
  end(...signals: NodeJS.Signals[]): Promise<number | NodeJS.Signals | null>;
}

/** `tenrec start`, up to the moment it says where it listens. */
export async function startTenrec(env: Env, args: readonly string[] = []): Promise<RunningTenrec> {
  const child = spawnTenrec(['start', ...args], { PORT: '0', ...env });
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  let stdout = '';
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
      const found = /http:\/\/[\d.]+:\d+/.exec(stdout);
      if (found && stdout.includes('\n')) resolve(found[0]);
    });
    void ended.then(([code]) => reject(new Error(`tenrec start ended with ${code}: ${stderr}`)));
  });
  const end = async (...signals: NodeJS.Signals[]) => {
    for (const signal of signals) child.kill(signal);
    const [code, signal] = await ended;
    return signal ?? code;
  };
  return {
    address,
    pid: child.pid!,
    stdout: () => stdout,
    stderr: () => stderr,
    end,
    [Symbol.asyncDispose]: async () => {
      await end('SIGTERM');
    },
  };
}
