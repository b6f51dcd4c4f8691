// The runs of an export: to look at, to cancel and to repeat.
import { sql } from 'kysely';
import { parseMoment } from '../../filters/moment.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { parseUuid } from '../../http/fields.ts';
import { empty, type OrganizationContext, projectRoute, type Route } from '../../http/route.ts';
import type { BatchExportRow, RunRow } from '../../metadata/tables-exports.ts';
import type { BackfillParts } from '../backfills/create.ts';
import { insertBackfill } from '../backfills/sql.ts';
import { readCursorPage } from '../cursor-page.ts';
import { loadExport, locationOf, READ, WRITE } from '../load.ts';
import { logQuery, readLogQuestion } from '../log-query.ts';
import { listLog } from '../logs.ts';
import { CancelledReply, LogPage, Run, RunPage, toLogPage, toRun } from '../wire.ts';
import { cancelRuns, findRun } from './sql.ts';
import { statuses } from './states.ts';

const PAGE = 100;
const ORDERS = new Map([
  ['created_at', { column: 'created_at', descending: false }],
  ['-created_at', { column: 'created_at', descending: true }],
  ['data_interval_start', { column: 'data_interval_start', descending: false }],
  ['-data_interval_start', { column: 'data_interval_start', descending: true }],
]);
const NEWEST_FIRST = { column: 'created_at', descending: true };

export function runRoutes(parts: BackfillParts): Route[] {
  const { db } = parts;
  const loadParent = loadExport(parts, 'batch_export_id');
  const load = async (context: Pick<OrganizationContext, 'organization' | 'params'>) => {
    const parent = await loadParent(context);
    const id = parseUuid(context.params.id ?? '');
    const run = id && (await findRun(db, parent.id, id));
    if (!run) throw notFound();
    return { parent, run };
  };

  return [
    projectRoute('GET', '/batch_exports/:batch_export_id/runs/', {
      ...READ,
      summary: 'List the runs of a batch export, of the last seven days unless told otherwise',
      query: {
        ordering: '`created_at` or `data_interval_start`, with `-` before it for the latest first.',
        after: 'Only runs created from this time on. Default: -7d.',
        before: 'Only runs created up to this time. Default: now.',
        start: 'Ordered by data_interval_start: only intervals from this time on. Default: -7d.',
        end: 'Ordered by data_interval_start: only intervals up to this time. Default: now.',
        status: 'Only runs with this status; may be given more than once.',
        cursor: 'Follow `next` and `previous` as they are.',
      },
      returns: RunPage,
      load: loadParent,
      async handle({ found, query, url }) {
        const order = ORDERS.get(query.get('ordering') ?? '') ?? NEWEST_FIRST;
        const where = sql<boolean>`batch_export_id = ${found.id} and ${rangeSql(query, order.column)}
          and ${statusSql(query)}`;
        const page = await readCursorPage<RunRow>(db, { table: 'batch_export_run', where, order, limit: PAGE, url });
        return { next: page.next, previous: page.previous, results: page.rows.map(toRun) };
      },
    }),

    projectRoute('GET', '/batch_exports/:batch_export_id/runs/:id/', {
      ...READ,
      summary: 'Read a run',
      returns: Run,
      load,
      handle: ({ found }) => toRun(found.run),
    }),

    projectRoute('POST', '/batch_exports/:batch_export_id/runs/:id/retry/', {
      ...WRITE,
      summary: 'Run the same interval again; `Location` names the backfill that does it',
      load,
      async handle({ found: { parent, run } }) {
        return empty(200, { location: locationOf(await retryRun(parts, parent, run)) });
      },
    }),

    projectRoute('POST', '/batch_exports/:batch_export_id/runs/:id/cancel/', {
      ...WRITE,
      summary: 'Cancel a run that is not over',
      returns: CancelledReply,
      load,
      async handle({ found: { parent, run } }) {
        if (!(await cancelRuns(db, { id: run.id }))) {
          const { status } = (await findRun(db, parent.id, run.id)) ?? run;
          throw invalid(`Cannot cancel a run that is in '${status}' status`);
        }
        return { cancelled: true };
      },
    }),

    projectRoute('GET', '/batch_exports/:batch_export_id/runs/:id/logs/', {
      ...READ,
      summary: 'What a run said, newest first',
      query: logQuery,
      returns: LogPage,
      load,
      async handle({ found: { parent, run }, query }) {
        const question = { ...readLogQuestion(query), batch_export_id: parent.id, instance_id: run.id };
        return toLogPage(await listLog(db, question));
      },
    }),
  ];
}

/** The old run stays as it is; the new one selects the very same rows and replaces what the old one shipped. */
const retryRun = ({ db }: BackfillParts, { id, team_id }: BatchExportRow, run: RunRow) =>
  insertBackfill(db, {
    batch_export_id: id,
    team_id,
    start_at: run.data_interval_start,
    end_at: run.data_interval_end,
    is_retry: true,
  });

function rangeSql(query: URLSearchParams, column: string) {
  if (column === 'created_at') {
    return sql`created_at >= ${timeOf(query, 'after', '-7d')} and created_at <= ${timeOf(query, 'before', '-0s')}`;
  }
  return sql`data_interval_start >= ${timeOf(query, 'start', '-7d')}
         and data_interval_end <= ${timeOf(query, 'end', '-0s')}`;
}

/** The clocks of the program and the database differ a little; what was just made is not in the future. */
const NEAR_FUTURE_MS = 5_000;

function timeOf(query: URLSearchParams, name: string, fallback: string) {
  const text = query.get(name);
  const moment = parseMoment(text || fallback, Date.now());
  if (!moment) throw invalid('This must be a date such as 2025-02-03, 2025-02-03T10:11:12Z or -7d.', name);
  const ms = moment.from / 1_000 + (text || fallback !== '-0s' ? 0 : NEAR_FUTURE_MS);
  return sql`${new Date(ms).toISOString()}::timestamptz`;
}

function statusSql(query: URLSearchParams) {
  const wanted = query.getAll('status');
  const unknown = wanted.find((status) => !statuses.some((known) => known === status));
  if (unknown !== undefined) throw invalid(`"${unknown}" is not a valid choice.`, 'status', 'invalid_choice');
  return wanted.length === 0 ? sql`true` : sql`status = any(${wanted}::text[])`;
}
