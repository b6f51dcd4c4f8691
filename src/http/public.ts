// The public endpoints: what browsers and SDKs call, thousands of times a second, with a project key instead of a person.
// They stand before the management server on the same port, straight on Node's own HTTP, and share only what they need.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../platform/logger.ts';
import { Unavailable } from '../platform/unavailable.ts';
import { ApiError, serverError, serviceUnavailable } from './errors.ts';
import type { RequestMetrics } from './metrics.ts';
import { type BodyReader, BodyTooLarge, SenderGone } from './read-bytes.ts';

export interface PublicRequest {
  readonly method: string;
  /** Without query and without trailing slash. */
  readonly path: string;
  /** Not to be changed: requests without a query share theirs. */
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly socketAddress: string | undefined;
  /** The whole body; empty without one. */
  readonly body: Buffer;
}

export interface PublicAnswer {
  status: number;
  /** Empty for none. */
  body: string | Buffer;
  /** JSON unless said. */
  type?: string;
  headers?: Readonly<Record<string, string>>;
}

export interface PublicEndpoint {
  /** Each without trailing slash; one that ends in `/*` stands for everything below it. */
  paths: readonly string[];
  /** A promise only where something has to be waited for: its turns cost more than most small answers. */
  handle(request: PublicRequest): PublicAnswer | Promise<PublicAnswer>;
  /** How this endpoint words a failure; without it, as the management API does. */
  refuse?(error: unknown): PublicAnswer | undefined;
}

const METHODS = new Set(['GET', 'POST', 'HEAD']);
const ALLOWED = 'GET, POST, OPTIONS';
/** Asked for half a dozen names by each request, most of which have no query at all. */
const NO_QUERY = new (class extends URLSearchParams {
  override get(): null {
    return null;
  }
})();

export interface PublicParts {
  endpoints: readonly PublicEndpoint[];
  bodies: BodyReader;
  metrics: RequestMetrics;
  log: Logger;
}

/** Answers a request for a public path and says so; leaves every other alone. */
export function publicHandler({ endpoints, bodies, metrics, log }: PublicParts) {
  const find = endpointFinder(endpoints);

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const url = request.url ?? '/';
    const queryAt = url.indexOf('?');
    const path = withoutSlash(queryAt === -1 ? url : url.slice(0, queryAt));
    const found = find(path);
    if (!found) return false;
    const { endpoint, declared } = found;
    const begunAt = performance.now();
    const done = (answer: PublicAnswer) => {
      send(request, response, answer);
      metrics.observe(request.method ?? '', declared, answer.status, (performance.now() - begunAt) / 1000);
    };
    const refuse = (error: unknown) => done(refusal(endpoint, error, path, log));
    if (request.method !== 'OPTIONS' && !METHODS.has(request.method ?? '')) {
      done({ status: 405, body: '', headers: { allow: ALLOWED } });
      return true;
    }
    const answer = (body: Buffer) => {
      if (request.method === 'OPTIONS') return done({ status: 200, body: '', headers: preflightHeaders(request) });
      const asked: PublicRequest = {
        method: request.method ?? '',
        path,
        query: queryAt === -1 ? NO_QUERY : new URLSearchParams(url.slice(queryAt + 1)),
        headers: request.headers,
        socketAddress: request.socket.remoteAddress,
        body,
      };
      try {
        const answered = endpoint.handle(asked);
        if (answered instanceof Promise) answered.then(done, refuse);
        else done(answered);
      } catch (error) {
        refuse(error);
      }
    };
    bodies.read(request, answer, refuse);
    return true;
  };
}

interface Found {
  endpoint: PublicEndpoint;
  /** The path as the endpoint gives it: what is counted under one name. */
  declared: string;
}

function endpointFinder(endpoints: readonly PublicEndpoint[]): (path: string) => Found | undefined {
  const all = endpoints.flatMap((endpoint) => endpoint.paths.map((declared): Found => ({ endpoint, declared })));
  const exact = new Map(all.map((found) => [found.declared, found]));
  const below = all.filter(({ declared }) => declared.endsWith('/*'));
  return (path) => exact.get(path) ?? below.find(({ declared }) => path.startsWith(declared.slice(0, -1)));
}

const withoutSlash = (path: string) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);

function refusal(endpoint: PublicEndpoint, error: unknown, path: string, log: Logger): PublicAnswer {
  if (error instanceof SenderGone) return { status: 499, body: '' };
  const own = endpoint.refuse?.(error);
  if (own) return own;
  const known = toApiError(error);
  if (known.status >= 500) log.error({ err: error, path }, 'request failed');
  return { status: known.status, body: JSON.stringify(known), headers: known.headers };
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Unavailable) return serviceUnavailable(`${error.service} is not available; try again shortly.`);
  if (error instanceof BodyTooLarge) return new ApiError(413, 'invalid_request', 'request_too_large', error.message);
  return serverError();
}

function send(request: IncomingMessage, response: ServerResponse, { status, body, type, headers }: PublicAnswer): void {
  if (response.headersSent || response.destroyed) return;
  const bodyBytes = Buffer.byteLength(body);
  const all: string[] = ['content-length', String(bodyBytes)];
  if (body.length > 0) all.push('content-type', type ?? 'application/json');
  for (const name in headers) all.push(name, headers[name] as string);
  const { origin } = request.headers;
  if (origin) all.push('access-control-allow-origin', origin, ...CORS_HEADERS);
  // What is left of a refused body is not read; the connection ends with the answer.
  if (!request.complete) all.push('connection', 'close');
  // A text of as many bytes as characters is plain ASCII, which leaves faster when Node need not look for anything else.
  const encoding = bodyBytes === body.length ? 'latin1' : 'utf8';
  response.writeHead(status, all).end(request.method === 'HEAD' ? undefined : body, encoding);
}

/** Old browser SDKs send credentials, and a wildcard would then be refused by the browser. Nothing here looks at cookies. */
const CORS_HEADERS = [
  'access-control-allow-credentials',
  'true',
  'vary',
  'origin, access-control-request-method, access-control-request-headers',
];

function preflightHeaders(request: IncomingMessage): Record<string, string> {
  const asked = request.headers['access-control-request-headers'];
  return {
    'access-control-allow-methods': ALLOWED,
    'access-control-max-age': '86400',
    ...(asked && { 'access-control-allow-headers': asked }),
  };
}
