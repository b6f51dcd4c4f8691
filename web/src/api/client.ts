// The one way to the management API: same origin, the session's cookie, the CSRF token for everything that changes.
import { takeAhead } from './ahead.ts';
import { readCookie } from './cookies.ts';

/** A refusal in the API's own words, or the lack of an answer (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The field that the refusal is about. */
  readonly attr: string | null;

  constructor(status: number, code: string, detail: string, attr: string | null = null) {
    super(detail);
    this.status = status;
    this.code = code;
    this.attr = attr;
  }
}

export const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

export interface Page<T> {
  count: number;
  next: string | null;
  previous: string | null;
  results: T[];
}

type QueryValue = string | number | boolean | readonly string[] | null | undefined;

interface Ask {
  query?: Readonly<Record<string, QueryValue>>;
  body?: unknown;
  signal?: AbortSignal;
}

const CSRF_COOKIE = 'posthog_csrftoken';

/** An address with its query; values that are empty or undefined are left out, lists repeat their name. */
export function toAddress(path: string, query: Ask['query'] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue;
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

async function send<T>(method: string, path: string, { query, body, signal }: Ask = {}): Promise<T> {
  const address = toAddress(path, query);
  const ahead = method === 'GET' ? takeAhead(address) : undefined;
  if (ahead !== undefined) return ahead as T;
  const response = await fetch(address, {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && { 'x-csrftoken': readCookie(CSRF_COOKIE) }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'unreachable', 'The server does not answer. Is it running, and are you online?');
  });
  const text = await response.text();
  if (!response.ok) throw toApiError(response.status, text);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

function toApiError(status: number, text: string): ApiError {
  try {
    const { code, detail, error, attr } = JSON.parse(text);
    return new ApiError(status, code ?? 'error', detail ?? error ?? `The server answered ${status}.`, attr ?? null);
  } catch {
    return new ApiError(status, 'error', `The server answered ${status}.`);
  }
}

export const api = {
  get: <T>(path: string, ask?: Omit<Ask, 'body'>) => send<T>('GET', path, ask),
  post: <T>(path: string, body: unknown = {}, ask?: Ask) => send<T>('POST', path, { ...ask, body }),
  patch: <T>(path: string, body: unknown, ask?: Ask) => send<T>('PATCH', path, { ...ask, body }),
  put: <T>(path: string, body: unknown, ask?: Ask) => send<T>('PUT', path, { ...ask, body }),
  delete: <T = void>(path: string, ask?: Ask) => send<T>('DELETE', path, ask),
};
