// One expression of a `hogql_query`, twice: as SQL over the columns of `events`, and as the text that is shown again.
// Pure. What is not in this file cannot be exported: a row of the export is one event, and the same in every repetition.
import { invalid } from '../../http/errors.ts';
import type { Expression } from '../../query/hogql/ast.ts';
import { findFunction } from '../../query/hogql/functions.ts';

export const unsupported = () => invalid('Unsupported HogQL query', 'hogql_query');
export const invalidQuery = (why: string) => invalid(`Invalid HogQL query: ${why}`, 'hogql_query');

export interface Printed {
  /** Values stand in it as `%(hogql_val_0)s`. */
  sql: string;
  text: string;
}

/** The values of one query, each under a name of its own. */
export class Values {
  readonly all: Record<string, string> = {};

  add(value: string): string {
    const name = `hogql_val_${Object.keys(this.all).length}`;
    this.all[name] = value;
    return `%(${name})s`;
  }
}

const COLUMNS = new Set([
  'team_id',
  'timestamp',
  'event',
  'distinct_id',
  'uuid',
  'created_at',
  'elements_chain',
  'person_id',
  'properties',
  'person_properties',
]);

/** What these mean is chosen by us, so that no value can make a run fail. */
const CASTS: Readonly<Record<string, string>> = { toint: 'Int64', tofloat: 'Float64', touuid: 'UUID', tobool: 'Bool' };
/** More rows than events, other values in every repetition, or words of the engine that HogQL does not have. */
const REFUSED = /^(arrayJoin|untuple|rand\w*|generateUUID\w*|to(U?Int|Float)\d+|toTypeName|lagInFrame|leadInFrame)$/;
const ARITHMETIC = { '+': 'plus', '-': 'minus', '*': 'multiply', '/': 'divide', '%': 'modulo' } as const;
const COMPARISON: Readonly<Record<string, string>> = {
  '==': 'equals',
  '!=': 'notEquals',
  '>': 'greater',
  '>=': 'greaterOrEquals',
  '<': 'less',
  '<=': 'lessOrEquals',
  like: 'like',
  ilike: 'ilike',
  'not like': 'notLike',
  'not ilike': 'notILike',
  in: 'in',
  'not in': 'notIn',
};
const DEPTH_MAX = 50;

export function printExpression(node: Expression, values: Values, depth = 0): Printed {
  if (depth > DEPTH_MAX) throw unsupported();
  const inner = (given: Expression) => printExpression(given, values, depth + 1);
  switch (node.node) {
    case 'Constant':
      return printConstant(node.value ?? null, node.value_type, values);
    case 'Field':
      return printField(node.chain, values);
    case 'Alias':
      throw unsupported();
    case 'ArithmeticOperation':
      return call(ARITHMETIC[node.op], [inner(node.left), inner(node.right)]);
    case 'CompareOperation': {
      const name = Object.hasOwn(COMPARISON, node.op) ? COMPARISON[node.op] : undefined;
      if (!name) throw unsupported();
      return call(name, [inner(node.left), inner(node.right)]);
    }
    case 'And':
    case 'Or':
      return call(node.node.toLowerCase(), node.exprs.map(inner));
    case 'Not':
      return call('not', [inner(node.expr)]);
    case 'Array':
    case 'Tuple':
      return call(node.node.toLowerCase(), node.exprs.map(inner));
    case 'Call':
      return printCall(node, inner, values);
    default:
      throw unsupported();
  }
}

function call(name: string, args: readonly Printed[], shown = name): Printed {
  return {
    sql: `${name}(${args.map(({ sql }) => sql).join(', ')})`,
    text: `${shown}(${args.map(({ text }) => text).join(', ')})`,
  };
}

function printCall(
  node: Extract<Expression, { node: 'Call' }>,
  inner: (given: Expression) => Printed,
  values: Values,
): Printed {
  if (node.params?.length || node.distinct || node.order_by || node.filter_expr || node.within_group)
    throw unsupported();
  const args = node.args.map(inner);
  const cast = CASTS[node.name.toLowerCase()];
  if (cast && args.length === 1) {
    const { sql, text } = args[0]!;
    return { sql: `accurateCastOrNull(${sql}, ${values.add(cast)})`, text: `${node.name}(${text})` };
  }
  const found = findFunction(node.name);
  if (!found || found.isAggregate || REFUSED.test(found.name)) throw unsupported();
  return call(found.name, args, node.name);
}

function printConstant(value: string | number | boolean | null, type: 'number' | undefined, values: Values): Printed {
  if (typeof value === 'string' && type === undefined) return { sql: values.add(value), text: quoteText(value) };
  if (value === null) return { sql: 'NULL', text: 'NULL' };
  if (typeof value === 'boolean') return { sql: value ? '1' : '0', text: String(value) };
  if (typeof value === 'number') return { sql: String(value), text: String(value) };
  throw unsupported();
}

function printField(chain: readonly (string | number)[], values: Values): Printed {
  const path = chain[0] === 'events' && chain.length > 1 ? chain.slice(1) : chain;
  const [column, ...keys] =
    path[0] === 'person' && path[1] === 'properties' ? ['person_properties', ...path.slice(2)] : path;
  const text = chain.map((part) => quoteName(String(part))).join('.');
  if (typeof column !== 'string' || !COLUMNS.has(column))
    throw invalidQuery(`Unable to resolve field: ${String(chain[0])}`);
  if (keys.length === 0) return { sql: `events.${column}`, text };
  if (column !== 'properties' && column !== 'person_properties') {
    throw invalidQuery(`${column} has no field ${String(keys[0])}`);
  }
  const names = keys.map((key) => values.add(String(key))).join(', ');
  const raw = `nullIf(nullIf(JSONExtractRaw(events.${column}, ${names}), ''), 'null')`;
  return { sql: `replaceRegexpAll(${raw}, '^"|"$', '')`, text };
}

const quoteText = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** A name as HogQL has it: in back-ticks when it is not plain. */
export const quoteName = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;

/** The name that stands in back-ticks, or the plain one. */
export const plainName = (quoted: string): string =>
  quoted.startsWith('`') ? quoted.slice(1, -1).replace(/\\([\\`])/g, '$1') : quoted;
