// Actions: named sets of ways to recognise an event.
import { invalid, methodNotAllowed, notFound } from '../http/errors.ts';
import { paged, readPage } from '../http/paging.ts';
import { created, type ProjectContext, projectRoute, type Route } from '../http/route.ts';
import type { ActionRow, ActionUpdate } from '../metadata/tables-query.ts';
import { parseId } from '../projects/access/gate.ts';
import { type Db, findAction, findAuthors, insertAction, isNameTaken, listActions, updateAction } from './sql.ts';
import { Action, ActionChange, ActionPage, NewAction, parseSteps, toAction } from './wire.ts';

const READ = { scope: 'action:read' };
const WRITE = { scope: 'action:write' };

export function actionRoutes(db: Db): Route[] {
  type Draft = { name?: string | null | undefined; steps?: unknown[] | undefined };

  const show = async (rows: readonly ActionRow[]) => {
    const authors = await findAuthors(
      db,
      rows.map(({ created_by_id }) => created_by_id),
    );
    return rows.map((row) => toAction(row, authors));
  };
  const showOne = async (row: ActionRow) => (await show([row]))[0];

  const load = async ({ project, params }: Pick<ProjectContext, 'project' | 'params'>) => {
    const id = parseId(params.id ?? '');
    const found = id === null ? undefined : await findAction(db, project.id, id);
    if (!found) throw notFound();
    return found;
  };
  const loadLive = async (context: Pick<ProjectContext, 'project' | 'params'>) => {
    const found = await load(context);
    if (found.deleted) throw notFound();
    return found;
  };

  const toColumns = async (team_id: number, draft: Draft, id?: number): Promise<ActionUpdate> => {
    const { name, steps, ...columns } = draft;
    if (name && (await isNameTaken(db, team_id, name, id))) {
      throw invalid('This project already has an action with this name.', 'name', 'unique');
    }
    const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
    return {
      ...given,
      ...(name !== undefined && { name }),
      ...(steps && { steps: JSON.stringify(parseSteps(steps)) }),
    };
  };

  return [
    projectRoute('GET', '/actions/', {
      ...READ,
      summary: 'List the actions by name',
      query: { limit: 'Page size, 100 unless given.', offset: 'Where the page starts.' },
      returns: ActionPage,
      async handle({ project, query, url }) {
        const page = readPage(query);
        const { count, rows } = await listActions(db, project.id, page);
        return paged(url, page, count, await show(rows));
      },
    }),

    projectRoute('POST', '/actions/', {
      ...WRITE,
      summary: 'Create an action',
      body: NewAction,
      returns: Action,
      status: 201,
      async handle({ project, user, body }) {
        const columns = await toColumns(project.id, body as Draft);
        return created(
          await showOne(await insertAction(db, { ...columns, team_id: project.id, created_by_id: user.id })),
        );
      },
    }),

    projectRoute('GET', '/actions/:id/', {
      ...READ,
      summary: 'Read an action',
      returns: Action,
      load: loadLive,
      handle: ({ found }) => showOne(found),
    }),

    ...(['PATCH', 'PUT'] as const).map((method) =>
      projectRoute(method, '/actions/:id/', {
        ...WRITE,
        summary: 'Change an action, delete it or bring it back',
        body: ActionChange,
        returns: Action,
        load,
        async handle({ project, found, body }) {
          if (found.deleted && body.deleted !== false) throw notFound();
          return showOne(await updateAction(db, found.id, await toColumns(project.id, body as Draft, found.id)));
        },
      }),
    ),

    projectRoute('DELETE', '/actions/:id/', {
      ...WRITE,
      summary: 'Refused: delete an action by changing `deleted`',
      status: 405,
      handle() {
        throw methodNotAllowed('DELETE', ['GET', 'PUT', 'PATCH', 'HEAD', 'OPTIONS']);
      },
    }),
  ];
}
