// What `refresh` asks for: something from the cache, something fresh, now or while nobody waits.

export type Refresh =
  | 'force_cache'
  | 'blocking'
  | 'async'
  | 'lazy_async'
  | 'async_except_on_cache_miss'
  | 'force_blocking'
  | 'force_async';

const MODES: readonly Refresh[] = [
  'force_cache',
  'blocking',
  'async',
  'lazy_async',
  'async_except_on_cache_miss',
  'force_blocking',
  'force_async',
];
const YES = new Set(['true', '1', 'yes', '']);

/** `absent` is for requests that say nothing. Unknown words mean no. */
export function readRefresh(given: unknown, absent: Refresh = 'force_cache'): Refresh {
  if (given === undefined || given === null) return absent;
  const word = String(given).trim().toLowerCase();
  return MODES.find((mode) => mode === word) ?? (YES.has(word) ? 'force_blocking' : 'force_cache');
}

/** Whoever has nothing but a link does not decide when the engine works. */
export function readVisitorRefresh(given: unknown): Refresh {
  const asked = readRefresh(given);
  if (asked === 'force_blocking') return 'blocking';
  return asked === 'async' ? 'async' : 'lazy_async';
}
