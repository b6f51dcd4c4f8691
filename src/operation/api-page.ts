// The API description and its page. The page's parts are loaded by the first request that asks for them.
import fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type ApiInfo, printOpenApi } from '../http/openapi.ts';
import { openRoute, Reply, type Route } from '../http/route.ts';

const PAGE = '/api/docs';

export function apiPageRoutes(info: ApiInfo, routes: readonly Route[]): Route[] {
  let description: object | undefined;
  let page: Promise<FastifyInstance> | undefined;
  const servePage = async (path: string) => {
    page ??= openPage();
    const { statusCode, rawPayload, headers } = await (await page).inject(path);
    const { 'content-type': type = 'text/html', location } = headers;
    return new Reply(statusCode, rawPayload, { 'content-type': String(type), ...(location && { location }) });
  };
  return [
    openRoute('GET', '/api/schema/', {
      summary: 'The OpenAPI description of this API',
      scope: null,
      returns: z.looseObject({ openapi: z.string() }),
      handle: () => {
        description ??= printOpenApi(info, routes);
        return description;
      },
    }),
    openRoute('GET', `${PAGE}/`, {
      summary: 'This page',
      scope: null,
      page: true,
      handle: () => servePage(`${PAGE}/`),
    }),
    openRoute('GET', `${PAGE}/*`, {
      summary: 'Parts of this page',
      scope: null,
      page: true,
      handle: ({ params }) => servePage(`${PAGE}/${params['*']}`),
    }),
  ];
}

async function openPage(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(scalar, {
    routePrefix: PAGE,
    configuration: {
      url: '/api/schema/',
      title: 'Tenrec API',
      // Nothing is fetched from, or sent to, any other host.
      withDefaultFonts: false,
      telemetry: false,
    },
  });
  await app.ready();
  return app;
}
