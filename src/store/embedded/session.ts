// One chDB session: it runs one statement at a time, each with its own settings, parameters and database.
import { drainPending, Session } from 'chdb';
import { refusal } from './engine-error.ts';
import { quote } from './statement.ts';

/** What a statement runs with. Values are texts as they come in a URL; the engine reads them by their types. */
export interface Surroundings {
  database: string;
  settings: ReadonlyMap<string, string>;
  /** Values of `{name:Type}`, escaped as ClickHouse's HTTP protocol has them. */
  params: ReadonlyMap<string, string>;
}

export interface EngineResult {
  bytes: Uint8Array;
  rowsRead: number;
  bytesRead: number;
  elapsedSeconds: number;
}

const NAME = /^[A-Za-z_][0-9A-Za-z_.]*$/;

/**
 * Sessions are kept and reused, although opening one takes only 0.1 ms: chDB gives a closed session's memory (0.3 MB)
 * back only when every query that ran beside it has ended, so a session per query would grow with each long query.
 */
export class EngineSession {
  readonly #folder: string;
  #session: Session;
  #settings: ReadonlySet<string> = new Set();
  #database = 'default';
  #closed = false;

  constructor(folder: string, engineArgs: readonly string[] = []) {
    this.#folder = folder;
    this.#session = new Session(folder, { connectionArgs: engineArgs });
  }

  async run(text: string, format: string, around: Surroundings): Promise<EngineResult> {
    await this.#surround(around);
    const result = await this.#session.queryAsync(text, { format }).catch(async (error) => {
      await this.#letGo();
      throw error;
    });
    return {
      bytes: result.bytes(),
      rowsRead: result.rowsRead,
      bytesRead: result.bytesRead,
      elapsedSeconds: result.elapsed,
    };
  }

  /**
   * A statement that failed keeps its place among the running ones, and its memory, until the session is used again.
   * That may be long after, so it is used at once.
   */
  async #letGo(): Promise<void> {
    await this.#session.queryAsync("SET log_comment = ''").catch(() => {});
  }

  /** Starts afresh: whatever a statement left behind in the session is gone. */
  renew(): void {
    if (this.#closed) return;
    this.#session.close();
    this.#session = new Session(this.#folder);
    this.#settings = new Set();
    this.#database = 'default';
  }

  /** Runs nothing from now on. The session itself is gone when `engineRests` says so. */
  close(): void {
    this.#closed = true;
    this.#session.close();
  }

  /**
   * Puts this statement's surroundings in place of the last one's. Parameters are set in the session, as chDB's own
   * way of binding them lets only one bound query run in the whole process. They cannot be unset: callers make sure
   * that a statement has a value for every placeholder it holds.
   */
  async #surround({ database, settings, params }: Surroundings): Promise<void> {
    const assignments = [
      ...[...this.#settings].filter((name) => !settings.has(name)).map((name) => `${name} = DEFAULT`),
      ...[...settings].map(([name, value]) => `${checked(name, 'setting')} = ${quote(value)}`),
      ...[...params].map(([name, value]) => `param_${checked(name, 'query parameter')} = ${quote(value)}`),
    ];
    try {
      if (assignments.length > 0) await this.#session.queryAsync(`SET ${assignments.join(', ')}`);
      this.#settings = new Set(settings.keys());
      if (database !== this.#database) await this.#session.queryAsync(`USE \`${database.replace(/[\\`]/g, '\\$&')}\``);
      this.#database = database;
    } catch (error) {
      this.renew();
      throw error;
    }
  }
}

/**
 * Resolves when no call into the engine runs any more, waited for or not, and closed sessions are gone. Only then may
 * the process exit: the engine's own clean-up at exit beside a running call ends in a segmentation fault.
 */
export const engineRests: () => Promise<void> = drainPending;

function checked(name: string, what: string): string {
  if (!NAME.test(name)) throw refusal(36, 'BAD_ARGUMENTS', `${JSON.stringify(name)} cannot be the name of a ${what}.`);
  return name;
}
