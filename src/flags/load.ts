// Finds what a path names, for routes of everything that belongs to a project.
import { notFound } from '../http/errors.ts';
import { parseUuid } from '../http/fields.ts';
import type { ProjectContext } from '../http/route.ts';
import { parseId } from '../projects/access/gate.ts';

type Named = Pick<ProjectContext, 'project' | 'params'>;
type Find<Id, Found> = (team_id: number, id: Id) => Promise<Found | undefined>;

/** Throws a 404 when there is nothing of that id, or it is no id. */
export const loaderById =
  <Found>(find: Find<number, Found>) =>
  async ({ project, params }: Named): Promise<Found> => {
    const id = parseId(params.id ?? '');
    const found = id === null ? undefined : await find(project.id, id);
    if (!found) throw notFound();
    return found;
  };

/** The same for what has a uuid. */
export const loaderByUuid =
  <Found>(find: Find<string, Found>) =>
  async ({ project, params }: Named): Promise<Found> => {
    const id = parseUuid(params.id ?? '');
    const found = id ? await find(project.id, id) : undefined;
    if (!found) throw notFound();
    return found;
  };
