// The backfills of an export: to ask for, to look at and to cancel.
import { sql } from 'kysely';
import { invalid, notFound } from '../../http/errors.ts';
import { parseUuid } from '../../http/fields.ts';
import { type OrganizationContext, projectRoute, Reply, type Route } from '../../http/route.ts';
import type { BackfillRow, BatchExportRow } from '../../metadata/tables-exports.ts';
import { readCursorPage } from '../cursor-page.ts';
import { loadExport, locationOf, READ, WRITE } from '../load.ts';
import {
  Backfill,
  BackfillPage,
  BackfillStarted,
  backfillName,
  CancelledReply,
  NewBackfill,
  toBackfill,
} from '../wire.ts';
import { type BackfillParts, createBackfill } from './create.ts';
import { progressOf } from './progress.ts';
import { countFinished, endBackfills, findBackfill, listBackfills } from './sql.ts';

const PAGE = 50;
const ORDERS = new Map([
  ['created_at', { column: 'created_at', descending: false }],
  ['-created_at', { column: 'created_at', descending: true }],
  ['start_at', { column: 'start_at', descending: false, mayBeNull: true }],
  ['-start_at', { column: 'start_at', descending: true, mayBeNull: true }],
]);
const NEWEST_FIRST = { column: 'created_at', descending: true };

export function backfillRoutes(parts: BackfillParts): Route[] {
  const { db, clock } = parts;
  const loadParent = loadExport(parts, 'batch_export_id');
  const load = async (context: Pick<OrganizationContext, 'organization' | 'params'>) => {
    const parent = await loadParent(context);
    const given = context.params.id ?? '';
    const id = parseUuid(given);
    const backfill = id ? await findBackfill(db, parent.id, id) : await findByName(parent, given);
    if (!backfill) throw notFound();
    return { parent, backfill };
  };
  /** Starting a backfill answers with its name, so it is known by that as well; the latest of several that have it. */
  const findByName = async (parent: BatchExportRow, name: string) =>
    name.startsWith(`${parent.id}-Backfill-`)
      ? (await listBackfills(db, parent.id)).find((row) => backfillName(row) === name)
      : undefined;
  const show = async (parent: BatchExportRow, backfills: readonly BackfillRow[]) => {
    const nowMs = await clock();
    const finished = await countFinished(
      db,
      backfills.map(({ id }) => id),
    );
    return backfills.map((row) => toBackfill(row, progressOf(row, parent, finished.get(row.id) ?? 0, nowMs)));
  };

  return [
    projectRoute('GET', '/batch_exports/:batch_export_id/backfills/', {
      ...READ,
      summary: 'List the backfills of a batch export',
      query: {
        ordering: '`created_at` or `start_at`, with `-` before it for the latest first.',
        cursor: 'Follow `next` and `previous` as they are.',
      },
      returns: BackfillPage,
      load: loadParent,
      async handle({ found, query, url }) {
        const order = ORDERS.get(query.get('ordering') ?? '') ?? NEWEST_FIRST;
        const table = 'batch_export_backfill';
        const where = sql<boolean>`batch_export_id = ${found.id}`;
        const page = await readCursorPage<BackfillRow>(db, { table, where, order, limit: PAGE, url });
        return { next: page.next, previous: page.previous, results: await show(found, page.rows) };
      },
    }),

    projectRoute('POST', '/batch_exports/:batch_export_id/backfills/', {
      ...WRITE,
      summary: 'Export a range of the past',
      body: NewBackfill,
      returns: BackfillStarted,
      load: loadParent,
      async handle({ found, body, project }) {
        const made = await createBackfill(parts, found, project.timezone, body);
        return new Reply(200, { backfill_id: backfillName(made) }, { location: locationOf(made) });
      },
    }),

    projectRoute('GET', '/batch_exports/:batch_export_id/backfills/:id/', {
      ...READ,
      summary: 'Read a backfill',
      returns: Backfill,
      load,
      handle: async ({ found: { parent, backfill } }) => (await show(parent, [backfill]))[0],
    }),

    projectRoute('POST', '/batch_exports/:batch_export_id/backfills/:id/cancel/', {
      ...WRITE,
      summary: 'Cancel a backfill; the run in progress finishes on its own',
      returns: CancelledReply,
      load,
      async handle({ found: { parent, backfill } }) {
        if (!(await endBackfills(db, { id: backfill.id }, 'Cancelled'))) {
          const { status } = (await findBackfill(db, parent.id, backfill.id)) ?? backfill;
          throw invalid(`Cannot cancel a backfill that is in '${status}' status`);
        }
        return { cancelled: true };
      },
    }),
  ];
}
