// Rows as the engine gives them → rows as the wire has them.

export interface Column {
  name: string;
  type: string;
}

export interface Table {
  columns: Column[];
  rows: unknown[][];
}

interface JsonCompact {
  meta: Column[];
  data: unknown[][];
}

/** 64-bit numbers come as texts, so that none is rounded unseen; those that a number holds exactly become numbers. */
export function readTable({ meta, data }: JsonCompact): Table {
  const readers = meta.map(({ type }) => readerOf(type));
  const isPlain = readers.every((read) => read === undefined);
  const rows = isPlain ? data : data.map((row) => row.map((cell, at) => readers[at]?.(cell) ?? cell));
  return { columns: meta, rows };
}

type Read = (cell: unknown) => unknown;

function readerOf(type: string): Read | undefined {
  const wrapped = /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type);
  if (wrapped) return readerOf(wrapped[1]!);
  const list = /^Array\((.*)\)$/.exec(type);
  if (list) return eachOf(readerOf(list[1]!));
  if (/^U?Int(64|128|256)$/.test(type)) return readInteger;
  if (type.startsWith('DateTime')) return readTime;
  if (/^(Tuple|Map)\(/.test(type) && /U?Int(64|128|256)/.test(type)) return readAnyIntegers;
  return undefined;
}

const eachOf = (read: Read | undefined): Read | undefined =>
  read && ((cell) => (Array.isArray(cell) ? cell.map((each) => (each === null ? null : read(each))) : cell));

function readInteger(cell: unknown): unknown {
  const number = typeof cell === 'string' ? Number(cell) : cell;
  return Number.isSafeInteger(number) ? number : cell;
}

/** `2025-03-01T10:00:00.000000Z` → without a fraction that says nothing. */
function readTime(cell: unknown): unknown {
  return typeof cell === 'string' ? cell.replace(/\.0+Z$/, 'Z') : cell;
}

function readAnyIntegers(cell: unknown): unknown {
  if (Array.isArray(cell)) return cell.map(readAnyIntegers);
  return typeof cell === 'string' && /^-?\d{1,16}$/.test(cell) ? readInteger(cell) : cell;
}
