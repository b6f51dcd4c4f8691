// The real program in a process of its own, to be loaded, asked and killed.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { KEY, processTree, TOKEN } from '../program.ts';

export interface Question {
  id: number;
  query: string;
  params: Record<string, unknown>;
}

type Answer = { address: string } | { id: number; rows: unknown[] } | { id: number; error: string };

export interface LoadedProgram {
  readonly pid: number;
  readonly url: string;
  readonly port: number;
  /** Everything it has logged so far. */
  output(): string;
  /** The process ids of an engine that runs now. */
  findEngine(engine: Engine): number | undefined;
  /** Asks the event store; fails when the program ends meanwhile. */
  ask<Row>(query: string, params?: Record<string, unknown>): Promise<Row[]>;
  kill(signal: NodeJS.Signals): void;
  /** Ends it politely; resolves when it has ended. */
  stop(): Promise<void>;
  readonly ended: Promise<unknown>;
}

export type Engine = 'PostgreSQL' | 'ClickHouse';

const MARKS: Record<Engine, string> = { PostgreSQL: 'bin/postgres -D', ClickHouse: 'store/embedded/child.ts' };
const PROCESS = join(import.meta.dirname, 'program-process.ts');

export interface LoadedOptions {
  data: string;
  env?: Record<string, string>;
  /** For Node itself. */
  execArgv?: readonly string[];
}

/** Resolves when the doors are open. */
export async function startLoadedProgram({ data, env = {}, execArgv = [] }: LoadedOptions): Promise<LoadedProgram> {
  const child = fork(PROCESS, {
    execArgv: [...execArgv],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      TENREC_DATA: data,
      TENREC_LOG_LEVEL: 'warn',
      TENREC_BOOTSTRAP_PERSONAL_API_KEY: KEY,
      TENREC_BOOTSTRAP_PROJECT_TOKEN: TOKEN,
      ...env,
    },
    silent: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'exit');
  const [message] = (await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error(`the program did not start:\n${output}`))),
  ])) as [{ address: string }];
  const ask = openQuestions(child);
  return {
    pid: child.pid!,
    url: message.address,
    port: Number(new URL(message.address).port),
    output: () => output,
    findEngine: (engine) => processTree(child.pid!).find(({ command }) => command.includes(MARKS[engine]))?.pid,
    ask: ask as LoadedProgram['ask'],
    kill: (signal) => void child.kill(signal),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
    ended,
  };
}

function openQuestions(child: ChildProcess) {
  const waiting = new Map<number, PromiseWithResolvers<unknown[]>>();
  let asked = 0;
  child.on('message', (answer: Answer) => {
    if (!('id' in answer)) return;
    const question = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('rows' in answer) question?.resolve(answer.rows);
    else question?.reject(new Error(answer.error));
  });
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the program ended'));
    waiting.clear();
  });
  return (query: string, params: Record<string, unknown> = {}) => {
    const question = Promise.withResolvers<unknown[]>();
    if (!child.connected) return Promise.reject(new Error('the program has ended'));
    asked += 1;
    waiting.set(asked, question);
    child.send({ id: asked, query, params } satisfies Question, () => {});
    return question.promise;
  };
}
