// Pages that follow each other by a cursor: nothing is skipped or shown twice while rows are added.
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '../http/errors.ts';
import { parseUuid } from '../http/fields.ts';
import type { Db } from './sql.ts';

export interface Order {
  column: string;
  descending: boolean;
  /** Rows without a value come before all others. */
  mayBeNull?: boolean;
}

const NO_VALUE = '-infinity';

/** The row at the edge of the page that the link was on, and which way the link leads. */
interface Cursor {
  value: string;
  id: string;
  back: boolean;
}

export interface CursorQuestion {
  table: 'batch_export_run' | 'batch_export_backfill';
  where: RawBuilder<boolean>;
  order: Order;
  limit: number;
  /** The request's address: it may hold a cursor, and links are made from it. */
  url: URL;
}

export interface CursorPage<Row> {
  next: string | null;
  previous: string | null;
  rows: Row[];
}

export async function readCursorPage<Row extends { id: string }>(
  db: Db,
  { table, where, order, limit, url }: CursorQuestion,
): Promise<CursorPage<Row>> {
  const cursor = readCursor(url.searchParams.get('cursor'));
  const named = sql.ref(order.column);
  const column = order.mayBeNull ? sql`coalesce(${named}, ${NO_VALUE}::timestamptz)` : named;
  // A link that leads back reads in the opposite order, from the edge on.
  const descending = order.descending !== (cursor?.back ?? false);
  const direction = descending ? sql`desc` : sql`asc`;
  const beyond = cursor
    ? sql`(${column}, id) ${descending ? sql`<` : sql`>`} (${cursor.value}::timestamptz, ${cursor.id}::uuid)`
    : sql`true`;
  const { rows: found } = await sql<Row>`
    select * from ${sql.table(table)}
     where ${where} and ${beyond}
     order by ${column} ${direction}, id ${direction}
     limit ${limit + 1}`.execute(db);
  const hasMore = found.length > limit;
  const rows = cursor?.back ? found.slice(0, limit).reverse() : found.slice(0, limit);
  const linkTo = (row: Row | undefined, back: boolean) =>
    row ? linkOf(url, { value: edgeOf(row, order), id: row.id, back }) : null;
  return {
    rows,
    next: hasMore || cursor?.back ? linkTo(rows.at(-1), false) : null,
    previous: cursor && (hasMore || !cursor.back) ? linkTo(rows[0], true) : null,
  };
}

const edgeOf = (row: object, { column }: Order): string => (row as Record<string, string | null>)[column] ?? NO_VALUE;

function linkOf(url: URL, { value, id, back }: Cursor): string {
  const link = new URL(url);
  link.searchParams.set('cursor', Buffer.from(JSON.stringify([value, id, back])).toString('base64url'));
  return link.href;
}

function readCursor(text: string | null): Cursor | undefined {
  if (text === null || text === '') return undefined;
  try {
    const [value, id, back] = JSON.parse(Buffer.from(text, 'base64url').toString());
    const isMoment = typeof value === 'string' && (value === NO_VALUE || !Number.isNaN(Date.parse(value)));
    if (isMoment && parseUuid(String(id)) && typeof back === 'boolean') return { value, id, back };
  } catch {}
  throw notFound('Invalid cursor');
}
