// Reads files back, to compare what is there with what should be.
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { DestinationError, idColumns } from '../destination.ts';
import { readLines } from '../lines.ts';
import { baseKey, manifestKey, type Naming, staleKeys } from './keys.ts';
import type { FileStore } from './store.ts';

/** The ids in the files of an interval; undefined when we may not look for them. */
export async function findIds(store: FileStore, naming: Naming): Promise<AsyncIterable<string> | undefined> {
  const existing = await store.list(baseKey(naming));
  if (!existing) return undefined;
  const manifest = existing.includes(manifestKey(naming)) ? await readManifest(store, manifestKey(naming)) : undefined;
  // With a manifest, only the files it names count. Without one, every file that bears the interval's name does.
  const keys = manifest ?? staleKeys(naming, existing, []);
  return idsOf(store, keys, naming);
}

async function readManifest(store: FileStore, key: string): Promise<string[]> {
  let text = '';
  for await (const chunk of await store.read(key)) text += chunk;
  return (JSON.parse(text) as { files: string[] }).files;
}

async function* idsOf(store: FileStore, keys: readonly string[], naming: Naming): AsyncGenerator<string> {
  const column = idColumns[naming.model];
  for (const key of keys) {
    if (naming.file_format === 'Parquet') yield* parquetIds(store, key, column);
    else yield* lineIds(store, key, column, naming.compression);
  }
}

async function* lineIds(
  store: FileStore,
  key: string,
  column: string,
  compression: Naming['compression'],
): AsyncGenerator<string> {
  const bytes = await store.read(key);
  const unpack =
    compression === 'gzip' ? createGunzip() : compression === 'brotli' ? createBrotliDecompress() : undefined;
  for await (const line of readLines(unpack ? pipeline(bytes, unpack, () => {}) : bytes)) {
    if (line !== '') yield String((JSON.parse(line) as Record<string, unknown>)[column]);
  }
}

/** One row group at a time, and of it only the one column. */
async function* parquetIds(store: FileStore, key: string, column: string): AsyncGenerator<string> {
  const { parquetMetadataAsync, parquetReadObjects, compressors } = await loadParquet();
  const file = {
    byteLength: await store.size(key),
    slice: async (from: number, to?: number) => {
      const chunks: Buffer[] = [];
      for await (const chunk of await store.read(key, from, to)) chunks.push(chunk);
      const { buffer, byteOffset, byteLength } = Buffer.concat(chunks);
      return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
    },
  };
  const metadata = await parquetMetadataAsync(file);
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    const rows = await parquetReadObjects({ file, metadata, compressors, columns: [column], rowStart, rowEnd });
    for (const row of rows) yield String(row[column]);
    rowStart = rowEnd;
  }
}

async function loadParquet() {
  try {
    const [{ parquetMetadataAsync, parquetReadObjects }, { compressors }] = await Promise.all([
      import('hyparquet'),
      import('hyparquet-compressors'),
    ]);
    return { parquetMetadataAsync, parquetReadObjects, compressors };
  } catch (cause) {
    const text =
      'Parquet files cannot be read back: the packages hyparquet and hyparquet-compressors are not installed.';
    throw new DestinationError('MissingPackage', text, { final: true, cause });
  }
}
