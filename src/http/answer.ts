// The life of one management request, from its credential to its answer. The order of the checks is part of the wire.
import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Logger } from '../platform/logger.ts';
import { readBody } from './body.ts';
import type { Approach, Gate } from './caller.ts';
import { clientLeft, notAcceptable, notAuthenticated } from './errors.ts';
import { parseBody } from './fields.ts';
import type { OpenContext, Route } from './route.ts';
import type { Throttle } from './throttle.ts';

export interface AnswerParts {
  gate: Gate;
  /** Undefined: no rate limits. */
  throttle: Throttle | undefined;
  log: Logger;
}

const BEARER = /^Bearer\s+\S/;

export async function answer(
  route: Route,
  request: FastifyRequest,
  response: ServerResponse,
  parts: AnswerParts,
): Promise<unknown> {
  if (!route.page) requireAcceptable(request.headers.accept);
  const url = absoluteUrl(request);
  const read = () => readBody(request.body as Buffer | undefined, request.headers['content-type'], route.accepts);

  // A key in the header is judged before the body is looked at; otherwise the body may hold the key.
  const keyInHeader = BEARER.test(request.headers.authorization ?? '');
  let body = keyInHeader ? undefined : await read();

  const approach: Approach = {
    method: request.method,
    headers: request.headers,
    cookies: request.cookies,
    params: request.params as Record<string, string>,
    query: url.searchParams,
    body,
  };
  const visit = url.searchParams.has('sharing_access_token') ? route.visit : undefined;
  const admitted = visit || route.under === 'everyone' ? {} : await admit(route, approach, parts);

  if (keyInHeader) body = await read();
  const context: OpenContext = {
    ...admitted,
    params: approach.params,
    query: url.searchParams,
    url,
    headers: request.headers,
    cookies: request.cookies,
    ip: request.ip,
    get left() {
      return signalOfLeaving(response);
    },
    log: request.log as Logger,
    body: undefined,
    found: undefined,
  };
  if (visit) return visit(context);
  context.found = await route.load?.(context as never);
  context.body = route.body && parseBody(route.body, body);
  return route.handle(context as never);
}

async function admit(route: Route, approach: Approach, { gate, throttle }: AnswerParts) {
  const caller = await gate.authenticate(approach);
  if (!caller) throw notAuthenticated();
  const place = await gate.admit(caller, route, approach);
  // Only keys are limited; people in the app go by.
  if (caller.credential.kind === 'key') throttle?.pass(caller.credential.id, route.limit ?? 'default');
  return { caller, user: caller.user, ...place };
}

/** Few handlers ask, so nobody else pays for listening. */
function signalOfLeaving(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  const leave = () => {
    if (!response.writableFinished) left.abort(clientLeft());
  };
  if (response.closed) leave();
  else response.once('close', leave);
  return left.signal;
}

function requireAcceptable(accept: string | undefined): void {
  if (!accept) return;
  const ranges = accept.split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase());
  if (!ranges.some((range) => range === '*/*' || range === 'application/*' || range === 'application/json')) {
    throw notAcceptable();
  }
}

function absoluteUrl(request: FastifyRequest): URL {
  const origin = `${request.protocol}://${request.host}`;
  // Joined as text: resolved as a reference, a path that begins with two slashes would name another host.
  const path = request.raw.url?.startsWith('/') ? request.raw.url : '/';
  return new URL((URL.canParse(origin) ? origin : 'http://localhost') + path);
}
