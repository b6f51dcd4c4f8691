// Limit and offset paging, with absolute links whose parameters are sorted by name.

export interface Page {
  limit: number;
  offset: number;
}

export interface Paged<T> {
  count: number;
  next: string | null;
  previous: string | null;
  results: T[];
}

const LIMIT_DEFAULT = 100;

/** What the query asks for; anything that is not a sensible number counts as not asked. */
export function readPage(query: URLSearchParams): Page {
  return {
    limit: positive(query.get('limit')) || LIMIT_DEFAULT,
    offset: positive(query.get('offset')) ?? 0,
  };
}

function positive(text: string | null): number | undefined {
  if (text === null || !/^\s*\+?\d+\s*$/.test(text)) return undefined;
  const number = Number(text);
  return number <= Number.MAX_SAFE_INTEGER ? number : undefined;
}

/** `url` is the absolute address of the request, with its query. */
export function paged<T>(url: URL, { limit, offset }: Page, count: number, results: T[]): Paged<T> {
  return {
    count,
    next: offset + limit < count ? link(url, limit, offset + limit) : null,
    previous: offset > 0 ? link(url, limit, offset - limit) : null,
    results,
  };
}

function link(url: URL, limit: number, offset: number): string {
  const linked = new URL(url);
  linked.searchParams.set('limit', String(limit));
  if (offset > 0) linked.searchParams.set('offset', String(offset));
  else linked.searchParams.delete('offset');
  linked.searchParams.sort();
  return linked.href;
}
