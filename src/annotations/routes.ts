// Annotations: what happened on a day, to be shown beside the charts.
import type { z } from 'zod';
import { findAuthors } from '../actions/sql.ts';
import { invalid, methodNotAllowed, notFound } from '../http/errors.ts';
import { paged, readPage } from '../http/paging.ts';
import { created, type ProjectContext, projectRoute, type Route } from '../http/route.ts';
import type { AnnotationRow, AnnotationUpdate } from '../metadata/tables-query.ts';
import { parseId } from '../projects/access/gate.ts';
import {
  type Db,
  findAnnotation,
  findSubjects,
  hasSubject,
  insertAnnotation,
  listAnnotations,
  updateAnnotation,
} from './sql.ts';
import { Annotation, AnnotationDraft, AnnotationPage, SCOPES, toAnnotation } from './wire.ts';

const READ = { scope: 'annotation:read' };
const WRITE = { scope: 'annotation:write' };

export function annotationRoutes(db: Db): Route[] {
  const show = async (rows: readonly AnnotationRow[]) => {
    const [authors, subjects] = await Promise.all([
      findAuthors(
        db,
        rows.map(({ created_by_id }) => created_by_id),
      ),
      findSubjects(db, rows),
    ]);
    return rows.map((row) => toAnnotation(row, authors, subjects));
  };
  const showOne = async (row: AnnotationRow) => (await show([row]))[0];

  type Asked = Pick<ProjectContext, 'project' | 'organization' | 'params'>;
  const placeOf = ({ project, organization }: Omit<Asked, 'params'>) => ({
    team_id: project.id,
    organization_id: organization.id,
  });
  const load = async (context: Asked) => {
    const id = parseId(context.params.id ?? '');
    const found = id === null ? undefined : await findAnnotation(db, placeOf(context), id);
    if (!found || found.deleted) throw notFound();
    return found;
  };

  const toColumns = async (team_id: number, draft: z.output<typeof AnnotationDraft>): Promise<AnnotationUpdate> => {
    const { dashboard_item: insight_id, ...columns } = draft;
    if (insight_id && !(await hasSubject(db, 'insight', team_id, insight_id))) {
      throw invalid(`Invalid pk "${insight_id}" - object does not exist.`, 'dashboard_item', 'does_not_exist');
    }
    const { dashboard_id } = draft;
    if (dashboard_id && !(await hasSubject(db, 'dashboard', team_id, dashboard_id))) {
      throw invalid(`Invalid pk "${dashboard_id}" - object does not exist.`, 'dashboard_id', 'does_not_exist');
    }
    const given = { ...columns, insight_id };
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  };

  return [
    projectRoute('GET', '/annotations/', {
      ...READ,
      summary: 'List the annotations, the latest first',
      query: {
        limit: 'Page size, 100 unless given.',
        offset: 'Where the page starts.',
        search: 'Finds part of the content.',
        scope: `One of ${SCOPES.join(', ')}.`,
        dashboardItemId: 'Only those about this insight.',
        dashboard_id: 'Only those about this dashboard.',
      },
      returns: AnnotationPage,
      async handle(context) {
        const { query, url } = context;
        const page = readPage(query);
        const filter = {
          scope: SCOPES.find((scope) => scope === query.get('scope')),
          search: query.get('search') ?? undefined,
          insight_id: parseId(query.get('dashboardItemId') ?? '') ?? undefined,
          dashboard_id: parseId(query.get('dashboard_id') ?? '') ?? undefined,
        };
        const { count, rows } = await listAnnotations(db, placeOf(context), filter, page);
        return paged(url, page, count, await show(rows));
      },
    }),

    projectRoute('POST', '/annotations/', {
      ...WRITE,
      summary: 'Create an annotation',
      body: AnnotationDraft,
      returns: Annotation,
      status: 201,
      async handle({ project, user, body }) {
        const columns = await toColumns(project.id, body);
        const scope =
          body.scope ?? (body.dashboard_item ? 'dashboard_item' : body.dashboard_id ? 'dashboard' : 'project');
        const row = await insertAnnotation(db, { ...columns, scope, team_id: project.id, created_by_id: user.id });
        return created(await showOne(row));
      },
    }),

    projectRoute('GET', '/annotations/:id/', {
      ...READ,
      summary: 'Read an annotation',
      returns: Annotation,
      load,
      handle: ({ found }) => showOne(found),
    }),

    ...(['PATCH', 'PUT'] as const).map((method) =>
      projectRoute(method, '/annotations/:id/', {
        ...WRITE,
        summary: 'Change an annotation, or delete it',
        body: AnnotationDraft,
        returns: Annotation,
        load,
        handle: async ({ found, body }) =>
          showOne(await updateAnnotation(db, found.id, await toColumns(found.team_id, body))),
      }),
    ),

    projectRoute('DELETE', '/annotations/:id/', {
      ...WRITE,
      summary: 'Refused: delete an annotation by changing `deleted`',
      status: 405,
      handle() {
        throw methodNotAllowed('DELETE', ['GET', 'PUT', 'PATCH', 'HEAD', 'OPTIONS']);
      },
    }),
  ];
}
