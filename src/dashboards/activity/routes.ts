// Who changed what: the log of a project, of one kind of thing, or of one thing.
import { type ProjectContext, projectRoute, type Route } from '../../http/route.ts';
import { parseId } from '../../projects/access/gate.ts';
import { loadInsight } from '../insights/load.ts';
import { loadDashboard, viewerOf } from '../load.ts';
import { type Db, findAuthors } from '../sql.ts';
import { type ActivityQuestion, type ActivityScope, listActivity } from './sql.ts';
import { ActivityPage, readNumberedPage, toActivityEntry, toActivityPage } from './wire.ts';

export function activityRoutes(db: Db): Route[] {
  type Asked = Pick<ProjectContext, 'project' | 'user' | 'level' | 'url' | 'query'>;
  const show = async (asked: Asked, about: Pick<ActivityQuestion, 'scope' | 'item_id' | 'user_id'>) => {
    const page = readNumberedPage(asked.query);
    const question = { team_id: asked.project.id, viewer: viewerOf(asked), ...about };
    const { total, entries } = await listActivity(db, question, page);
    const authors = await findAuthors(
      db,
      entries.map(({ user_id }) => user_id),
      [asked.user],
    );
    return toActivityPage(
      asked.url,
      page,
      total,
      entries.map((entry) => toActivityEntry(entry, authors)),
    );
  };
  const shared = {
    scope: 'activity_log:read',
    query: { limit: 'Entries on a page, 10 unless given.', page: 'Which page, from 1.' },
    returns: ActivityPage,
  };
  const ofKind = (path: string, scope: ActivityScope) =>
    projectRoute('GET', path, {
      ...shared,
      summary: `Who changed what: every ${scope.toLowerCase()}`,
      handle: (context) => show(context, { scope }),
    });

  return [
    projectRoute('GET', '/activity_log/', {
      ...shared,
      summary: 'Who changed what in the project',
      query: {
        ...shared.query,
        scope: 'Dashboard, Insight or DashboardTemplate.',
        item_id: 'One thing.',
        user: 'An id.',
      },
      handle: (context) => show(context, readFilters(context.query)),
    }),
    ofKind('/dashboards/activity/', 'Dashboard'),
    ofKind('/insights/activity/', 'Insight'),
    projectRoute('GET', '/dashboards/:id/activity/', {
      ...shared,
      summary: 'Who changed what on a dashboard',
      load: (context) => loadDashboard(db, context, context.params.id, 'view'),
      handle: (context) => show(context, { scope: 'Dashboard', item_id: String(context.found.id) }),
    }),
    projectRoute('GET', '/insights/:id/activity/', {
      ...shared,
      summary: 'Who changed what on an insight',
      load: (context) => loadInsight(db, context, context.params.id, 'view'),
      handle: (context) => show(context, { scope: 'Insight', item_id: String(context.found.id) }),
    }),
  ];
}

function readFilters(query: URLSearchParams): Pick<ActivityQuestion, 'scope' | 'item_id' | 'user_id'> {
  const [scope, item_id, user] = [query.get('scope'), query.get('item_id'), query.get('user')];
  return {
    ...(scope && { scope }),
    ...(item_id && { item_id }),
    // An id that nobody has finds nothing, rather than everything.
    ...(user && { user_id: parseId(user) ?? 0 }),
  };
}
