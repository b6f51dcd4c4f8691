// Rows into files, in whichever store: written aside first, then published in an order that leaves nothing half done.
import { pipeline, Readable } from 'node:stream';
import type { Shipment, Shipped } from '../destination.ts';
import { type Compression, type FileFormat, fileColumns, fileReading, fileSteps, RowCheck } from './format.ts';
import { baseKey, fileKey, manifestKey, type Naming, staleKeys } from './keys.ts';
import { cutSlices, type Slice } from './slices.ts';
import type { FileStore, PendingFile } from './store.ts';

export interface FileConfig {
  readonly prefix: string;
  readonly file_format: FileFormat;
  readonly compression: Compression | null;
  readonly max_file_size_mb: number | null;
}

export const namingOf = (place: Pick<Shipment, 'interval' | 'model'>, config: FileConfig): Naming => ({
  interval: place.interval,
  model: place.model,
  prefix: config.prefix,
  file_format: config.file_format,
  compression: config.compression,
});

/**
 * While files are written, readers see what was there before. Then the manifest, if there was one, is withdrawn; the
 * files take their names; what an earlier run left over is removed; and a new manifest names the files that count.
 */
export async function shipFiles(store: FileStore, shipment: Shipment, config: FileConfig): Promise<Shipped> {
  const naming = namingOf(shipment, config);
  const pending: PendingFile[] = [];
  try {
    const shipped = await writeFiles(store, shipment, config, pending);
    shipment.signal.throwIfAborted();
    await publish(store, shipment, naming, pending, config.max_file_size_mb !== null);
    return shipped;
  } catch (error) {
    await Promise.all(pending.map((file) => file.discard()));
    throw error;
  }
}

async function writeFiles(
  store: FileStore,
  shipment: Shipment,
  config: FileConfig,
  pending: PendingFile[],
): Promise<Shipped> {
  const naming = namingOf(shipment, config);
  const isSplit = config.max_file_size_mb !== null;
  const slices = isSplit ? await sliceRows(shipment, config) : [undefined];
  const done = { records: 0, bytes: 0 };
  for (const [part, slice] of slices.entries()) {
    const file = store.create(fileKey(naming, isSplit ? part : undefined));
    pending.push(file);
    const rows = new RowCheck(config.file_format, slice?.records ?? shipment.total);
    const content = await openContent(shipment, config, slice, rows);
    let bytes = 0;
    await file.write(content, (safe) => {
      bytes = safe;
      shipment.progress({ records: done.records + rows.records, bytes: done.bytes + safe });
    });
    done.records += rows.records;
    done.bytes += bytes;
    shipment.progress(done);
    shipment.log('INFO', `Wrote ${rows.records} rows, ${bytes} bytes, for ${file.key}`);
  }
  return done;
}

async function openContent(
  shipment: Shipment,
  { file_format, compression }: FileConfig,
  slice: Slice | undefined,
  rows: RowCheck,
): Promise<Readable> {
  const reading = fileReading(fileColumns(shipment), file_format, compression);
  const stream = await shipment.read({ ...reading, ...(slice && whereSlice(slice)) });
  // A failure anywhere on the way reaches whoever reads the end of it, and ends the query at its beginning.
  return pipeline([stream, ...fileSteps(file_format, compression, rows)], () => {}) as unknown as Readable;
}

function sliceRows(shipment: Shipment, config: FileConfig): Promise<Slice[]> {
  const bytesMax = (config.max_file_size_mb ?? 0) * 1024 * 1024;
  const columns = fileColumns(shipment);
  return cutSlices(shipment, columns, bytesMax, async (slice) => {
    const rows = new RowCheck(config.file_format, slice.records);
    let bytes = 0;
    for await (const chunk of await openContent(shipment, config, slice, rows)) bytes += chunk.length;
    return bytes;
  });
}

const whereSlice = ({ from, to }: Slice) => ({
  where: [
    "_inserted_at >= fromUnixTimestamp64Micro({slice_from:Int64}, 'UTC')",
    ...(to === null ? [] : ["_inserted_at < fromUnixTimestamp64Micro({slice_to:Int64}, 'UTC')"]),
  ].join(' AND '),
  params: { slice_from: from, ...(to !== null && { slice_to: to }) },
});

async function publish(
  store: FileStore,
  shipment: Shipment,
  naming: Naming,
  pending: readonly PendingFile[],
  withManifest: boolean,
): Promise<void> {
  const written = pending.map(({ key }) => key);
  const manifest = manifestKey(naming);
  const existing = (await store.list(baseKey(naming))) ?? [];
  const stale = staleKeys(naming, existing, written);
  if (existing.includes(manifest) && (withManifest || stale.length > 0)) await store.remove(manifest);
  for (const file of pending) await file.publish();
  for (const key of stale) {
    await store.remove(key);
    shipment.log('INFO', `Removed ${key}, which an earlier run had left for this interval`);
  }
  if (!withManifest) return;
  const file = store.create(manifest);
  await file.write(Readable.from([Buffer.from(JSON.stringify({ files: written }))]), () => {});
  await file.publish();
}
