// What a table of the event store is made of, before anyone asks on how many machines it lives. `ddl.ts` prints it.

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly codec?: string;
  /** Computed by the engine from other columns when a row is inserted, never given by the one who inserts it. */
  readonly derived?: string;
}

export interface SkipIndex {
  readonly name: string;
  readonly expression: string;
  readonly type: string;
}

export interface Table {
  readonly kind: 'table';
  readonly name: string;
  readonly columns: readonly Column[];
  readonly engine: 'MergeTree' | 'ReplacingMergeTree' | 'AggregatingMergeTree';
  /** For ReplacingMergeTree: of two rows with the same key, the one with the higher version stays. */
  readonly version?: string;
  readonly partitionBy?: string;
  readonly orderBy: readonly string[];
  readonly sampleBy?: string;
  readonly indexes?: readonly SkipIndex[];
  readonly settings?: Readonly<Record<string, number | string>>;
  readonly ttl?: string;
  /** In a cluster, the machine that holds a row is chosen by this number. */
  readonly shardBy: string;
}

/** Rows of one table turned into rows of another, as they are inserted. */
export interface Feed {
  readonly kind: 'feed';
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** The `SELECT` over what was inserted; the source is named by the argument. */
  select(from: string): string;
}

/** A question with a name. */
export interface View {
  readonly kind: 'view';
  readonly name: string;
  readonly select: string;
}

export type Part = Table | Feed | View;

export const column = (name: string, type: string): Column => ({ name, type });

/** A column of long texts. Against the default LZ4, ZSTD takes 40 % off the disk and costs an insert next to nothing. */
export const textColumn = (name: string, type = 'String'): Column => ({ name, type, codec: 'ZSTD(1)' });

export const quoteName = (name: string): string => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
export const quoteText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
