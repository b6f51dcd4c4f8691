// Cuts a run's rows into files of about a given size. A file holds a range of the ingestion clock, so cutting again
// gives the same files, and the store finds each range by its index.

import { quoteName } from '../../../store/tables/description.ts';
import type { Column, Shipment } from '../destination.ts';
import { readLines } from '../lines.ts';

/** Rows with `from <= _inserted_at < to`, in microseconds; without bounds, all of them. */
export interface Slice {
  readonly from: string;
  readonly to: string | null;
  readonly records: number;
}

interface Batch {
  readonly at: string;
  records: number;
  bytes: number;
}

/** Large enough that the share of a file's frame in it is small. */
const SAMPLE_BYTES = 4 * 1024 * 1024;

/**
 * @param measure how many bytes a slice has in the files' format
 */
export async function cutSlices(
  shipment: Shipment,
  columns: readonly Column[],
  fileBytesMax: number,
  measure: (slice: Slice) => Promise<number>,
): Promise<Slice[]> {
  const batches = await readBatches(shipment, columns, Math.min(fileBytesMax, SAMPLE_BYTES) / 8);
  const total = batches.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= fileBytesMax) return toSlices(groupUpTo(total, batches));
  const samples = groupUpTo(SAMPLE_BYTES, batches);
  const shrinking = (await measure(toSlices(samples)[0]!)) / samples[0]!.bytes;
  return toSlices(groupUpTo(fileBytesMax / roundUp(shrinking), batches));
}

/** The store compresses a little differently each time; the same rows must be cut in the same places all the same. */
const roundUp = (ratio: number): number => 1.25 ** Math.ceil(Math.log(ratio) / Math.log(1.25));

/** How many rows came in when, and their size in memory; neighbours are counted together while they are small. */
async function readBatches(shipment: Shipment, columns: readonly Column[], bytesMin: number): Promise<Batch[]> {
  const size = `sum(byteSize(${columns.map(({ name }) => quoteName(name)).join(', ')}))`;
  const stream = await shipment.read({
    select: [
      { name: 'at', sql: 'toUnixTimestamp64Micro(_inserted_at)' },
      { name: 'records', sql: 'count()' },
      { name: 'bytes', sql: size },
    ],
    groupBy: '_inserted_at',
    orderBy: '_inserted_at',
    format: 'TabSeparated',
  });
  const batches: Batch[] = [];
  for await (const line of readLines(stream)) {
    const [at = '', records, bytes] = line.split('\t');
    const last = batches.at(-1);
    if (last && last.bytes < bytesMin) {
      last.records += Number(records);
      last.bytes += Number(bytes);
    } else batches.push({ at, records: Number(records), bytes: Number(bytes) });
  }
  return batches;
}

/** Neighbouring batches together, up to a size; one that is larger alone stays whole. */
function groupUpTo(bytesMax: number, batches: readonly Batch[]): Batch[] {
  const groups: Batch[] = [];
  for (const batch of batches) {
    const last = groups.at(-1);
    if (last && last.bytes + batch.bytes <= bytesMax) {
      last.records += batch.records;
      last.bytes += batch.bytes;
    } else groups.push({ ...batch });
  }
  return groups;
}

/** Each begins where the one before ends. */
const toSlices = (groups: readonly Batch[]): Slice[] =>
  groups.map(({ at, records }, n) => ({ from: at, to: groups[n + 1]?.at ?? null, records }));
