// What the files of an interval are called. The same interval always gets the same names, so a repetition replaces its
// own files.
import type { Place } from '../destination.ts';
import { type Compression, extensionOf, type FileFormat } from './format.ts';

export interface Naming extends Pick<Place, 'interval' | 'model'> {
  readonly prefix: string;
  readonly file_format: FileFormat;
  readonly compression: Compression | null;
}

/** The key of the only file, or of one of several. */
export function fileKey(naming: Naming, part?: number): string {
  const number = part === undefined ? '' : `-${part}`;
  return `${baseKey(naming)}${number}.${extensionOf(naming.file_format, naming.compression)}`;
}

export function manifestKey(naming: Naming): string {
  return `${baseKey(naming)}_manifest.json`;
}

/** What the keys of all files of an interval begin with. */
export function baseKey({ interval, model, prefix }: Naming): string {
  const [start, end] = [interval.start ? isoWithOffset(interval.start) : 'None', isoWithOffset(interval.end)];
  const folder = renderPrefix(prefix, { start, end, table: model, at: interval.end });
  return `${folder}${start}-${end}`;
}

/** Of these keys, those that an earlier run left for the same interval and this one did not write again. */
export function staleKeys(naming: Naming, existing: readonly string[], written: readonly string[]): string[] {
  const base = baseKey(naming);
  const extension = `.${extensionOf(naming.file_format, naming.compression)}`;
  return existing.filter((key) => {
    // Another format beside it may belong to another export.
    if (written.includes(key) || !key.startsWith(base) || !key.endsWith(extension)) return false;
    return /^(-\d+)?$/.test(key.slice(base.length, -extension.length));
  });
}

/** A folder's part of a key: without a slash at its start, with one at its end, or nothing. */
function renderPrefix(prefix: string, values: { start: string; end: string; table: string; at: Date }): string {
  const [date = '', time = ''] = values.at.toISOString().split('T');
  const [year, month, day] = date.split('-');
  const [hour, minute, second] = time.slice(0, 8).split(':');
  const known: Readonly<Record<string, string | undefined>> = {
    ...{ year, month, day, hour, minute, second, table: values.table },
    ...{ data_interval_start: values.start, data_interval_end: values.end },
  };
  // A name that means nothing stays as it is: the file is better found under an odd key than not written.
  const rendered = prefix.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(known, name) ? known[name]! : whole,
  );
  const trimmed = rendered.replace(/^\/+/, '');
  return trimmed === '' || trimmed.endsWith('/') ? trimmed : `${trimmed}/`;
}

/** `2025-03-04T09:00:00+00:00`, with microseconds only when there are any. */
export function isoWithOffset(date: Date): string {
  const iso = date.toISOString();
  const millis = iso.slice(20, 23);
  return `${iso.slice(0, 19)}${millis === '000' ? '' : `.${millis}000`}+00:00`;
}
