// What everyone with a link sees: a page, or the same as JSON.
import { notFound } from '../../http/errors.ts';
import { html, type OpenContext, openRoute, Reply, type Route } from '../../http/route.ts';
import type { SharingConfigurationRow } from '../../metadata/tables.ts';
import type { Queries } from '../../query/queries.ts';
import { readVisitorRefresh } from '../../query/refresh.ts';
import { getSharedProject, visitInsight } from '../insights/visit.ts';
import { showDashboard } from '../show.ts';
import { type Db, findDashboard, noteAccess } from '../sql.ts';
import { headersOf, renderMissing, renderShared, renderUnlock } from './page.ts';
import { findOpenShare } from './sql.ts';
import { isUnlocked, unlock } from './unlock.ts';
import { SharedThing, toFlags, UnlockAnswer, UnlockDraft } from './wire.ts';

const PREFIXES = ['/shared', '/embedded', '/shared_dashboard'] as const;
const JSON_SUFFIX = '.json';

/** What an address asks for: `/shared/<token>`, or with `.json` the same for programs. */
interface Asked {
  token: string;
  isJson: boolean;
  embedded: boolean;
}

/** How it is asked, and by whom. */
type Visit = Pick<OpenContext, 'query' | 'left'>;

function readAsked(prefix: string, { params, query }: Pick<OpenContext, 'params' | 'query'>): Asked {
  const given = params.token ?? '';
  const isJson = given.endsWith(JSON_SUFFIX);
  return {
    token: isJson ? given.slice(0, -JSON_SUFFIX.length) : given,
    isJson,
    embedded: prefix === '/embedded' || query.has('embedded'),
  };
}

/**
 * The page of the app that draws what was shared, with the answer that it would ask for at this address; undefined while
 * there is none, and the plain one has to do.
 */
export type ShowSharedPage = (embedded: boolean, answer: { address: string; thing: SharedThing }) => Reply | undefined;

export function publicSharingRoutes(db: Db, secretKey: string, queries: Queries, showPage: ShowSharedPage): Route[] {
  const showShared = async (context: OpenContext, asked: Asked) => {
    const share = await findOpenShare(db, asked.token);
    if (!share) return missing(asked);
    if (!(await isUnlocked(db, secretKey, share, context, Date.now()))) return locked(asked, 200);
    const thing = await describe(share, asked, context);
    if (asked.isJson) return jsonReply(thing);
    const { pathname, search } = context.url;
    const address = `${pathname.replace(/\/$/, '')}${JSON_SUFFIX}${search}`;
    return showPage(asked.embedded, { address, thing }) ?? html(renderShared(thing), headersOf(asked.embedded));
  };

  const describe = async (
    share: SharingConfigurationRow,
    { token, embedded }: Asked,
    { query, left }: Visit,
  ): Promise<SharedThing> => ({
    type: embedded ? 'embed' : 'scene',
    // The one that was used: whoever has a former token is not told its successor.
    accessToken: token,
    ...(share.dashboard_id === null
      ? { insight: await visitInsight(db, queries, { params: { id: String(share.insight_id) }, query, left }, share) }
      : { dashboard: await showSharedDashboard(share.team_id, share.dashboard_id, { query, left }) }),
    themes: [],
    ...toFlags(share.settings),
  });

  const showSharedDashboard = async (team_id: number, id: number, { query, left }: Visit) => {
    const dashboard = await findDashboard(db, team_id, id, 0);
    if (!dashboard) throw notFound();
    await noteAccess(db, dashboard, Date.now());
    const project = await getSharedProject(db, team_id);
    const refresh = readVisitorRefresh(query.get('refresh'));
    return showDashboard(db, queries, dashboard, { project, viewer: 'public', refresh, left });
  };

  const tryPassword = async (context: OpenContext<{ password: string }>, asked: Asked) => {
    const share = await findOpenShare(db, asked.token);
    if (!share) return missing(asked);
    const { ip, url, headers, body } = context;
    const attempt = { password: body.password, ip, secure: url.protocol === 'https:' };
    const opened = await unlock(db, secretKey, share, attempt, Date.now());
    // The form of our own page wants a page back; programs want an answer.
    const isForm = String(headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
    if (!opened) return isForm ? locked(asked, 401) : new Reply(401, { error: 'Incorrect password' });
    const cookie = { 'set-cookie': opened.cookie };
    return isForm
      ? new Reply(303, null, { ...cookie, location: url.pathname + url.search })
      : new Reply(200, { shareToken: opened.shareToken }, cookie);
  };

  return PREFIXES.flatMap((prefix) => [
    openRoute('GET', `${prefix}/:token`, {
      summary: 'What was shared, for everyone with the link',
      scope: null,
      page: true,
      returns: SharedThing,
      handle: (context) => showShared(context, readAsked(prefix, context)),
    }),
    openRoute('POST', `${prefix}/:token`, {
      summary: 'Give the password of what was shared',
      scope: null,
      page: true,
      body: UnlockDraft,
      returns: UnlockAnswer,
      handle: (context) => tryPassword(context, readAsked(prefix, context)),
    }),
  ]);
}

const page = (status: number, text: string, embedded: boolean) =>
  new Reply(status, Buffer.from(text), { 'content-type': 'text/html; charset=utf-8', ...headersOf(embedded) });

/** A share that is switched off looks like one that never was. */
const missing = ({ embedded }: Asked) => page(404, renderMissing(), embedded);

function locked({ token, isJson, embedded }: Asked, status: number) {
  if (isJson) return jsonReply({ type: 'unlock', accessToken: token });
  return page(status, renderUnlock(status === 401), embedded);
}

const jsonReply = (thing: SharedThing) => new Reply(200, thing, { 'cache-control': 'no-store' });
