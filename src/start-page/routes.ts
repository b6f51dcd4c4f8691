// The page for whoever has just started the program: at `/start`, and in the app's place until that is built.
import type { Kysely } from 'kysely';
import { html, type OpenContext, openRoute, type Reply, type Route } from '../http/route.ts';
import type { Database } from '../metadata/tables.ts';
import { pageHeaders, renderPage } from './page.ts';

/** What the page may promise. */
export interface Offer {
  /** The program takes in events: `POST /capture/` and its like answer. */
  events: boolean;
}

export type ShowStartPage = (context: OpenContext, isBuilding?: boolean) => Promise<Reply>;

export const startPage =
  (db: Kysely<Database>, offer: Offer): ShowStartPage =>
  async ({ url }, isBuilding = false) => {
    const projectKey = await findFirstProjectKey(db);
    return html(renderPage({ origin: url.origin, projectKey, isBuilding, ...offer }), pageHeaders);
  };

export const startPageRoutes = (show: ShowStartPage): Route[] => [
  openRoute('GET', '/start', {
    summary: 'The start page',
    scope: null,
    page: true,
    handle: (context) => show(context),
  }),
];

/** Only the key is read: it is public, while the names of projects are not for everyone who finds the address. */
async function findFirstProjectKey(db: Kysely<Database>): Promise<string | undefined> {
  const project = await db.selectFrom('project').select('api_token').orderBy('id').limit(1).executeTakeFirst();
  return project?.api_token;
}
