// The parent's side of the embedded engine: starts the child process, keeps it alive, and knows where it listens.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../platform/logger.ts';
import { type Supervisor, supervise } from '../../platform/supervisor.ts';
import { compiledFolder } from '../../platform/thread.ts';
import { THREAD_POOL_SIZE } from './limits.ts';
import type { FromChild, ToChild } from './messages.ts';

export interface EmbeddedOptions {
  folder: string;
  queryMemoryBytes: number;
  querySeconds: number;
}

export interface Embedded {
  supervisor: Supervisor;
  password: string;
  /** Makes an agent that leads every connection to the child that lives now: a restarted one listens elsewhere. */
  openAgent(): Agent;
  port(): number;
  /** Tells the port of every child that is started from now on. */
  onPort(listener: (port: number) => void): void;
}

const STOP_MS = 5_000;
/**
 * The engine's own allocator keeps what was freed, by default five seconds and for each processor: a query that wanders
 * between processors would hold its memory twice. Here each thread keeps to one arena, and a second is long enough.
 */
const ENGINE_ALLOCATOR = `percpu_arena:disabled,narenas:${availableParallelism()},dirty_decay_ms:1000`;
const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));

export async function startEmbedded(options: EmbeddedOptions, log: Logger): Promise<Embedded> {
  const password = randomBytes(24).toString('base64url');
  let port = 0;
  const listeners: ((port: number) => void)[] = [];
  const supervisor = await supervise(
    {
      name: 'ClickHouse',
      stopMs: STOP_MS,
      spawn: () => spawnEngine(options, password),
      ready: async (child, died) => {
        port = await listeningPort(child, died);
        for (const listener of listeners) listener(port);
      },
      stop: stopEngine,
    },
    log,
  );
  return {
    supervisor,
    password,
    openAgent: () => new EngineAgent(() => port),
    port: () => port,
    onPort: (listener) => void listeners.push(listener),
  };
}

export function spawnEngine(options: EmbeddedOptions, password: string): ChildProcess {
  const child = spawn(process.execPath, [CHILD], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: childEnvironment(options.folder),
  });
  tell(child, { type: 'start', password, ...options });
  return child;
}

/** Where a child that was started listens, once it does. */
export async function listeningPort(child: ChildProcess, died?: AbortSignal): Promise<number> {
  const [message] = (await once(child, 'message', { signal: died })) as [FromChild];
  return message.port;
}

/** Asks the child to end; it does when what it runs has been stopped. */
export function stopEngine(child: ChildProcess): void {
  tell(child, { type: 'stop' });
}

/** Nothing is inherited, so that the engine is the same wherever the program is started from. */
function childEnvironment(folder: string): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    // ClickHouse reads times without a zone as local ones.
    TZ: 'UTC',
    UV_THREADPOOL_SIZE: String(THREAD_POOL_SIZE),
    // Where there is nothing left to compile, Node need not load its TypeScript parser: 25 MB less.
    NODE_COMPILE_CACHE: compiledFolder() ?? join(folder, 'run', 'compiled'),
    MALLOC_ARENA_MAX: '2',
    JE_MALLOC_CONF: ENGINE_ALLOCATOR,
  };
}

function tell(child: ChildProcess, message: ToChild): void {
  // A child that died before it was told is the supervisor's concern, which sees its end.
  child.send(message, () => {});
}

export class EngineAgent extends Agent {
  readonly #port: () => number;

  constructor(port: () => number) {
    super({ keepAlive: true, scheduling: 'lifo' });
    this.#port = port;
  }

  override createConnection(...[options, done]: Parameters<Agent['createConnection']>) {
    return super.createConnection({ ...options, port: this.#port() }, done);
  }
}
