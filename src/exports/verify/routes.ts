import { Readable } from 'node:stream';
import { parseMoment } from '../../filters/moment.ts';
import { invalid } from '../../http/errors.ts';
import { projectRoute, Reply, type Route } from '../../http/route.ts';
import type { BackfillParts } from '../backfills/create.ts';
import { loadExport, READ } from '../load.ts';
import { type VerifyLine, verifyExport } from './verify.ts';

export const verifyRoutes = (parts: BackfillParts): Route[] => [
  projectRoute('GET', '/batch_exports/:id/verify/', {
    ...READ,
    summary: 'Recount what was shipped against the event store: a line of JSON for each interval, and one at the end',
    page: true,
    query: { from: 'Only intervals that begin at this time or later.', to: 'Only intervals that end by this time.' },
    load: loadExport(parts, 'id'),
    handle({ found, query }) {
      const left = new AbortController();
      const range = { from: readTime(query, 'from'), to: readTime(query, 'to') };
      const lines = Readable.from(toText(verifyExport(parts, found, range, left.signal)), { objectMode: false });
      lines.once('close', () => left.abort());
      return new Reply(200, lines, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
    },
  }),
];

async function* toText(lines: AsyncIterable<VerifyLine>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

function readTime(query: URLSearchParams, name: 'from' | 'to'): string | null {
  const text = query.get(name);
  if (!text) return null;
  const moment = parseMoment(text, Date.now());
  if (!moment) throw invalid('This must be a date such as 2025-02-03, 2025-02-03T10:11:12Z or -7d.', name);
  return new Date(moment.from / 1_000).toISOString();
}
