// The API description, printed from the same route values that the server mounts.
import { z } from 'zod';
import type { MediaType } from './body.ts';
import { pathsOf, type Route } from './route.ts';

const CONTENT_TYPES: Readonly<Record<MediaType, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

export interface ApiInfo {
  title: string;
  version: string;
  description: string;
}

/** An OpenAPI 3.1 document of all routes. */
export function printOpenApi(info: ApiInfo, routes: readonly Route[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes.filter(({ page }) => !page)) {
    for (const path of pathsOf(route)) {
      const shown = path.replace(/:(\w+)/g, '{$1}').replace(/\/?$/, route.under === 'everyone' ? '' : '/') || '/';
      paths[shown] = { ...paths[shown], [route.method.toLowerCase()]: operation(route, shown) };
    }
  }
  return {
    openapi: '3.1.0',
    info,
    paths,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        PersonalApiKey: { type: 'http', scheme: 'bearer', description: 'A personal API key: `phx_…`.' },
        Session: { type: 'apiKey', in: 'cookie', name: 'sessionid', description: 'Set by `POST /api/login/`.' },
      },
    },
  };
}

const errorSchema = {
  type: 'object',
  required: ['type', 'code', 'detail', 'attr'],
  properties: {
    type: { type: 'string' },
    code: { type: 'string' },
    detail: { type: 'string', description: 'The first thing that was wrong, for a person.' },
    attr: { type: ['string', 'null'], description: 'The field at fault, nested names joined by `__`.' },
  },
};

function operation(route: Route, path: string) {
  const [, area = 'api'] =
    /^\/api\/(?:projects|environments|organizations)\/\{\w+\}\/(\w+)/.exec(path) ??
    /^\/(?:api\/)?([@\w]+)/.exec(path) ??
    [];
  return {
    summary: route.summary,
    operationId: `${route.method.toLowerCase()}${path.replace(/[^a-zA-Z0-9]+(.)?/g, (_all, next = '') => next.toUpperCase())}`,
    tags: [area],
    ...(route.scope && { description: `Scope: \`${route.scope}\`.`, 'x-scope': route.scope }),
    security: security(route),
    parameters: [...pathParameters(path), ...queryParameters(route)],
    ...(route.body && { requestBody: requestBody(route.body, route.accepts) }),
    responses: responses(route),
  };
}

function security(route: Route) {
  if (route.under === 'everyone') return [];
  return route.scope ? [{ PersonalApiKey: [] }, { Session: [] }] : [{ Session: [] }];
}

function pathParameters(path: string) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(route: Route) {
  return Object.entries(route.query ?? {}).map(([name, description]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: { type: 'string' },
  }));
}

function requestBody(shape: z.ZodType, accepts: readonly MediaType[] = ['json', 'form', 'multipart']) {
  const schema = toJsonSchema(shape, 'input');
  return { content: Object.fromEntries(accepts.map((kind) => [CONTENT_TYPES[kind], { schema }])) };
}

function responses(route: Route) {
  const success = route.returns
    ? { description: 'Success.', content: { 'application/json': { schema: toJsonSchema(route.returns, 'output') } } }
    : { description: 'Success.' };
  const failure = {
    description: 'Refused; the body says why.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
  return { [route.status ?? 200]: success, '4XX': failure };
}

function toJsonSchema(shape: z.ZodType, io: 'input' | 'output') {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' });
  return schema;
}
