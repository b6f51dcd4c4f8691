// Comparisons. Nothing comes out as null: what has no value is not equal to anything, and different from everything.
import { readMoment } from '../dates/moment.ts';
import type { Compare, Expression } from './ast.ts';
import type { Environment } from './environment.ts';
import { hogqlError } from './errors.ts';
import { asNumber, type Value, value } from './value.ts';

interface Operator {
  /** The engine's function. */
  name: string;
  /** What comes out where a side is null. */
  withoutValue: 0 | 1;
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  '==': { name: 'equals', withoutValue: 0 },
  '!=': { name: 'notEquals', withoutValue: 1 },
  '>': { name: 'greater', withoutValue: 0 },
  '>=': { name: 'greaterOrEquals', withoutValue: 0 },
  '<': { name: 'less', withoutValue: 0 },
  '<=': { name: 'lessOrEquals', withoutValue: 0 },
  like: { name: 'like', withoutValue: 0 },
  ilike: { name: 'ilike', withoutValue: 0 },
  'not like': { name: 'notLike', withoutValue: 1 },
  'not ilike': { name: 'notILike', withoutValue: 1 },
  '=~': { name: 'match', withoutValue: 0 },
  '!~': { name: 'not match', withoutValue: 1 },
  '=~*': { name: 'imatch', withoutValue: 0 },
  '!~*': { name: 'not imatch', withoutValue: 1 },
};

export function compareValues(node: Compare, left: Value, right: Value, env: Environment): Value {
  const operator = Object.hasOwn(OPERATORS, node.op) ? OPERATORS[node.op] : undefined;
  if (!operator) throw hogqlError(`There is no comparison "${node.op}"`, node);
  const nulls = compareWithNull(node, left, right);
  if (nulls) return nulls;
  const [one, other] = alike(node, left, right, env);
  const sql = print(operator.name, one, other);
  const nullable = left.nullable || right.nullable || left.type === 'unknown' || right.type === 'unknown';
  return value(nullable ? `ifNull(${sql}, ${operator.withoutValue})` : sql, 'bool');
}

const isNull = (node: Expression) => node.node === 'Constant' && (node.value === null || node.value === undefined);

function compareWithNull({ op, left: l, right: r }: Compare, left: Value, right: Value): Value | undefined {
  if (op !== '==' && op !== '!=') return undefined;
  const tested = isNull(r) ? left : isNull(l) ? right : undefined;
  return tested && value(`${op === '==' ? 'isNull' : 'isNotNull'}(${tested.sql})`, 'bool');
}

function print(name: string, left: string, right: string): string {
  if (name.startsWith('not ')) return `not(${print(name.slice(4), left, right)})`;
  if (name === 'imatch') return `match(${left}, concat('(?i)', ${right}))`;
  return `${name}(${left}, ${right})`;
}

/** Both sides in forms that can be compared: a time with a text, a property with a number. */
function alike(node: Compare, left: Value, right: Value, env: Environment): [string, string] {
  const time = left.instant !== undefined || right.instant !== undefined;
  if (time) return [asTime(node.left, left, env), asTime(node.right, right, env)];
  const isDate = (side: Value) => side.type === 'datetime' || side.type === 'date';
  if (isDate(left) || isDate(right)) return [asTime(node.left, left, env), asTime(node.right, right, env)];
  if (left.type === 'number' && right.isLoose) return [left.sql, asNumber(right)];
  if (right.type === 'number' && left.isLoose) return [asNumber(left), right.sql];
  if (left.type === 'bool' && right.isLoose) return [`toString(${left.sql})`, right.sql];
  if (right.type === 'bool' && left.isLoose) return [left.sql, `toString(${right.sql})`];
  if (left.type === 'uuid' && right.type === 'string') return [`toString(${left.sql})`, right.sql];
  if (right.type === 'uuid' && left.type === 'string') return [left.sql, `toString(${right.sql})`];
  return [left.sql, right.sql];
}

function asTime(node: Expression, side: Value, { context, bound }: Environment): string {
  if (side.instant !== undefined) return side.instant;
  if (node.node !== 'Constant' || typeof node.value !== 'string') return side.sql;
  const moment = readMoment(node.value, context.now, context.project.timezone);
  if (!moment) throw hogqlError(`"${node.value}" is no time; write one as 2025-02-03 10:11:12`, node);
  return bound.moment(moment.micros);
}
