// What every route of exports needs: who may call it, and which export its path names.
import { notFound } from '../http/errors.ts';
import { parseUuid } from '../http/fields.ts';
import type { OrganizationContext, ProjectContext } from '../http/route.ts';
import type { BackfillRow, BatchExportRow } from '../metadata/tables-exports.ts';
import { type Db, findExport, type Owner } from './sql.ts';

export const READ = { scope: 'batch_export:read' };
export const WRITE = { scope: 'batch_export:write' };

type Somewhere = Pick<OrganizationContext, 'organization'> & Partial<Pick<ProjectContext, 'project'>>;

/** The project that the path names, or else the organization. */
export const ownerOf = ({ project, organization }: Somewhere): Owner =>
  project ? { team_id: project.id } : { organization_id: organization.id };

/** Finds the export that the path names by this parameter. */
export const loadExport =
  ({ db }: { db: Db }, name: string) =>
  async (context: Somewhere & Pick<OrganizationContext, 'params'>): Promise<BatchExportRow> => {
    const id = parseUuid(context.params[name] ?? '');
    const found = id && (await findExport(db, ownerOf(context), id));
    if (!found) throw notFound();
    return found;
  };

/** Where to read about a backfill that an answer without a body has started. */
export const locationOf = ({ team_id, batch_export_id, id }: BackfillRow): string =>
  `/api/environments/${team_id}/batch_exports/${batch_export_id}/backfills/${id}/`;
