// Batch exports over the management API: those of a project, and of all projects of an organization.
import { paged, readPage } from '../http/paging.ts';
import { created, empty, organizationRoute, projectRoute, type Route } from '../http/route.ts';
import type { BatchExportRow } from '../metadata/tables-exports.ts';
import { type BackfillParts, createBackfill } from './backfills/create.ts';
import { backfillRoutes } from './backfills/routes.ts';
import { endBackfills, insertBackfill } from './backfills/sql.ts';
import { changeExport, createExport } from './change.ts';
import { testRoutes } from './destination-test-routes.ts';
import { loadExport, locationOf, ownerOf, READ, WRITE } from './load.ts';
import { logQuery, readLogQuestion } from './log-query.ts';
import { listLog } from './logs.ts';
import { pauseExport, unpauseExport } from './pause.ts';
import { runRoutes } from './runs/routes.ts';
import { cancelRuns } from './runs/sql.ts';
import { countIntervals } from './schedule/schedule.ts';
import { listExports, listLatestRuns, updateExport } from './sql.ts';
import { verifyRoutes } from './verify/routes.ts';
import {
  BatchExport,
  BatchExportChange,
  BatchExportPage,
  LogPage,
  NewBackfill,
  NewBatchExport,
  toBatchExport,
  toLogPage,
  Unpause,
} from './wire.ts';

export function exportRoutes(parts: BackfillParts): Route[] {
  return [
    ...projectOnlyRoutes(parts),
    ...testRoutes(parts),
    // A project's place is an organization's, and more.
    ...sharedRoutes(parts, projectRoute as typeof organizationRoute),
    ...runRoutes(parts),
    ...backfillRoutes(parts),
    ...verifyRoutes(parts),
    ...sharedRoutes(parts, organizationRoute),
  ];
}

const show = async (parts: BackfillParts, rows: readonly BatchExportRow[]) => {
  const runs = await listLatestRuns(
    parts.db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toBatchExport(row, runs.get(row.id) ?? [], parts));
};

const showOne = async (parts: BackfillParts, row: BatchExportRow) => (await show(parts, [row]))[0];

function projectOnlyRoutes(parts: BackfillParts): Route[] {
  return [
    projectRoute('POST', '/batch_exports/', {
      ...WRITE,
      summary: 'Create a batch export',
      body: NewBatchExport,
      returns: BatchExport,
      status: 201,
      async handle({ project, body }) {
        return created(await showOne(parts, await createExport(parts, project.id, body)));
      },
    }),
  ];
}

function sharedRoutes(parts: BackfillParts, route: typeof organizationRoute): Route[] {
  const { db, clock } = parts;
  const load = loadExport(parts, 'id');
  return [
    route('GET', '/batch_exports/', {
      ...READ,
      summary: 'List the batch exports, newest first',
      query: { limit: 'Page size, 100 unless given.', offset: 'Where the page starts.' },
      returns: BatchExportPage,
      async handle(context) {
        const page = readPage(context.query);
        const { count, exports } = await listExports(db, ownerOf(context), page);
        return paged(context.url, page, count, await show(parts, exports));
      },
    }),

    route('GET', '/batch_exports/:id/', {
      ...READ,
      summary: 'Read a batch export',
      returns: BatchExport,
      load,
      handle: ({ found }) => showOne(parts, found),
    }),

    route('PUT', '/batch_exports/:id/', {
      ...WRITE,
      summary: 'Replace what a batch export is',
      body: NewBatchExport,
      returns: BatchExport,
      load,
      handle: async ({ found, body }) => showOne(parts, await changeExport(parts, found, body)),
    }),

    route('PATCH', '/batch_exports/:id/', {
      ...WRITE,
      summary: 'Change a batch export',
      body: BatchExportChange,
      returns: BatchExport,
      load,
      handle: async ({ found, body }) => showOne(parts, await changeExport(parts, found, body)),
    }),

    route('DELETE', '/batch_exports/:id/', {
      ...WRITE,
      summary: 'Delete a batch export; runs under way are finished',
      status: 204,
      load,
      async handle({ found: { id } }) {
        await db.transaction().execute(async (tx) => {
          // In the order in which the worker locks them, or the two could wait for each other.
          await endBackfills(tx, { batch_export_id: id }, 'Cancelled');
          await updateExport(tx, id, { deleted: true, next_run_at: null });
          await cancelRuns(tx, { unstartedOf: id });
        });
        return empty(204);
      },
    }),

    route('POST', '/batch_exports/:id/pause/', {
      ...WRITE,
      summary: 'Pause a batch export: no scheduled runs until it goes on',
      load,
      async handle({ found: { id } }) {
        const nowMs = await clock();
        await db.transaction().execute((tx) => pauseExport(tx, id, nowMs, { told: true }));
        return empty(200);
      },
    }),

    route('POST', '/batch_exports/:id/unpause/', {
      ...WRITE,
      summary: 'Let a paused batch export go on, and make up for what it missed if asked to',
      body: Unpause,
      load,
      async handle({ found, body }) {
        const nowMs = await clock();
        const made = await db.transaction().execute(async (tx) => {
          const missed = await unpauseExport(tx, found.id, nowMs);
          if (!missed || !body.backfill) return undefined;
          // Less than an interval was missed, or rather nothing: the schedule makes it whole.
          if (countIntervals(found, Date.parse(missed.from), Date.parse(missed.to)) === 0) return undefined;
          const range = { start_at: missed.from, end_at: missed.to };
          return insertBackfill(tx, { batch_export_id: found.id, team_id: found.team_id, ...range });
        });
        return empty(200, made ? { location: locationOf(made) } : {});
      },
    }),

    route('POST', '/batch_exports/:id/backfill/', {
      ...WRITE,
      summary: 'Export a range of the past; `Location` names the backfill',
      body: NewBackfill,
      load,
      async handle({ found, body }) {
        const { timezone } = await db
          .selectFrom('project')
          .select('timezone')
          .where('id', '=', found.team_id)
          .executeTakeFirstOrThrow();
        const made = await createBackfill(parts, found, timezone, body);
        return empty(200, { location: locationOf(made) });
      },
    }),

    route('GET', '/batch_exports/:id/logs/', {
      ...READ,
      summary: 'What its runs and backfills said, newest first',
      query: logQuery,
      returns: LogPage,
      load,
      async handle({ found, query }) {
        return toLogPage(await listLog(db, { ...readLogQuestion(query), batch_export_id: found.id }));
      },
    }),
  ];
}
