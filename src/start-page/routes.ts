// The page at `/`, for whoever has just started the program.
import type { Kysely } from 'kysely';
import { html, openRoute, type Route } from '../http/route.ts';
import type { Database } from '../metadata/tables.ts';
import { pageHeaders, renderPage } from './page.ts';

/** What the page may promise. */
export interface Offer {
  /** The program takes in events: `POST /capture/` and its like answer. */
  events: boolean;
}

export const startPageRoutes = (db: Kysely<Database>, offer: Offer): Route[] => [
  openRoute('GET', '/', {
    summary: 'The start page',
    scope: null,
    page: true,
    async handle({ url }) {
      const projectKey = await findFirstProjectKey(db);
      return html(renderPage({ origin: url.origin, projectKey, ...offer }), pageHeaders);
    },
  }),
];

/** Only the key is read: it is public, while the names of projects are not for everyone who finds the address. */
async function findFirstProjectKey(db: Kysely<Database>): Promise<string | undefined> {
  const project = await db.selectFrom('project').select('api_token').orderBy('id').limit(1).executeTakeFirst();
  return project?.api_token;
}
