// How rows are written into files: Parquet, which the event store writes whole, and one JSON object a line.
import { Transform, type TransformCallback } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { quoteName } from '../../../store/tables/description.ts';
import {
  type Column,
  type Config,
  ConfigMistake,
  DestinationError,
  type Reading,
  type Shipment,
} from '../destination.ts';
import { countLines } from '../lines.ts';
import { JSON_LINE_SETTINGS, jsonLineSql } from '../row-sql.ts';

export type FileFormat = 'Parquet' | 'JSONLines';
export type Compression = 'zstd' | 'lz4' | 'snappy' | 'gzip' | 'brotli';

const COMPRESSIONS: Readonly<Record<FileFormat, readonly Compression[]>> = {
  Parquet: ['zstd', 'lz4', 'snappy', 'gzip', 'brotli'],
  JSONLines: ['gzip', 'brotli'],
};

const SUFFIXES: Readonly<Record<Compression, string>> = {
  ...{ zstd: 'zst', lz4: 'lz4', snappy: 'sz', gzip: 'gz', brotli: 'br' },
};

export function extensionOf(format: FileFormat, compression: Compression | null): string {
  const extension = format === 'Parquet' ? 'parquet' : 'jsonl';
  return compression ? `${extension}.${SUFFIXES[compression]}` : extension;
}

export function checkFormat({ file_format: format, compression, max_file_size_mb: size }: Config): void {
  const quoted = (names: readonly string[]) => `[${names.map((name) => `'${name}'`).join(', ')}]`;
  const known = COMPRESSIONS[format as FileFormat];
  if (!known) {
    const formats = quoted(Object.keys(COMPRESSIONS));
    throw new ConfigMistake(`File format ${format} is not supported. Supported file formats are ${formats}`);
  }
  if (compression !== null && !known.includes(compression as Compression)) {
    throw new ConfigMistake(
      `Compression ${compression} is not supported for file format ${format}. Supported compressions are ${quoted(known)}`,
    );
  }
  if (typeof size === 'number' && size < 1) throw new ConfigMistake('max_file_size_mb must be at least 1');
}

/** The columns of a file. Events leave out the project: a bucket's owner knows whose they are. */
export function fileColumns({ columns, customColumns, model }: Shipment): readonly Column[] {
  if (customColumns || model !== 'events') return columns;
  return columns.filter(({ name }) => name !== 'team_id');
}

export function fileReading(columns: readonly Column[], format: FileFormat, compression: Compression | null): Reading {
  if (format === 'JSONLines') {
    const select = [{ name: 'line', sql: jsonLineSql(columns) }];
    return { select, format: 'TabSeparatedRaw', settings: JSON_LINE_SETTINGS };
  }
  return {
    select: columns.map(({ name }) => ({ name, sql: quoteName(name) })),
    format: 'Parquet',
    settings: {
      output_format_parquet_compression_method: compression ?? 'none',
      // Whoever reads the file in parts, or in little memory, reads a row group at a time.
      output_format_parquet_row_group_size: 100_000,
      output_format_parquet_row_group_size_bytes: 16 * 1024 * 1024,
      // What waits for the end of the file grows with it. Filters by which readers skip row groups go with each group;
      // an index of the pages within a group would save readers little, as groups are small.
      output_format_parquet_bloom_filter_flush_threshold_bytes: 0,
      output_format_parquet_write_page_index: 0,
    },
  };
}

/** What the rows pass through on their way into a file. */
export function fileSteps(format: FileFormat, compression: Compression | null, rows: RowCheck): Transform[] {
  if (format === 'Parquet') return [rows];
  if (compression === 'gzip') return [rows, createGzip({ level: 3 })];
  if (compression === 'brotli') {
    return [rows, createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })];
  }
  return [rows];
}

const PARQUET_MARK = Buffer.from('PAR1');

/**
 * Passes the store's bytes on and makes sure that they are all there: a file that was cut off must not be published.
 * Lines are counted; a Parquet file says at its very end that it is whole.
 */
export class RowCheck extends Transform {
  readonly #format: FileFormat;
  readonly #expected: number;
  #tail: Buffer = Buffer.alloc(0);
  /** Lines so far; Parquet does not tell before its end. */
  records = 0;

  constructor(format: FileFormat, expected: number) {
    super();
    this.#format = format;
    this.#expected = expected;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#format === 'JSONLines') this.records += countLines(chunk);
    else this.#tail = Buffer.concat([this.#tail, chunk.subarray(-PARQUET_MARK.length)]).subarray(-PARQUET_MARK.length);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    const isWhole = this.#format === 'JSONLines' ? this.records === this.#expected : this.#tail.equals(PARQUET_MARK);
    if (isWhole) this.records = this.#expected;
    done(isWhole ? null : this.#cutOff());
  }

  #cutOff(): DestinationError {
    const found =
      this.#format === 'JSONLines' ? `${this.records} rows of ${this.#expected}` : 'a Parquet file without end';
    return new DestinationError('IncompleteRead', `The event store answered with ${found}.`, { final: false });
  }
}
