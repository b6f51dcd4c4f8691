// Templates: those that come with the program, those of the project, and those that staff gives to all projects.
import { fieldRequired, invalid, notFound, permissionDenied } from '../../http/errors.ts';
import { parseUuid } from '../../http/fields.ts';
import { paged, readPage } from '../../http/paging.ts';
import { created, empty, type ProjectContext, projectRoute, Reply, type Route } from '../../http/route.ts';
import type { DashboardTemplateRow, MembershipLevel } from '../../metadata/tables.ts';
import { inTransaction } from '../../metadata/transaction.ts';
import { ADMIN } from '../../projects/access/levels.ts';
import { pagedOf } from '../../projects/wire.ts';
import { changesBetween } from '../activity/changes.ts';
import { recordActivity } from '../activity/sql.ts';
import type { Db } from '../sql.ts';
import { normalizeTags } from '../tags.ts';
import { builtInTemplates } from './built-in.ts';
import { templateSchema } from './schema.ts';
import { findTemplate, insertTemplate, listTemplates, type TemplateChange, updateTemplate } from './sql.ts';
import { DashboardTemplate, parseTiles, SCOPES, SchemaShape, TemplateDraft } from './wire.ts';

const LOGGED_FIELDS = [
  'template_name',
  'dashboard_description',
  'dashboard_filters',
  'tags',
  'tiles',
  'variables',
  'deleted',
  'scope',
] as const;

export const templateRoutes = (db: Db): Route[] => [
  projectRoute('GET', '/dashboard_templates/', {
    summary: 'List the templates that a dashboard can be made from',
    scope: 'dashboard_template:read',
    query: { scope: 'team, global or feature_flag.', search: 'A text in the name, the description or a tag.' },
    returns: pagedOf(DashboardTemplate),
    async handle({ project, url, query }) {
      const page = readPage(query);
      const scope = SCOPES.find((each) => each === query.get('scope'));
      const search = (query.get('search') ?? '').trim();
      const stored = await listTemplates(db, { team_id: project.id, scope, search });
      const all = [...stored.map(toTemplate), ...builtInTemplates.filter((each) => matches(each, scope, search))];
      return paged(url, page, all.length, all.slice(page.offset, page.offset + page.limit));
    },
  }),

  projectRoute('GET', '/dashboard_templates/json_schema/', {
    summary: 'The JSON schema of a template',
    scope: 'dashboard_template:read',
    returns: SchemaShape,
    handle: () => new Reply(200, templateSchema, { 'cache-control': 'public, max-age=120' }),
  }),

  projectRoute('POST', '/dashboard_templates/', {
    summary: 'Keep a template',
    scope: 'dashboard_template:write',
    body: TemplateDraft,
    returns: DashboardTemplate,
    status: 201,
    load: requireMayWrite,
    async handle({ project, user, body }) {
      if (!body.tiles || body.tiles.length === 0) throw invalid('You need to provide tiles for the template.');
      if (body.template_name === undefined) throw fieldRequired('template_name');
      const { template_name } = body;
      requireMayGlobalize(user, body.scope ?? 'team');
      const place = { team_id: project.id, created_by_id: user.id };
      const row = await inTransaction(db, async (tx) => {
        const made = await insertTemplate(tx, place, { ...toChange(body), template_name });
        await record(tx, 'created', made, user.id);
        return made;
      });
      return created(toTemplate(row));
    },
  }),

  projectRoute('GET', '/dashboard_templates/:id/', {
    summary: 'Read a template',
    scope: 'dashboard_template:read',
    returns: DashboardTemplate,
    async handle({ project, params }) {
      const id = parseUuid(params.id ?? '') ?? '';
      const found = builtInTemplates.find((each) => each.id === id);
      if (found) return found;
      return toTemplate(await getTemplate(db, project.id, id));
    },
  }),

  ...(['PATCH', 'PUT'] as const).map((method) =>
    projectRoute(method, '/dashboard_templates/:id/', {
      summary: 'Change a template, or delete it',
      scope: 'dashboard_template:write',
      body: TemplateDraft,
      returns: DashboardTemplate,
      async load(context) {
        requireMayWrite(context);
        const id = parseUuid(context.params.id ?? '') ?? '';
        if (builtInTemplates.some((each) => each.id === id)) throw mayNotWrite();
        const found = await getTemplate(db, context.project.id, id);
        const isForeign = found.team_id !== context.project.id;
        if (isForeign && !context.user.is_staff) throw mayNotWrite();
        return found;
      },
      async handle({ project, user, found, body }) {
        if (body.scope === 'team' && found.scope !== 'team' && found.team_id !== project.id) {
          throw invalid('The original templates cannot be made private as they would be lost.');
        }
        if (body.scope !== undefined && body.scope !== found.scope) requireMayGlobalize(user, body.scope);
        const change = toChange(body);
        if (Object.keys(change).length === 0) return toTemplate(found);
        const row = await inTransaction(db, async (tx) => {
          const changed = await updateTemplate(tx, found.id, change);
          await record(tx, changed.deleted ? 'deleted' : 'updated', changed, user.id, found);
          return changed;
        });
        return toTemplate(row);
      },
    }),
  ),

  projectRoute('DELETE', '/dashboard_templates/:id/', {
    summary: 'Refused: delete a template by changing `deleted`',
    scope: 'dashboard_template:write',
    status: 405,
    handle: () => empty(405),
  }),
];

function toTemplate({ created_by_id, ...row }: DashboardTemplateRow): DashboardTemplate {
  return { ...row, created_by: created_by_id };
}

function matches(template: DashboardTemplate, scope: string | undefined, search: string): boolean {
  const texts = [template.template_name, template.dashboard_description, ...template.tags];
  const isFound = texts.some((text) => text.toLowerCase().includes(search.toLowerCase()));
  return (scope === undefined || template.scope === scope) && isFound;
}

async function getTemplate(db: Db, team_id: number, id: string): Promise<DashboardTemplateRow> {
  const found = id === '' ? undefined : await findTemplate(db, team_id, id);
  if (!found) throw notFound();
  return found;
}

const mayNotWrite = () => permissionDenied("You don't have edit permissions for this dashboard template.");

/** Templates of a project are its admins' business; those for all projects are the installation's. */
function requireMayWrite({ user, level }: { user: ProjectContext['user']; level: MembershipLevel }): void {
  if (level < ADMIN && !user.is_staff) throw mayNotWrite();
}

function requireMayGlobalize({ is_staff }: ProjectContext['user'], scope: DashboardTemplateRow['scope']): void {
  if (scope !== 'team' && !is_staff) throw mayNotWrite();
}

function toChange(body: {
  template_name?: string | undefined;
  dashboard_description?: string | undefined;
  dashboard_filters?: Record<string, unknown> | null | undefined;
  tags?: string[] | undefined;
  tiles?: Record<string, unknown>[] | null | undefined;
  variables?: Record<string, unknown>[] | null | undefined;
  image_url?: string | null | undefined;
  deleted?: boolean | undefined;
  scope?: DashboardTemplateRow['scope'] | undefined;
}): TemplateChange {
  const { template_name, dashboard_description, dashboard_filters, tags, tiles, variables } = body;
  const { image_url, deleted, scope } = body;
  // Refused now rather than when a dashboard is made from it.
  if (tiles) parseTiles(tiles);
  return {
    ...(template_name !== undefined && { template_name }),
    ...(dashboard_description !== undefined && { dashboard_description }),
    ...(dashboard_filters && { dashboard_filters }),
    ...(tags && { tags: normalizeTags(tags) }),
    ...(tiles && { tiles }),
    ...(variables && { variables }),
    ...(image_url !== undefined && { image_url }),
    ...(deleted !== undefined && { deleted }),
    ...(scope !== undefined && { scope }),
  };
}

async function record(
  db: Db,
  activity: 'created' | 'updated' | 'deleted',
  after: DashboardTemplateRow,
  user_id: number,
  before?: DashboardTemplateRow,
): Promise<void> {
  const changes = before ? changesBetween('DashboardTemplate', before, after, LOGGED_FIELDS) : [];
  const { id: item_id, team_id, template_name: name } = after;
  await recordActivity(db, { team_id, user_id, scope: 'DashboardTemplate', item_id, activity, name, changes });
}
