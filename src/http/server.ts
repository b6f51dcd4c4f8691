// The HTTP server: mounts the routes, turns returned values into responses and thrown ones into error bodies.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import fastifyCookie from '@fastify/cookie';
import fastifyCors from '@fastify/cors';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { Unavailable } from '../platform/unavailable.ts';
import { type AnswerParts, answer } from './answer.ts';
import { BODY_BYTES_MAX } from './body.ts';
import {
  ApiError,
  badRequest,
  bodyTooLarge,
  invalid,
  methodNotAllowed,
  notFound,
  serverError,
  serviceUnavailable,
} from './errors.ts';
import type { RequestMetrics } from './metrics.ts';
import { type Method, pathsOf, Reply, type Route } from './route.ts';

export interface ServerParts extends AnswerParts {
  routes: readonly Route[];
  /** Believe `X-Forwarded-*` headers. */
  trustProxy: boolean;
  metrics?: RequestMetrics;
  /** Sees every request first and answers those it takes: the public endpoints. */
  first?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Tests: a response that differs from the shape its route declares becomes a 500. */
  checkResponses?: boolean;
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const REQUEST_MS_MAX = 120_000;

const noCompiler = () => {
  throw new Error('a route declares its shapes to Fastify; they belong into the route value');
};

export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const app = fastify({
    serverFactory: (handler) =>
      createServer({ requestTimeout: REQUEST_MS_MAX }, (request, response) => {
        if (!parts.first?.(request, response)) handler(request, response);
      }),
    loggerInstance: parts.log as FastifyBaseLogger,
    // One line a request, written below.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    trustProxy: parts.trustProxy,
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: 'idle',
    genReqId: (request) => usableRequestId(request.headers['x-request-id']) ?? randomUUID(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // Shapes are ours; without this, Fastify would load a validator and a serialiser of its own that nobody asks.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply as FastifyReply),
  });

  await app.register(fastifyCookie);
  // Management answers may be read from any page that holds a key, but never with the cookies of the person at the screen.
  await app.register(fastifyCors, { origin: true, credentials: false, strictPreflight: false, maxAge: 86_400 });

  // Bodies arrive as bytes; when and how they are read is decided where the request is answered.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    parts.metrics?.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    request.log.debug(
      { method: request.method, path: pathOf(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    );
  });

  for (const [path, routes] of groupByPath(parts.routes)) mountPath(app, path, routes, parts);
  app.setNotFoundHandler((request, reply) =>
    sendError(notFound(pathOf(request).startsWith('/api/') ? 'Endpoint not found.' : undefined), request, reply),
  );
  app.setErrorHandler(sendError);
  return app;
}

function groupByPath(routes: readonly Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>();
  for (const route of routes) {
    for (const path of pathsOf(route)) paths.set(path, [...(paths.get(path) ?? []), route]);
  }
  return paths;
}

/** Mounts every method of one path; those that no route claims answer 405 behind the same gate. */
function mountPath(app: FastifyInstance, path: string, routes: readonly Route[], parts: ServerParts): void {
  const claimed = routes.map((route) => route.method);
  const allowed = [...claimed, ...(claimed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
  const unclaimed = METHODS.filter((method) => !claimed.includes(method)).map(
    (method): Route => ({
      under: routes[0]?.under ?? 'everyone',
      method,
      path,
      summary: '',
      scope: null,
      handle: () => {
        throw methodNotAllowed(method, allowed);
      },
    }),
  );
  for (const route of [...routes, ...unclaimed]) {
    app.route({
      method: route.method,
      url: path,
      exposeHeadRoute: route.method === 'GET' && claimed.includes('GET'),
      handler: async (request, reply) => send(route, await answer(route, request, reply.raw, parts), reply, parts),
    });
  }
}

function send(route: Route, value: unknown, reply: FastifyReply, { checkResponses }: ServerParts): FastifyReply {
  const { status, body, headers } = value instanceof Reply ? value : new Reply(route.status ?? 200, value);
  reply.code(status).headers(headers);
  if (body === null || body === undefined) return reply.send();
  if (Buffer.isBuffer(body) || body instanceof Readable) return reply.send(body);
  const text = JSON.stringify(body);
  if (checkResponses) requireDeclaredShape(route, text);
  return reply.type('application/json').send(text);
}

/** What the client reads must be what the API description says; fields it does not know count as a difference. */
function requireDeclaredShape(route: Route, text: string): void {
  if (!route.returns) throw new Error(`${route.method} ${route.path} answers a body but declares no shape`);
  const result = route.returns.safeParse(JSON.parse(text));
  if (!result.success) {
    throw new Error(`${route.method} ${route.path} answers another shape than declared: ${result.error.message}`);
  }
}

function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toApiError(thrown);
  if (error.status >= 500) {
    request.log.error({ err: thrown, method: request.method, path: pathOf(request) }, 'request failed');
  }
  reply.code(error.status).headers(error.headers).header('x-request-id', request.id);
  return reply.type('application/json').send(JSON.stringify(error));
}

/** PostgreSQL's own words for a value that it cannot hold: a NUL or half a surrogate in a text, a number too large. */
const UNSTORABLE_VALUE = new Set(['22003', '22008', '22021', '22P02', '22P05']);

function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof Unavailable)
    return serviceUnavailable(`${thrown.service} is not available; try again shortly.`);
  const { code = '', statusCode = 500 } = thrown as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(BODY_BYTES_MAX);
  if (UNSTORABLE_VALUE.has(code)) return invalid('The request holds a value that cannot be stored.');
  // What Fastify refuses by itself: malformed addresses, lengths that do not fit, unsupported methods.
  if (code.startsWith('FST_') && statusCode < 500) return badRequest((thrown as Error).message);
  return serverError();
}

function usableRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{1,100}$/.test(header) ? header : undefined;
}

const pathOf = (request: FastifyRequest) => (request.raw.url ?? '').split('?', 1)[0] ?? '';
