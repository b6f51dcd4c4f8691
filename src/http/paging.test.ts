import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paged, readPage } from './paging.ts';

const asked: [query: string, limit: number, offset: number][] = [
  ['', 100, 0],
  ['limit=5&offset=10', 5, 10],
  ['limit=0', 100, 0],
  ['limit=-3&offset=-1', 100, 0],
  ['limit=many&offset=some', 100, 0],
  ['limit=1000000', 1_000_000, 0],
  ['limit=1e3', 100, 0],
  ['offset=99999999999999999999', 100, 0],
];
for (const [query, limit, offset] of asked) {
  test(`?${query} asks for ${limit} from ${offset}`, () => {
    assert.deepEqual(readPage(new URLSearchParams(query)), { limit, offset });
  });
}

const base = 'https://ph.example.com/api/projects/1/dashboards/';
const links: [query: string, count: number, next: string | null, previous: string | null][] = [
  ['', 100, null, null],
  ['', 101, '?limit=100&offset=100', null],
  ['limit=100&offset=100', 250, '?limit=100&offset=200', '?limit=100'],
  ['limit=10&offset=5', 250, '?limit=10&offset=15', '?limit=10'],
  ['limit=10&offset=500', 250, null, '?limit=10&offset=490'],
  ['tags=b&limit=1&search=a%20b&tags=a', 3, '?limit=1&offset=1&search=a+b&tags=b&tags=a', null],
];
for (const [query, count, next, previous] of links) {
  test(`links of ?${query} among ${count} are absolute, explicit and sorted`, () => {
    const url = new URL(`${base}?${query}`);
    const page = paged(url, readPage(url.searchParams), count, []);
    assert.equal(page.next, next && base + next);
    assert.equal(page.previous, previous && base + previous);
    assert.deepEqual(Object.keys(page), ['count', 'next', 'previous', 'results']);
  });
}
