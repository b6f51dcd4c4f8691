// The contract between an export's run and the place its rows are shipped to. Every kind of place is one `Destination`,
// made by `openDestinations` (all.ts); the executor knows nothing else about it.
import type { Readable } from 'node:stream';

export type DestinationType = 'S3' | 'File' | 'Postgres' | 'Redshift' | 'BigQuery' | 'Snowflake' | 'HTTP' | 'NoOp';

export type Model = 'events' | 'persons' | 'sessions';

/** A configuration that `readConfig` (config.ts) has judged, with every default filled in. */
export type Config = Readonly<Record<string, unknown>>;

export interface Destination {
  readonly type: DestinationType;
  readonly fields: ConfigFields;
  readonly models: readonly Model[];
  /** What the fields cannot say one by one: throws a `ConfigMistake` when they do not fit together. */
  check?(config: Config): void;
  /**
   * Ships the rows of one run. What a reader of the destination sees changes at the very end, all at once or in an
   * order that a repetition mends; a failure before that leaves nothing behind.
   *
   * The executor promises: the run selected at least one row; the same interval always selects the same rows, whichever
   * run asks. It may call again with the same interval after any failure, after a crash, in a retry or a backfill, and
   * even while a run it took for dead is still working. The destination promises that rows are not repeated by that
   * (HTTP: that a repeated event carries the same uuid).
   *
   * Throws a `DestinationError`. Rejects soon after `signal` is aborted. Other errors (the source failed) pass through.
   */
  ship(shipment: Shipment): Promise<Shipped>;
  /** What a person can try before the first run, one step after the other. */
  readonly tests: readonly TestStep[];
  /**
   * For `verify`: the ids (`idColumns`) of rows that are at the destination for this interval, each as often as it is
   * there; without it, or when it answers undefined, the destination cannot be read back. A table does not know which
   * interval brought a row, so one is asked for the ids that are expected; files know, and show what nobody expects as
   * well.
   */
  found?(place: Place, expected: () => Promise<AsyncIterable<string>>): Promise<AsyncIterable<string> | undefined>;
}

/** The interval of an export, and where its rows go. */
export interface Place {
  readonly exportId: string;
  readonly teamId: number;
  readonly model: Model;
  readonly config: Config;
  /** Of the ingestion clock, `start` included, `end` not; null is the beginning of time. */
  readonly interval: { readonly start: Date | null; readonly end: Date };
  readonly signal: AbortSignal;
}

export interface Shipment extends Place {
  readonly runId: string;
  /** The columns to ship, in order. */
  readonly columns: readonly Column[];
  /** Whether a person chose the columns (`hogql_query`). Otherwise each destination has its own layout of the model. */
  readonly customColumns: boolean;
  /** How many rows are selected. */
  readonly total: number;
  /**
   * Reads the selected rows as the event store writes them. Rows come in no particular order unless the reading says
   * so. The stream ends with an error when the store fails in the middle; destroying it stops the query.
   */
  read(reading: Reading): Promise<Readable>;
  /** Counts from the start of this attempt, called as often as the destination likes. */
  progress(done: Shipped): void;
  log(level: 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR', message: string): void;
}

export interface Shipped {
  readonly records: number;
  readonly bytes: number;
}

/**
 * How a column is typed. In the rows that a reading selects from, `json` is a String that holds JSON text, or NULL;
 * `timestamp` is a DateTime64(6, 'UTC'), `bool` a Bool, the rest what ClickHouse calls them. Any may be Nullable.
 */
export type ColumnType =
  | 'string'
  | 'json'
  | 'bool'
  | 'timestamp'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint64'
  | 'float32'
  | 'float64'
  | 'string[]';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/**
 * What is read of the selected rows: `SELECT <select> FROM (<rows>) WHERE … GROUP BY … ORDER BY … FORMAT <format>`.
 *
 * The rows have the columns of the model (below), or the chosen ones, and always `_inserted_at`, which says by the
 * ingestion clock when a row came to be as it is. A name in an expression means a column of the rows, also where
 * `select` gives something else the same name (`prefer_column_name_to_alias`).
 */
export interface Reading {
  readonly select: readonly { readonly name: string; readonly sql: string }[];
  readonly where?: string;
  readonly groupBy?: string;
  readonly orderBy?: string;
  /** Bound as `{name:Type}` in any of the texts above. */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly format: 'Parquet' | 'JSONEachRow' | 'TabSeparated' | 'TabSeparatedRaw' | 'CSV';
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** What a row of each model holds when nobody chose other columns. Ids are texts in the usual form of a uuid. */
export const modelColumns: Readonly<Record<Model, readonly Column[]>> = {
  events: [
    { name: 'uuid', type: 'string' },
    { name: 'event', type: 'string' },
    { name: 'distinct_id', type: 'string' },
    { name: 'person_id', type: 'string' },
    { name: 'team_id', type: 'int64' },
    { name: 'properties', type: 'json' },
    { name: 'person_properties', type: 'json' },
    { name: 'elements_chain', type: 'string' },
    { name: 'timestamp', type: 'timestamp' },
    { name: 'created_at', type: 'timestamp' },
    { name: '_inserted_at', type: 'timestamp' },
  ],
  persons: [
    { name: 'team_id', type: 'int64' },
    { name: 'distinct_id', type: 'string' },
    { name: 'person_id', type: 'string' },
    { name: 'properties', type: 'json' },
    { name: 'person_distinct_id_version', type: 'int64' },
    { name: 'person_version', type: 'int64' },
    { name: 'created_at', type: 'timestamp' },
    { name: '_inserted_at', type: 'timestamp' },
    { name: 'is_deleted', type: 'bool' },
  ],
  sessions: [
    { name: 'team_id', type: 'int64' },
    { name: 'session_id', type: 'string' },
    { name: 'distinct_id', type: 'string' },
    { name: 'start_timestamp', type: 'timestamp' },
    { name: 'end_timestamp', type: 'timestamp' },
    { name: 'urls', type: 'string[]' },
    { name: 'num_uniq_urls', type: 'int64' },
    { name: 'entry_current_url', type: 'string' },
    { name: 'entry_pathname', type: 'string' },
    { name: 'entry_hostname', type: 'string' },
    { name: 'end_current_url', type: 'string' },
    { name: 'end_pathname', type: 'string' },
    { name: 'end_hostname', type: 'string' },
    { name: 'entry_utm_source', type: 'string' },
    { name: 'entry_utm_campaign', type: 'string' },
    { name: 'entry_utm_medium', type: 'string' },
    { name: 'entry_utm_term', type: 'string' },
    { name: 'entry_utm_content', type: 'string' },
    { name: 'entry_referring_domain', type: 'string' },
    { name: 'entry_gclid', type: 'string' },
    { name: 'entry_fbclid', type: 'string' },
    { name: 'pageview_count', type: 'int64' },
    { name: 'autocapture_count', type: 'int64' },
    { name: 'screen_count', type: 'int64' },
    { name: 'session_duration', type: 'int64' },
    { name: 'is_bounce', type: 'bool' },
    { name: '_inserted_at', type: 'timestamp' },
  ],
};

/** The column that tells rows of one project apart. */
export const idColumns: Readonly<Record<Model, string>> = {
  events: 'uuid',
  persons: 'distinct_id',
  sessions: 'session_id',
};

/** What makes two rows of a model one: a destination that merges keeps the row whose `newer` columns are greater. */
export const modelKeys: Readonly<
  Record<Exclude<Model, 'events'>, { key: readonly string[]; newer: readonly string[] }>
> = {
  persons: { key: ['team_id', 'distinct_id'], newer: ['person_version', 'person_distinct_id_version'] },
  sessions: { key: ['team_id', 'session_id'], newer: ['end_timestamp'] },
};

/** One field of a configuration. The names of types are those that the wire's error texts use. */
export interface ConfigField {
  readonly type: 'str' | 'int' | 'bool' | 'dict';
  readonly required?: boolean;
  /** Its value when it is not given. A field whose default is null may be null, and its type is not judged. */
  readonly fallback?: unknown;
  /** Encrypted where it is kept, and never shown again. For a `dict`, the names within that are secret. */
  readonly secret?: boolean | readonly string[];
  /** Names something in the destination, and so holds no quotes, NUL or line breaks. */
  readonly identifier?: boolean;
}

export type ConfigFields = Readonly<Record<string, ConfigField>>;

export interface TestStep {
  readonly name: string;
  readonly description: string;
  /** Throws a `DestinationError` whose message says what to mend. */
  run(config: Config, signal: AbortSignal): Promise<void>;
}

/** The configuration cannot be used; the message is the wire's `detail`. */
export class ConfigMistake extends Error {}

/** A destination did not take the rows. A final one ends the run as Failed, since only a person can mend it. */
export class DestinationError extends Error {
  /** What comes before the colon in `latest_error`: `NoSuchBucket`, `InsufficientPrivilege`, … */
  readonly kind: string;
  readonly final: boolean;

  constructor(kind: string, message: string, options: ErrorOptions & { readonly final: boolean }) {
    super(message, options);
    this.kind = kind;
    this.final = options.final;
  }
}
