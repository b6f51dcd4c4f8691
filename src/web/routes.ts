// The app's pages and files. Every address of the app answers with the same page, which then shows what the address says.
import { randomBytes } from 'node:crypto';
import { notFound } from '../http/errors.ts';
import { type OpenContext, openRoute, Reply, type Route } from '../http/route.ts';
import { linksAhead } from './ahead.ts';
import { pickEncoding, type WebFiles } from './files.ts';
import type { Web } from './open.ts';
import { pageHeaders } from './policy.ts';

/** Where the app's pages are; `/` is beside them, in `startRoute`. */
const PAGES = ['/login', '/signup/:invite_id', '/account', '/account/*', '/project/*'];
const YEAR_SECONDS = 31_536_000;
const NONCE = '{{nonce}}';

/** The page at an address of the app, or what is shown until there is one. */
export type ShowPage = (context: OpenContext) => Promise<Reply> | Reply;

/** `meanwhile` answers for the app while it is being built, or when it cannot be. */
export function webRoutes(
  web: Web | undefined,
  meanwhile: (context: OpenContext, isBuilding: boolean) => Promise<Reply>,
) {
  const showPage: ShowPage = (context) => {
    const files = web?.look();
    return files instanceof Map ? appPage(files, context.url.pathname) : meanwhile(context, files === 'being built');
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
  (embedded: boolean): Reply | undefined => {
    const files = web?.look();
    return files instanceof Map ? appPage(files, '/shared/', 'shared.html', embedded) : undefined;
  };

function appPage(files: WebFiles, path: string, name = 'index.html', embedded = false): Reply {
  const page = files.get(name);
  if (!page) throw new Error(`the build of the web app has no ${name}`);
  const nonce = randomBytes(16).toString('base64');
  const text = page.bytes
    .toString('utf8')
    .replaceAll(NONCE, nonce)
    .replace('</head>', `${linksAhead(files, path)}</head>`);
  return new Reply(200, Buffer.from(text), { 'content-type': page.type, ...pageHeaders(nonce, embedded) });
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
