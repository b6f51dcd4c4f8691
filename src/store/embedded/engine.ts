// The engine of one data folder: who runs when, within which limits, and how a running query is stopped.
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { engineArgs } from './engine-args.ts';
import { refusal } from './engine-error.ts';
import { Lanes } from './lanes.ts';
import { INSERT_LANES, KILL_LANES, READ_LANES } from './limits.ts';
import { openFolder } from './open-folder.ts';
import { makePipes } from './pipe.ts';
import { type EngineResult, EngineSession, engineRests, type Surroundings } from './session.ts';
import { quote } from './statement.ts';

export interface EngineOptions {
  folder: string;
  queryMemoryBytes: number;
  querySeconds: number;
}

export interface Engine {
  /** Runs a statement that answers rows; the task gets a pipe of its own for as long as it runs. */
  read<R>(around: Surroundings, signal: AbortSignal, task: (run: Run, pipe: string) => Promise<R>): Promise<R>;
  /** Runs anything else but an insert of data. */
  other<R>(around: Surroundings, signal: AbortSignal, task: (run: Run) => Promise<R>): Promise<R>;
  /** Runs an insert of data, in lanes that no query uses. */
  insert<R>(around: Surroundings, signal: AbortSignal, task: (run: Run) => Promise<R>): Promise<R>;
  /** Resolves when the engine answers, however many queries run. */
  ping(): Promise<void>;
  /** A folder for data on its way in, emptied at every start. */
  readonly spoolFolder: string;
  /** Stops what runs and closes the data folder; afterwards the process can exit. */
  close(): Promise<void>;
}

/** The right to run one statement. When the signal given to the engine aborts, the statement is killed. */
export type Run = (text: string, format: string, renewAfter?: boolean) => Promise<EngineResult>;

const KILL_AGAIN_MS = 100;
const PLAIN: Surroundings = { database: 'default', settings: new Map(), params: new Map() };
/** The signal of work that nothing interrupts. */
const NEVER = new AbortController().signal;

export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { folder } = options;
  mkdirSync(folder, { recursive: true });
  const first = await openFolder(folder, engineArgs(options.queryMemoryBytes));
  const spoolFolder = join(folder, 'run', 'spool');
  rmSync(spoolFolder, { recursive: true, force: true });
  mkdirSync(spoolFolder, { recursive: true });
  const pipes = makePipes(join(folder, 'run', 'pipes'), READ_LANES.lanesMax);

  const sessions: EngineSession[] = [first];
  const openSession = (): EngineSession => {
    const session = new EngineSession(folder);
    sessions.push(session);
    return session;
  };
  const readers = new Lanes(READ_LANES, () => ({ session: openSession(), pipe: pipes.pop()! }));
  const inserters = new Lanes(INSERT_LANES, () => ({ session: openSession() }));
  const killers = new Lanes(KILL_LANES, () => first);
  /** What runs now, each with a way to stop it. */
  const running = new Map<Promise<void>, () => void>();
  let closing = false;

  const runIn = (session: EngineSession, around: Surroundings, signal: AbortSignal): Run => {
    return async (text, format, renewAfter = false) => {
      signal.throwIfAborted();
      if (closing) throw refusal(394, 'QUERY_WAS_CANCELLED', 'The engine is stopping.');
      const id = randomUUID();
      const run = session.run(text, format, withLimits(around, options, id));
      const ended = run.then(ignore, ignore);
      const kill = () => void killUntilEnded(killers, id, ended);
      running.set(ended, kill);
      signal.addEventListener('abort', kill);
      try {
        return await run;
      } finally {
        signal.removeEventListener('abort', kill);
        running.delete(ended);
        if (renewAfter) session.renew();
      }
    };
  };

  return {
    spoolFolder,
    ping: async () => void (await killers.use(NEVER, (session) => session.run('SELECT 1', 'Null', PLAIN))),
    read: (around, signal, task) =>
      readers.use(signal, ({ session, pipe }) => task(runIn(session, onAllCores(around), signal), pipe)),
    other: (around, signal, task) => readers.use(signal, ({ session }) => task(runIn(session, around, signal))),
    // An insert that has begun is finished even if nobody waits for its answer any more.
    insert: (around, signal, task) => inserters.use(signal, ({ session }) => task(runIn(session, around, NEVER))),
    async close() {
      closing = true;
      for (const kill of running.values()) kill();
      await Promise.all(running.keys());
      for (const session of sessions) session.close();
      // Kills and pings are nobody's statements, but run in the engine all the same.
      await engineRests();
    },
  };
}

const ignore = () => {};

/**
 * What every statement is held to. Time is a default that a request may lower or raise, as a long export must be able
 * to; memory may only be lowered, since what one query takes the others lack.
 */
function withLimits(around: Surroundings, options: EngineOptions, id: string): Surroundings {
  const settings = new Map(around.settings);
  if (!settings.has('max_execution_time')) settings.set('max_execution_time', String(options.querySeconds));
  const asked = Number(settings.get('max_memory_usage')) || options.queryMemoryBytes;
  settings.set('max_memory_usage', String(Math.min(asked, options.queryMemoryBytes)));
  // The comment is what a running statement is found by: chDB gives it an id of its own and tells nobody.
  const comment = settings.get('log_comment');
  settings.set('log_comment', comment ? `${comment} ${id}` : id);
  return { ...around, settings };
}

/** Left alone, the engine gives a query one thread for each GB that is free; what it may use is limited already. */
function onAllCores(around: Surroundings): Surroundings {
  return { ...around, settings: new Map([['max_threads_min_free_memory_per_thread', '0'], ...around.settings]) };
}

/** Repeated, for the statement may not have reached the engine yet when it is first asked to end. */
async function killUntilEnded(killers: Lanes<EngineSession>, id: string, ended: Promise<void>): Promise<void> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const text = `KILL QUERY WHERE endsWith(Settings['log_comment'], ${quote(id)}) ASYNC`;
  while (!over) {
    await killers.use(NEVER, (session) => session.run(text, 'Null', PLAIN)).catch(ignore);
    await Promise.race([ended, delay(KILL_AGAIN_MS)]);
  }
}
