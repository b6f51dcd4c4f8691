import type { Kysely } from 'kysely';
import { type CheckedInterval, isDiffering, type VerifyLine } from '../exports/verify/verify.ts';
import { parseUuid } from '../http/fields.ts';
import type { Database, ProjectRow } from '../metadata/tables.ts';
import type { BatchExportRow } from '../metadata/tables-exports.ts';
import { type Answer, type Command, command } from './command.ts';
import { CliError, missing, usageError } from './exit.ts';
import { getProject } from './find.ts';
import { readLines } from './lines.ts';
import { withMetadata } from './reach.ts';
import { waitForStop } from './signals.ts';
import { printTable } from './table.ts';
import { openVisit } from './visit.ts';

export const commands: Command[] = [
  command({
    name: 'export list',
    summary: 'List the batch exports of all projects.',
    run: (call) =>
      withMetadata(call, async ({ db }) => {
        const exports = await db
          .selectFrom('batch_export')
          .select(['id', 'team_id', 'name', 'model', 'destination_type', 'interval', 'paused', 'next_run_at'])
          .where('deleted', '=', false)
          .orderBy('created_at')
          .execute();
        const rows = exports.map(({ id, team_id, name, model, destination_type, interval, paused, next_run_at }) => [
          id,
          String(team_id),
          name,
          `${model} to ${destination_type}`,
          interval,
          paused ? 'paused' : (next_run_at ?? 'over'),
        ]);
        return { data: exports, text: printTable(['ID', 'PROJECT', 'NAME', 'SHIPS', 'EVERY', 'NEXT RUN'], rows) };
      }),
  }),

  command({
    name: 'export verify',
    summary: 'Recount what an export has shipped against the event store, interval by interval.',
    about:
      'Reads the destination back and names every row that is missing there, there twice, or there without being stored here. Asks the running program. Ends with 1 when anything differs.',
    takes: [{ name: 'id', about: 'Of the export; see: tenrec export list.' }],
    options: {
      from: { type: 'text', value: 'time', about: 'Only intervals that begin at this time or later: 2025-02-03, -7d.' },
      to: { type: 'text', value: 'time', about: 'Only intervals that end by this time.' },
    },
    run(call) {
      const [given = ''] = call.given;
      return withMetadata(call, async ({ db }) => {
        const row = await getExport(db, given);
        const project: ProjectRow = await getProject(db, String(row.team_id));
        const stop = new AbortController();
        void waitForStop().then(() => stop.abort());
        await using visit = await openVisit(db, call.readConfig(), project);
        const query = new URLSearchParams();
        for (const name of ['from', 'to'] as const) if (call.options[name]) query.set(name, call.options[name]);
        const path = `/api/projects/${project.id}/batch_exports/${row.id}/verify/?${query}`;
        return follow(await visit.get(path, stop.signal), call.show);
      });
    },
  }),
];

async function getExport(db: Kysely<Database>, given: string): Promise<BatchExportRow> {
  const id = parseUuid(given);
  if (!id) throw usageError(`${JSON.stringify(given)} is not the id of an export; see: tenrec export list`);
  const row = await db
    .selectFrom('batch_export')
    .selectAll()
    .where('id', '=', id)
    .where('deleted', '=', false)
    .executeTakeFirst();
  if (!row) throw missing(`There is no export ${id}; see: tenrec export list`);
  return row;
}

/** Shows each interval as it is checked; the last line is the answer. */
async function follow(response: Response, show: (answer: Answer) => void): Promise<Answer> {
  for await (const text of readLines(response.body as ReadableStream<Uint8Array>)) {
    if (text === '') continue;
    const line = JSON.parse(text) as VerifyLine;
    if (line.kind === 'failed') throw new CliError(1, line.message);
    if (line.kind === 'end') return { data: line, text: toSummary(line), exit: line.differing > 0 ? 1 : 0 };
    show({ data: line, text: toText(line) });
  }
  throw new CliError(4, 'The program stopped answering before everything was checked.');
}

function toSummary({ intervals, differing, expected }: Extract<VerifyLine, { kind: 'end' }>): string {
  if (intervals === 0) return 'Nothing has been shipped yet.';
  const what = `${intervals} intervals with ${expected} rows`;
  return differing === 0 ? `${what}: each is there exactly once.` : `${what}: ${differing} intervals differ.`;
}

/** One line for an interval, and one for each difference. */
export function toText(checked: CheckedInterval): string {
  const { data_interval_start, data_interval_end, expected, found, missing, repeated, unexpected } = checked;
  const verdict = isDiffering(checked) ? 'differs' : 'ok';
  const head = `${data_interval_start ?? 'the beginning'} to ${data_interval_end}  ${expected} expected, ${found} found  ${verdict}`;
  const lines = (word: string, ids: readonly string[], count: number) => [
    ...ids.map((id) => `  ${word} ${id}`),
    ...(count > ids.length ? [`  ${word}: ${count} in all`] : []),
  ];
  return [
    head,
    ...lines('missing', missing, checked.missing_count),
    ...lines('repeated', repeated, checked.repeated_count),
    ...lines('unexpected', unexpected, checked.unexpected_count),
  ].join('\n');
}
