// Asks the engine on behalf of one project: within its limits, stopped when the caller leaves, its failures told in words.
import { ClickHouseError, type ClickHouseSettings } from '@clickhouse/client';
import type { Statement } from '../filters/ask.ts';
import { ApiError, invalid } from '../http/errors.ts';
import type { EventStore } from '../store/open.ts';
import { readTable, type Table } from './result.ts';

/** What one project may ask at once. Others go on whatever one of them does. */
const RUNNING_MAX = 4;
const WAITING_MAX = 40;

/** More rows than anybody looks at; what is shown is limited where it is asked for. */
const RESULT_ROWS_MAX = 500_000;
const RESULT_BYTES_MAX = 256 * 1024 * 1024;

/** On whose behalf something is asked. */
export interface Asker {
  team_id: number;
  signal: AbortSignal;
  /** By which `progress` finds it; whatever has the same is looked at together. */
  label?: string | undefined;
}

export interface Engine {
  rows<Row>(asker: Asker, statement: Statement): Promise<Row[]>;
  /** Rows as lists, with the names and types of their columns. */
  table(asker: Asker, statement: Statement): Promise<Table>;
  /** How far the statements are that run under this label; undefined when none does. */
  progress(label: string): Promise<Progress | undefined>;
}

/** As the wire has it: rows and bytes read so far, rows to read in all, seconds since the start, microseconds of processors. */
export interface Progress {
  rows_read: number;
  bytes_read: number;
  estimated_rows_total: number;
  time_elapsed: number;
  active_cpu_time: number;
}

export interface EngineLimits {
  /** Of one statement. */
  seconds: number;
  /** Of one statement; the engine's own limit may be lower. */
  memoryBytes: number;
}

export function openEngine(store: EventStore, limits: EngineLimits): Engine {
  const shares = new Map<number, Share>();

  const run = async <T>(
    { team_id, signal, label }: Asker,
    { text, params }: Statement,
    settings: ClickHouseSettings,
    read: (result: { json<R>(): Promise<R> }) => Promise<T>,
    format: 'JSONEachRow' | 'JSONCompact',
  ): Promise<T> => {
    const share = shares.get(team_id) ?? new Share(() => shares.delete(team_id));
    shares.set(team_id, share);
    return share.use(signal, async () => {
      try {
        const result = await store.client.query({
          query: text,
          query_params: { ...params },
          format,
          abort_signal: signal,
          clickhouse_settings: {
            max_execution_time: limits.seconds,
            max_memory_usage: String(limits.memoryBytes),
            max_result_rows: String(RESULT_ROWS_MAX),
            max_result_bytes: String(RESULT_BYTES_MAX),
            // A statement of many parts is refused before it is run.
            max_ast_elements: '200000',
            max_expanded_ast_elements: '1000000',
            cancel_http_readonly_queries_on_client_close: 1,
            ...(label && { log_comment: label }),
            ...settings,
          },
        });
        return await read(result as never);
      } catch (error) {
        signal.throwIfAborted();
        throw toRefusal(error);
      }
    });
  };

  return {
    rows: <Row>(asker: Asker, statement: Statement) =>
      run(
        asker,
        statement,
        { output_format_json_quote_64bit_integers: 0 },
        (result) => result.json<Row[]>(),
        'JSONEachRow',
      ),
    table: (asker, statement) =>
      run(
        asker,
        statement,
        { output_format_json_quote_64bit_integers: 1, date_time_output_format: 'iso' },
        async (result) => readTable(await result.json()),
        'JSONCompact',
      ),
    async progress(label) {
      const result = await store.client.query({
        query: PROGRESS,
        query_params: { label },
        format: 'JSONEachRow',
        clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
      });
      const [found] = await result.json<Progress & { statements: number }>();
      if (!found || found.statements === 0) return undefined;
      const { statements: _, ...progress } = found;
      return progress;
    },
  };
}

/** The embedded engine puts an id of its own behind the label. */
const PROGRESS = `
  SELECT count() AS statements, sum(read_rows) AS rows_read, sum(read_bytes) AS bytes_read,
         sum(greatest(total_rows_approx, read_rows)) AS estimated_rows_total, toUInt64(max(elapsed)) AS time_elapsed,
         sum(ProfileEvents['OSCPUVirtualTimeMicroseconds']) AS active_cpu_time
    FROM system.processes
   WHERE splitByChar(' ', Settings['log_comment'])[1] = {label:String}`;

/** One project's share of the engine. */
class Share {
  readonly #empty: () => void;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(empty: () => void) {
    this.#empty = empty;
  }

  async use<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    if (this.#running >= RUNNING_MAX) await this.#wait(signal);
    else this.#running += 1;
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else {
        this.#running -= 1;
        if (this.#running === 0) this.#empty();
      }
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.length >= WAITING_MAX) throw tooMany();
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(enter);
    });
  }
}

const tooMany = () =>
  new ApiError(429, 'throttled_error', 'concurrency_limit_exceeded', 'Too many queries of this project are running.');

const tooMuch = (what: string) =>
  new ApiError(504, 'server_error', 'query_too_large', `The query ${what}; narrow it by time or by filters.`);

/** The engine's codes for what has a text of its own. */
const refusals: Readonly<Record<string, () => ApiError>> = {
  // CANNOT_COMPILE_REGEXP
  427: () => invalid('A regular expression in the query is not valid; RE2 syntax is understood.'),
  // TOO_MANY_ROWS_OR_BYTES
  396: () => invalid('The answer would be too large; ask for less of it with a limit.'),
  // TIMEOUT_EXCEEDED
  159: () => tooMuch('took too long'),
  // TOO_SLOW
  160: () => tooMuch('took too long'),
  // MEMORY_LIMIT_EXCEEDED
  241: () => tooMuch('needed too much memory'),
};

/** Whatever else the engine says is about the query, if the query holds a text of the caller's: see `EngineRefusal`. */
function toRefusal(error: unknown): unknown {
  if (!(error instanceof ClickHouseError)) return error;
  return refusals[error.code]?.() ?? new EngineRefusal(error);
}

/** The engine refused a statement. It is the caller's doing when the caller's own expressions are in it, else ours. */
export class EngineRefusal extends Error {
  constructor(cause: ClickHouseError) {
    super(cause.message, { cause });
  }

  toApiError(): ApiError {
    const type = (this.cause as ClickHouseError).type ?? 'engine_error';
    // What follows is the statement as we printed it, which the caller has never seen.
    const detail = this.message.split(/(?:: |\. )?(?:While processing|while executing|In scope|: while )/i)[0]!;
    return invalid(detail.trim().slice(0, 500) || 'The query cannot be run.', null, type.toLowerCase());
  }
}
