// Where a project's events are: counted by what became of them, warned about, followed as they come.
import { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import { parseMoment } from '../../filters/moment.ts';
import { invalid } from '../../http/errors.ts';
import { projectRoute, Reply, type Route } from '../../http/route.ts';
import type { EventLog } from '../../log/log.ts';
import type { Database } from '../../metadata/tables.ts';
import { listCounts, readLag } from '../../pipeline/accounting.ts';
import type { EventStore } from '../../store/open.ts';
import { type TailLine, tailEvents } from '../tail/tail.ts';
import { summarizeWarnings, WarningList } from './warnings.ts';
import { Ingestion, toIngestion } from './wire.ts';

export interface IngestionParts {
  db: Kysely<Database>;
  store: EventStore;
  eventLog: EventLog;
  /** Aborted when the program stops: a tail would otherwise hold the door open. */
  stopping: AbortSignal;
}

const HOUR_MS = 3_600_000;
const HOURS_DEFAULT = 24;
const HOURS_MAX = 31 * 24;

export const ingestionRoutes = ({ db, store, eventLog, stopping }: IngestionParts): Route[] => [
  projectRoute('GET', '/ingestion/', {
    summary: 'Count what became of accepted events, and what still waits',
    scope: 'ingestion_warning:read',
    returns: Ingestion,
    query: {
      from: 'From this hour on, by the time of acceptance. Default: a day ago.',
      to: 'Up to this time. Default: now.',
    },
    async handle({ project, query }) {
      const nowMs = Date.now();
      const to = Math.ceil(readTime(query, 'to', nowMs, nowMs) / HOUR_MS) * HOUR_MS;
      const from = Math.floor(readTime(query, 'from', nowMs, to - HOURS_DEFAULT * HOUR_MS) / HOUR_MS) * HOUR_MS;
      if (from >= to) throw invalid('`from` must be before `to`.', 'from');
      if (to - from > HOURS_MAX * HOUR_MS) throw invalid('This can be at most 31 days before `to`.', 'from');
      const hours = await listCounts(db, eventLog, project.id, { fromMs: from, toMs: to });
      return toIngestion({ from, to, hours, lag: await readLag(eventLog, nowMs) });
    },
  }),

  projectRoute('GET', '/ingestion/tail/', {
    summary: 'Follow accepted events, each with what became of it: a line of JSON for each',
    scope: 'query:read',
    page: true,
    handle({ project }) {
      const left = new AbortController();
      const signal = AbortSignal.any([left.signal, stopping]);
      const lines = Readable.from(toText(tailEvents({ log: eventLog, store, team_id: project.id, signal })), {
        objectMode: false,
      });
      lines.once('close', () => left.abort());
      return new Reply(200, lines, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
    },
  }),

  projectRoute('GET', '/ingestion_warnings/', {
    summary: 'List warnings about events that were changed or left out',
    scope: 'ingestion_warning:read',
    returns: WarningList,
    query: { q: 'Only warnings in whose type or details this occurs.' },
    handle: async ({ project, query }) => ({
      results: await summarizeWarnings(store, project.id, query.get('q') ?? '', Date.now()),
    }),
  }),
];

function readTime(query: URLSearchParams, name: string, nowMs: number, otherwiseMs: number): number {
  const text = query.get(name);
  if (!text) return otherwiseMs;
  const moment = parseMoment(text, nowMs);
  if (!moment) throw invalid('This must be a date such as 2025-02-03, 2025-02-03T10:11:12Z or -7d.', name);
  return moment.from / 1_000;
}

/** One line each. The first, empty one tells the client at once that it is connected. */
async function* toText(lines: AsyncIterable<TailLine>): AsyncGenerator<string> {
  yield '\n';
  for await (const line of lines) yield line.kind === 'idle' ? '\n' : `${JSON.stringify(line)}\n`;
}
