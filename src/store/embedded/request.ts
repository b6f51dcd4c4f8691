// What a request of ClickHouse's HTTP protocol asks for: https://clickhouse.com/docs/interfaces/http
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { parseMultipart, readAll, unzipped } from './body.ts';
import { refusal } from './engine-error.ts';
import type { Surroundings } from './session.ts';

export interface EngineRequest extends Surroundings {
  text: string;
  query_id: string | undefined;
  /** The format of results whose statement names none. */
  defaultFormat: string;
  /** Data that came apart from the statement; undefined when the body was the statement. */
  data: Readable | undefined;
  /** The client takes a compressed answer, in these codings. */
  acceptEncoding: string;
}

const TEXT_BYTES_MAX = 64 * 1024 * 1024;

/** Parameters that are about the exchange and no settings of the engine. */
const NOT_SETTINGS = new Set([
  'query',
  'database',
  'default_format',
  'query_id',
  'user',
  'password',
  'quota_key',
  'session_id',
  'session_timeout',
  'session_check',
  'close_session',
  'wait_end_of_query',
  'buffer_size',
  'stacktrace',
]);
/** What a server would do and the embedded engine does not; better refused than silently ignored. */
const NOT_SUPPORTED = new Set(['compress', 'decompress', 'role']);

export async function parseRequest(request: IncomingMessage, url: URL): Promise<EngineRequest> {
  const settings = new Map<string, string>();
  const params = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (NOT_SUPPORTED.has(name) && value !== '0') {
      throw refusal(48, 'NOT_IMPLEMENTED', `The embedded ClickHouse does not know the parameter ${name}.`);
    }
    if (name.startsWith('param_')) params.set(name.slice('param_'.length), value);
    else if (!NOT_SETTINGS.has(name) && !NOT_SUPPORTED.has(name)) settings.set(name, value);
  }
  const given = url.searchParams.get('query');
  const hasBody = request.method === 'POST';
  const body = hasBody ? unzipped(request) : undefined;
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  let text = given ?? '';
  if (body && boundary) {
    for (const [name, value] of parseMultipart(await readAll(body, TEXT_BYTES_MAX), boundary)) {
      if (name === 'query') text = value;
      else if (name.startsWith('param_')) params.set(name.slice('param_'.length), value);
      else throw refusal(48, 'NOT_IMPLEMENTED', `The embedded ClickHouse takes no external table (${name}).`);
    }
  } else if (body && !given) {
    text = (await readAll(body, TEXT_BYTES_MAX)).toString();
  }
  return {
    text,
    settings,
    params,
    database: url.searchParams.get('database') ?? header(request, 'x-clickhouse-database') ?? 'default',
    query_id: url.searchParams.get('query_id') ?? undefined,
    defaultFormat: url.searchParams.get('default_format') ?? header(request, 'x-clickhouse-format') ?? 'TabSeparated',
    data: given && !boundary ? body : undefined,
    acceptEncoding: settings.get('enable_http_compression') === '1' ? (header(request, 'accept-encoding') ?? '') : '',
  };
}

/** Whether the request carries the password, in any of the ways ClickHouse takes it. Takes as long for a wrong one. */
export function isAllowed(request: IncomingMessage, url: URL, password: string): boolean {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const given =
    header(request, 'x-clickhouse-key') ??
    (basic && Buffer.from(basic, 'base64').toString().split(':').slice(1).join(':')) ??
    url.searchParams.get('password') ??
    '';
  return timingSafeEqual(digest(given), digest(password));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
