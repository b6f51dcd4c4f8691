// The app's pages and files. Every address of the app answers with the same page, which then shows what the address says.
import { randomBytes } from 'node:crypto';
import { notFound } from '../http/errors.ts';
import { html, type OpenContext, openRoute, Reply, type Route } from '../http/route.ts';
import { readLocale } from './drawing.ts';
import { pickEncoding, type WebFiles } from './files.ts';
import type { Web } from './open.ts';
import { printPage, readPage, withAnswers } from './page.ts';
import { pageHeaders } from './policy.ts';

/** Where the app's pages are; `/` is beside them, in `startRoute`. */
const PAGES = ['/login', '/signup/:invite_id', '/account', '/account/*', '/project/*'];
const YEAR_SECONDS = 31_536_000;

/** The page at an address of the app, or what is shown until there is one. */
export type ShowPage = (context: OpenContext) => Promise<Reply> | Reply;

/** Asks the program itself, as the visitor with these headers would; undefined when they are refused. */
export type AskSelf = (address: string, headers: OpenContext['headers']) => Promise<string | undefined>;

/** `meanwhile` answers for the app while it is being built, or when it cannot be. */
export function webRoutes(
  web: Web | undefined,
  meanwhile: (context: OpenContext, isBuilding: boolean) => Promise<Reply>,
  askSelf: AskSelf,
) {
  const showPage: ShowPage = (context) => {
    const files = web?.look();
    return web && files instanceof Map
      ? appPage(files, context, web.loadDrawing, askSelf)
      : meanwhile(context, files === 'being built');
  };
  const routes: Route[] = [
    ...['/', ...PAGES].map((path) =>
      openRoute('GET', path, { summary: 'The app', scope: null, page: true, handle: showPage }),
    ),
    openRoute('GET', '/web/*', {
      summary: 'Files of the app',
      scope: null,
      page: true,
      handle: ({ params, headers }) => appFile(web?.look(), params['*'] ?? '', headers),
    }),
  ];
  return routes;
}

/** The page that draws what was shared, once the app is built. */
export const sharedPage =
  (web: Web | undefined) =>
  (embedded: boolean, { address, thing }: { address: string; thing: unknown }): Reply | undefined => {
    const files = web?.look();
    if (!(files instanceof Map)) return undefined;
    const nonce = newNonce();
    const page = readPage({ files, name: 'shared.html', nonce });
    return html(withAnswers(page, new Map([[address, JSON.stringify(thing)]])), pageHeaders(nonce, embedded));
  };

/** The app keeps the choice under this name: web/src/color-scheme.ts. */
const THEME_COOKIE = 'tenrec_theme';

/** Who somebody is on a page, and how they came to it. */
const VISITOR_HEADERS = ['cookie', 'host', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];

const newNonce = () => randomBytes(16).toString('base64');

async function appPage(files: WebFiles, context: OpenContext, draw: Web['loadDrawing'], askSelf: AskSelf) {
  const { url, headers, cookies, log } = context;
  const nonce = newNonce();
  const own = Object.fromEntries(VISITOR_HEADERS.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])));
  const visitor = {
    ask: async (address: string) => (headers.cookie ? askSelf(address, own) : undefined),
    locale: readLocale(headers['accept-language']),
    theme: cookies[THEME_COOKIE],
  };
  const page = await printPage({ files, name: 'index.html', path: url.pathname, nonce, visitor, draw, log });
  return html(page, pageHeaders(nonce));
}

function appFile(files: ReturnType<Web['look']> | undefined, path: string, headers: OpenContext['headers']): Reply {
  const file = files instanceof Map ? files.get(path) : undefined;
  if (!file || path.endsWith('.html')) throw notFound();
  const { bytes, encoding } = pickEncoding(file, String(headers['accept-encoding'] ?? ''));
  return new Reply(200, bytes, {
    'content-type': file.type,
    'x-content-type-options': 'nosniff',
    // Names below assets/ hold a digest of what is in them.
    'cache-control': path.startsWith('assets/') ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
    vary: 'accept-encoding',
    ...(encoding && { 'content-encoding': encoding }),
  });
}
