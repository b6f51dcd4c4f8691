// Dashboards: list, create, read, change. A dashboard is deleted by changing its field `deleted`; the record stays.
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { paged, readPage } from '../http/paging.ts';
import { created, empty, type ProjectContext, projectRoute, type Route } from '../http/route.ts';
import type { Database } from '../metadata/tables.ts';
import { pagedOf } from '../projects/wire.ts';
import type { Queries } from '../query/queries.ts';
import { type Refresh, readRefresh } from '../query/refresh.ts';
import { accessControlRoutes } from './access-controls/routes.ts';
import { activityRoutes } from './activity/routes.ts';
import { changeDashboard } from './change.ts';
import { collaboratorRoutes } from './collaborators/routes.ts';
import { createDashboard, createFromBlueprint } from './create.ts';
import { insightRoutes } from './insights/routes.ts';
import { loadDashboard, viewerOf } from './load.ts';
import { publicSharingRoutes, type ShowSharedPage } from './sharing/public-routes.ts';
import { sharingRoutes } from './sharing/routes.ts';
import { showDashboard } from './show.ts';
import {
  type DashboardFacts,
  type Db,
  findAuthors,
  type ListQuestion,
  listDashboards,
  listTags,
  noteAccess,
} from './sql.ts';
import { templateRoutes } from './templates/routes.ts';
import { FromTemplateDraft, parseTemplate } from './templates/wire.ts';
import { tileRoutes } from './tiles/routes.ts';
import {
  Dashboard,
  DashboardBasic,
  DashboardPatch,
  NewDashboard,
  parseOverrides,
  toDashboard,
  toDashboardBasic,
} from './wire.ts';

/** Everything about dashboards, insights and templates, and the public pages of what was shared. */
export const dashboardRoutes = (
  db: Kysely<Database>,
  secretKey: string,
  queries: Queries,
  showSharedPage: ShowSharedPage = () => undefined,
): Route[] => [
  ...ownRoutes(db, queries),
  ...tileRoutes(db, queries),
  ...collaboratorRoutes(db),
  ...accessControlRoutes(db),
  ...insightRoutes(db, secretKey, queries),
  ...sharingRoutes(db),
  ...templateRoutes(db),
  ...activityRoutes(db),
  ...publicSharingRoutes(db, secretKey, queries, showSharedPage),
];

function ownRoutes(db: Db, queries: Queries): Route[] {
  type Asked = Pick<ProjectContext, 'project' | 'user' | 'level' | 'left'>;
  const show = (asked: Asked, dashboard: DashboardFacts, query = new URLSearchParams(), refresh?: Refresh) =>
    showDashboard(
      db,
      queries,
      dashboard,
      {
        project: asked.project,
        viewer: viewerOf(asked),
        user: asked.user,
        left: asked.left,
        ...(refresh && { refresh }),
      },
      parseOverrides(query),
    );
  const makerOf = (asked: Asked) => ({ team_id: asked.project.id, viewer: viewerOf(asked) });

  return [
    projectRoute('GET', '/dashboards/', {
      summary: 'List dashboards, pinned ones first, then by name',
      scope: 'dashboard:read',
      query: {
        limit: 'Page size, 100 unless given.',
        offset: 'Where the page starts.',
        search: 'A text in the name, the description or a tag.',
        tags: 'Only those with this tag; several may be given, any will do.',
        creation_mode: 'Only those made this way: default, template, duplicate or unlisted.',
        exclude_generated: '`true` leaves out dashboards that were made for another object.',
      },
      returns: pagedOf(DashboardBasic),
      async handle(context) {
        const page = readPage(context.query);
        const viewer = viewerOf(context);
        const { count, dashboards } = await listDashboards(db, readQuestion(context), page);
        const ids = dashboards.map(({ created_by_id }) => created_by_id);
        const authors = await findAuthors(db, ids, [context.user]);
        const results = dashboards.map((dashboard) => toDashboardBasic(dashboard, authors, viewer));
        return paged(context.url, page, count, results);
      },
    }),

    projectRoute('POST', '/dashboards/', {
      summary: 'Create a dashboard: empty, from a template, or as a copy',
      scope: 'dashboard:write',
      body: NewDashboard,
      returns: Dashboard,
      status: 201,
      async handle(context) {
        const dashboard = await createDashboard(db, makerOf(context), context.body);
        const isBlank = dashboard.creation_mode === 'default';
        // One that was made from nothing has nothing on it, and its author is at hand.
        const blank = () => toDashboard(dashboard, [], new Map([[context.user.id, context.user]]), viewerOf(context));
        return created(isBlank ? blank() : await show(context, dashboard));
      },
    }),

    projectRoute('POST', '/dashboards/create_from_template_json/', {
      summary: 'Create a dashboard from a whole template',
      scope: 'dashboard:write',
      accepts: ['json'],
      body: FromTemplateDraft,
      returns: Dashboard,
      async handle(context) {
        const blueprint = parseTemplate(context.body.template);
        return show(context, await createFromBlueprint(db, makerOf(context), blueprint));
      },
    }),

    projectRoute('GET', '/dashboards/:id/', {
      summary: 'Read a dashboard with its tiles',
      scope: 'dashboard:read',
      query: {
        refresh: 'Whether to compute what is not fresh: blocking, async, force_blocking, …; without it, nothing is.',
        filters_override: 'A JSON object laid over the stored filters, for this answer only.',
        variables_override: 'The same for variables.',
      },
      returns: Dashboard,
      load: (context) => loadDashboard(db, context, context.params.id, 'view'),
      async handle(context) {
        const refresh = readRefresh(context.query.get('refresh'));
        const answer = await show(context, context.found, context.query, refresh);
        await noteAccess(db, context.found, Date.now());
        return answer;
      },
    }),

    ...(['PATCH', 'PUT'] as const).map((method) =>
      projectRoute(method, '/dashboards/:id/', {
        summary: 'Change a dashboard, delete it or bring it back',
        scope: 'dashboard:write',
        body: DashboardPatch,
        returns: Dashboard,
        load: (context) => loadDashboard(db, context, context.params.id, 'edit', { evenDeleted: true }),
        async handle(context) {
          const { project, found, body } = context;
          return show(context, await changeDashboard(db, { project, viewer: viewerOf(context) }, found, body));
        },
      }),
    ),

    projectRoute('DELETE', '/dashboards/:id/', {
      summary: 'Refused: delete a dashboard by changing `deleted`',
      scope: 'dashboard:write',
      status: 405,
      handle: () => empty(405),
    }),

    projectRoute('GET', '/tags/', {
      summary: 'Every tag in use on dashboards and insights',
      scope: 'dashboard:read',
      returns: z.array(z.string()),
      handle: ({ project }) => listTags(db, project.id),
    }),
  ];
}

const CREATION_MODES = ['default', 'template', 'duplicate', 'unlisted'] as const;

function readQuestion(context: Pick<ProjectContext, 'project' | 'user' | 'level' | 'query'>): ListQuestion {
  const { project, query } = context;
  return {
    team_id: project.id,
    viewer: viewerOf(context),
    tags: query.getAll('tags').map((tag) => tag.trim().toLowerCase()),
    search: (query.get('search') ?? '').trim(),
    creation_mode: CREATION_MODES.find((mode) => mode === query.get('creation_mode')),
    exclude_generated: query.get('exclude_generated') === 'true',
  };
}
