// One page of persons, and the way to the next.
import type { Kysely } from 'kysely';
import type { Filter } from '../filters/parse.ts';
import { invalid } from '../http/errors.ts';
import type { Database } from '../metadata/tables.ts';
import type { EventStore } from '../store/open.ts';
import { countMatching, listMatching, type PersonQuestion } from './matching.ts';
import {
  countPersons,
  findPersonByDistinctId,
  listPersons,
  type PersonFilter,
  type PersonPage,
  type PersonWithIds,
} from './read.ts';

export interface PageQuestion {
  team_id: number;
  /** Undefined: no property matters. */
  filter: Filter | undefined;
  search: string | undefined;
  distinct_id: string | undefined;
  email: string | undefined;
  limit: number;
  offset: number;
  cursor: string | null;
  countAll: boolean;
}

export interface PersonsPage {
  results: PersonWithIds[];
  next: string | null;
  previous: string | null;
  count?: number;
}

type Db = Kysely<Database>;

export function listPage(db: Db, store: EventStore, url: URL, question: PageQuestion): Promise<PersonsPage> {
  return question.filter
    ? listByProperties(db, store, url, { ...question, filter: question.filter })
    : listByIdentity(db, url, question);
}

/** Follows a cursor, which neither repeats nor misses anyone while others come; counts for those who count. */
async function listByIdentity(db: Db, url: URL, question: PageQuestion): Promise<PersonsPage> {
  const { team_id, limit, offset, cursor } = question;
  const filter = onlyGiven({
    search: question.search,
    distinct_id: question.distinct_id,
    email: question.email,
  }) as PersonFilter;
  const after = cursor === null ? undefined : parseCursor(cursor);
  const found = await listPersons(db, team_id, filter, { limit: limit + 1, offset, ...(after && { after }) });
  const results = found.slice(0, limit);
  const last = results.at(-1);
  const counting = url.searchParams.has('offset');
  const onward = () => (counting || !last ? offsetLink(url, limit, offset + limit) : cursorLink(url, last));
  return {
    results,
    next: found.length > limit ? onward() : null,
    previous: previousLink(url, limit, offset),
    ...(question.countAll && { count: await countPersons(db, team_id, filter) }),
  };
}

async function listByProperties(
  db: Db,
  store: EventStore,
  url: URL,
  question: PageQuestion & { filter: Filter },
): Promise<PersonsPage> {
  const { team_id, limit, offset, distinct_id, filter, search, email } = question;
  const uuid = distinct_id === undefined ? undefined : (await findPersonByDistinctId(db, team_id, distinct_id))?.uuid;
  if (distinct_id !== undefined && uuid === undefined) return { results: [], next: null, previous: null };
  const asked: PersonQuestion = { team_id, filter, search, email, uuid };
  const uuids = await listMatching(store, asked, { limit: limit + 1, offset });
  const shown = uuids.slice(0, limit);
  const persons = await listPersons(db, team_id, { uuids: shown }, { limit: shown.length });
  const place = new Map(shown.map((each, index) => [each, index]));
  return {
    results: persons.toSorted((one, other) => (place.get(one.uuid) ?? 0) - (place.get(other.uuid) ?? 0)),
    next: uuids.length > limit ? offsetLink(url, limit, offset + limit) : null,
    previous: previousLink(url, limit, offset),
    ...(question.countAll && { count: await countMatching(store, asked) }),
  };
}

const onlyGiven = (fields: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const previousLink = (url: URL, limit: number, offset: number): string | null =>
  offset - limit >= 0 && offset > 0 ? offsetLink(url, limit, offset - limit) : null;

function offsetLink(url: URL, limit: number, offset: number): string {
  const link = new URL(url);
  link.searchParams.set('limit', String(limit));
  link.searchParams.set('offset', String(offset));
  return link.href;
}

function cursorLink(url: URL, { created_at, id }: PersonWithIds): string {
  const link = new URL(url);
  link.searchParams.set('cursor', Buffer.from(JSON.stringify([created_at, id])).toString('base64url'));
  return link.href;
}

const CURSOR_TIME = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function parseCursor(text: string): NonNullable<PersonPage['after']> {
  try {
    const [created_at, id] = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (typeof created_at === 'string' && CURSOR_TIME.test(created_at) && Number.isSafeInteger(id)) {
      return { created_at, id };
    }
  } catch {
    // not a cursor either
  }
  throw invalid('Invalid cursor', 'cursor');
}
