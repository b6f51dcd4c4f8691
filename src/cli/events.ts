import type { Kysely } from 'kysely';
import type { TailLine } from '../events/tail/tail.ts';
import type { Database, ProjectRow } from '../metadata/tables.ts';
import { type Answer, type Command, command } from './command.ts';
import { usageError } from './exit.ts';
import { getProject } from './find.ts';
import { readLines } from './lines.ts';
import { withMetadata } from './reach.ts';
import { waitForStop } from './signals.ts';
import { listAllProjects } from './sql.ts';
import { openVisit } from './visit.ts';

export const commands: Command[] = [
  command({
    name: 'events tail',
    summary: 'Follow accepted events of a project as they come, each with what became of it.',
    about:
      'Shows each event once it is stored or dropped, and before that as waiting when it takes longer than two seconds. Ends with Ctrl-C.',
    options: {
      project: { type: 'text', value: 'id', about: 'Number of the project; needed when there are several.' },
      limit: { type: 'text', value: 'count', about: 'End after this many lines.' },
    },
    run(call) {
      const linesMax = readLimit(call.options.limit);
      return withMetadata(call, async ({ db }) => {
        const project = await chooseProject(db, call.options.project);
        const stop = new AbortController();
        void waitForStop().then(() => stop.abort());
        await using visit = await openVisit(db, call.readConfig(), project);
        const shown = await follow(visit.get, project, stop.signal, linesMax, call.show);
        return { data: { kind: 'end', lines: shown }, text: `${shown} line${shown === 1 ? '' : 's'}.` };
      });
    },
  }),
];

function readLimit(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usageError(`--limit ${text}: expected a whole number from 1 on`);
}

async function chooseProject(db: Kysely<Database>, named: string | undefined): Promise<ProjectRow> {
  if (named !== undefined) return getProject(db, named);
  const projects = await listAllProjects(db);
  const [only, ...others] = projects;
  if (only && others.length === 0) return only;
  const known = projects.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw usageError(`There are several projects; name one with --project: ${known}`);
}

/** Shows line by line until told to stop; returns how many there were. */
async function follow(
  get: (path: string, signal: AbortSignal) => Promise<Response>,
  { id }: ProjectRow,
  signal: AbortSignal,
  linesMax: number,
  show: (answer: Answer) => void,
): Promise<number> {
  let shown = 0;
  try {
    const response = await get(`/api/projects/${id}/ingestion/tail/`, signal);
    for await (const text of readLines(response.body as ReadableStream<Uint8Array>)) {
      if (text === '') continue;
      const line = JSON.parse(text) as TailLine;
      show({ text: toText(line), data: line });
      shown += 1;
      if (shown >= linesMax) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return shown;
}

/** `10:11:12.345  stored   bought  by ada` */
export function toText(line: TailLine): string {
  switch (line.kind) {
    case 'event': {
      const fate = line.fate === 'dropped' ? `dropped: ${line.reason ?? 'see ingestion_warnings'}` : line.fate;
      return `${toClock(line.accepted_at)}  ${fate.padEnd(8)}  ${quote(line.event)}  by ${quote(line.distinct_id)}  ${line.uuid}`;
    }
    case 'left_out': {
      const what = line.event === null ? '' : `  ${quote(line.event)}`;
      const whose = line.distinct_id === null ? '' : `  by ${quote(line.distinct_id)}`;
      return `${toClock(line.accepted_at)}  dropped: ${line.reason}${what}${whose}${line.count > 1 ? `  (${line.count} events)` : ''}`;
    }
    case 'passed_over':
      return `              … ${line.count} more, too many to show`;
    case 'idle':
      return '';
  }
}

const toClock = (time: string): string => time.slice('2025-02-03T'.length, -1);

/** What a client sent may hold anything; at a terminal only what can be seen is shown as it is. */
const quote = (text: string): string =>
  /^[\p{L}\p{N}\p{P}\p{S}]+( [\p{L}\p{N}\p{P}\p{S}]+)*$/u.test(text) ? text : JSON.stringify(text);
