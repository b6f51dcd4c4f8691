import { z } from 'zod';
import type { ActivityLogRow } from '../../metadata/tables.ts';
import { UserBasic } from '../../projects/wire.ts';
import { AnyObject, type Authors, timestamp, toAuthor } from '../shapes.ts';

export const ActivityEntry = z.strictObject({
  id: z.uuid(),
  /** Null: the person is gone. */
  user: UserBasic.nullable(),
  activity: z.string(),
  scope: z.string(),
  item_id: z.string(),
  detail: AnyObject,
  created_at: timestamp,
});

export const ActivityPage = z.strictObject({
  results: z.array(ActivityEntry),
  next: z.string().nullable(),
  previous: z.string().nullable(),
  total_count: z.int(),
});

export function toActivityEntry(row: ActivityLogRow, authors: Authors): z.output<typeof ActivityEntry> {
  const { id, user_id, activity, scope, item_id, detail, created_at } = row;
  return { id, user: toAuthor(user_id, authors), activity, scope, item_id, detail, created_at };
}

export interface NumberedPage {
  limit: number;
  page: number;
}

const LIMIT_DEFAULT = 10;
const LIMIT_MAX = 1_000;
/** Far beyond any log, and small enough that multiplying it by a limit stays exact. */
const PAGE_MAX = 1_000_000_000;

/** This list counts pages from 1, unlike the others; nonsense counts as not asked. */
export function readNumberedPage(query: URLSearchParams): NumberedPage {
  const read = (name: string, fallback: number, max: number) => {
    const value = /^\d+$/.test(query.get(name) ?? '') ? Number(query.get(name)) : 0;
    return value > 0 ? Math.min(value, max) : fallback;
  };
  return { limit: read('limit', LIMIT_DEFAULT, LIMIT_MAX), page: read('page', 1, PAGE_MAX) };
}

export function toActivityPage(
  url: URL,
  { limit, page }: NumberedPage,
  total_count: number,
  results: z.output<typeof ActivityEntry>[],
): z.output<typeof ActivityPage> {
  const link = (number: number) => {
    const linked = new URL(url);
    linked.searchParams.set('page', String(number));
    linked.searchParams.set('limit', String(limit));
    linked.searchParams.sort();
    return linked.href;
  };
  return {
    results,
    next: page * limit < total_count ? link(page + 1) : null,
    previous: page > 1 ? link(page - 1) : null,
    total_count,
  };
}
