// Pieces that the public shapes of dashboards, tiles and insights share.
import { z } from 'zod';
import type { AccountRow } from '../metadata/tables.ts';
import { toUserBasic, type UserBasic } from '../projects/wire.ts';
import { ACCESS_LEVELS, RESTRICTION_LEVELS, type Viewer } from './levels.ts';

export type Dict = Record<string, unknown>;
/** The people behind ids. Whoever must not be shown is simply not among them. */
export type Authors = ReadonlyMap<number, AccountRow>;
/** Somebody with a public link has no account; what they see is judged for no one. */
export type Onlooker = Viewer | 'public';

export const AnyObject = z.record(z.string(), z.unknown());
export const Level = z.literal(RESTRICTION_LEVELS);
export const Access = z.enum(ACCESS_LEVELS);
export const timestamp = z.iso.datetime();

/** The author of something; null when they are gone or not to be shown. */
export function toAuthor(id: number | null, authors: Authors): z.output<typeof UserBasic> | null {
  const account = id === null ? undefined : authors.get(id);
  return account ? toUserBasic(account) : null;
}
