// What a reader of logs asks for.
import { parseMoment } from '../filters/moment.ts';
import { invalid } from '../http/errors.ts';
import { parseUuid } from '../http/fields.ts';
import type { LogLevel } from '../metadata/tables-exports.ts';
import type { LogQuestion } from './logs.ts';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 500;
const LEVELS: readonly LogLevel[] = ['DEBUG', 'INFO', 'WARNING', 'ERROR'];

export const logQuery = {
  limit: `How many lines, 1 to ${LIMIT_MAX}. Default: ${LIMIT_DEFAULT}.`,
  after: 'Only lines after this time.',
  before: 'Only lines before this time.',
  level: 'Only lines of this level; may be given more than once.',
  search: 'Only lines that contain this.',
  instance_id: 'Only lines of this run or backfill.',
};

export function readLogQuestion(query: URLSearchParams): Omit<LogQuestion, 'batch_export_id'> {
  const instance = query.get('instance_id');
  return {
    limit: readLimit(query.get('limit')),
    after: readTime(query, 'after'),
    before: readTime(query, 'before'),
    levels: query.getAll('level').flatMap(readLevels),
    search: query.get('search') || undefined,
    instance_id: instance === null || instance === '' ? undefined : readInstance(instance),
  };
}

function readLimit(text: string | null): number {
  if (text === null) return LIMIT_DEFAULT;
  if (!/^\d{1,9}$/.test(text)) throw invalid('A valid integer is required.', 'limit');
  const limit = Number(text);
  if (limit < 1) throw invalid('Ensure this value is greater than or equal to 1.', 'limit', 'min_value');
  if (limit > LIMIT_MAX)
    throw invalid(`Ensure this value is less than or equal to ${LIMIT_MAX}.`, 'limit', 'max_value');
  return limit;
}

function readTime(query: URLSearchParams, name: 'after' | 'before'): string | undefined {
  const text = query.get(name);
  if (!text) return undefined;
  const moment = parseMoment(text, Date.now());
  if (moment) return new Date(moment.from / 1_000).toISOString();
  throw invalid('This must be a date such as 2025-02-03, 2025-02-03T10:11:12Z or -7d.', name);
}

function readLevels(text: string): LogLevel[] {
  return text
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const found = LEVELS.find((level) => level === name.trim().toUpperCase());
      if (!found) throw invalid(`"${name}" is not a valid choice.`, 'level', 'invalid_choice');
      return found;
    });
}

/** Nothing has another kind of id, so nothing is found by it. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
const readInstance = (text: string): string => parseUuid(text) ?? NOBODY;
