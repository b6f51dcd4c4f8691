// A `hogql_query` as the columns it selects. Only its list of columns counts: which rows there are is the run's to say.
import { ClickHouseError } from '@clickhouse/client';
import { invalid } from '../../http/errors.ts';
import type { Expression, Select, SelectQuery } from '../../query/hogql/ast.ts';
import type { HogqlParser } from '../../query/hogql/parse.ts';
import type { Source } from '../source.ts';
import { invalidQuery, plainName, printExpression, quoteName, Values } from './print.ts';

export interface HogqlSchema {
  fields: { expression: string; alias: string }[];
  values: Record<string, string>;
  /** The query in its usual form. */
  hogql_query: string;
}

const refuse = (detail: string) => invalid(detail, 'hogql_query');
const COLUMNS_MAX = 500;

export function toSchema(tree: Select): HogqlSchema {
  const query = requireSimple(tree);
  const values = new Values();
  const columns = query.select.map((item) => {
    const [expression, named] = item.node === 'Alias' ? [item.expr, item.alias] : [item, undefined];
    const { sql, text } = printExpression(expression, values);
    const alias = quoteName(named ?? nameOf(expression, text));
    return { expression: sql, alias, text: named === undefined ? text : `${text} AS ${alias}` };
  });
  const names = columns.map(({ alias }) => plainName(alias));
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw invalidQuery(`there are two columns "${repeated}"`);
  if (columns.length > COLUMNS_MAX) throw invalidQuery(`there may be ${COLUMNS_MAX} columns`);
  return {
    fields: columns.map(({ expression, alias }) => ({ expression, alias })),
    values: values.all,
    hogql_query: `SELECT ${columns.map(({ text }) => text).join(', ')} FROM events`,
  };
}

function requireSimple(tree: Select): SelectQuery {
  if (tree.node === 'SelectSetQuery') throw refuse('UNIONs are not supported');
  if (tree.ctes?.length) throw refuse('Subqueries or CTEs are not supported');
  const from = tree.select_from;
  if (!from) throw refuse('Query must SELECT FROM events');
  if (from.next_join) throw refuse('JOINs are not supported');
  if (from.table.node !== 'Field') throw refuse('Subqueries or CTEs are not supported');
  if (from.table.chain.join('.') !== 'events' || from.alias) throw refuse('Query must only SELECT FROM events');
  return tree;
}

/** What an unnamed column is called: the last part of a field, the value of a text, or how it is written. */
function nameOf(expression: Expression, text: string): string {
  if (expression.node === 'Field') return String(expression.chain.at(-1));
  if (expression.node !== 'Constant') return text;
  if (expression.value === true) return '1';
  return typeof expression.value === 'string' ? expression.value : text;
}

export interface HogqlParts {
  parser: HogqlParser;
  source: Pick<Source, 'describe'>;
}

/** Judged by the event store as well: what it cannot run today no run could tomorrow. */
export const openHogql =
  ({ parser, source }: HogqlParts) =>
  async (team_id: number, query: string): Promise<Record<string, unknown>> => {
    const schema = toSchema(await parse(parser, query));
    try {
      await source.describe({ team_id, model: 'events', range: { from: null, to: 0 }, schema });
    } catch (error) {
      if (error instanceof ClickHouseError) throw invalidQuery(error.message.split('\n', 1)[0] ?? '');
      throw error;
    }
    return { ...schema };
  };

async function parse(parser: HogqlParser, query: string): Promise<Select> {
  await parser.prepare([query], 'select');
  try {
    return parser.select(query);
  } catch {
    throw refuse('Failed to parse query');
  }
}
