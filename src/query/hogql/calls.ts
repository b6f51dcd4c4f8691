// Calls of functions: those that mean something of our own, and those that the engine has.
import type { Call, Expression } from './ast.ts';
import type { Environment } from './environment.ts';
import { hogqlError } from './errors.ts';
import { findFunction, takesNumbers } from './functions.ts';
import { asNumber, type TypeName, timeValue, type Value, value } from './value.ts';

type Own = (args: readonly Value[], env: Environment, node: Call) => Value;

const zoneOf = ({ context, bound }: Environment) => bound.text(context.project.timezone);

const now: Own = (_, env) =>
  timeValue(env.bound.moment(env.context.now * 1_000), env.context.project.timezone, env.bound);

const cast =
  (to: string, type: TypeName): Own =>
  ([given]) =>
    value(`accurateCastOrNull(${given!.sql}, '${to}')`, type, true);

const toDateTime: Own = ([given, zone], env) => {
  const where = zone?.sql ?? zoneOf(env);
  if (given!.type === 'datetime') return value(`toTimeZone(${given!.sql}, ${where})`, 'datetime', given!.nullable);
  if (given!.type === 'string' || given!.type === 'json') {
    return value(`parseDateTime64BestEffortOrNull(${given!.sql}, 6, ${where})`, 'datetime', true);
  }
  return value(`toDateTime(${given!.sql}, ${where})`, 'datetime', given!.nullable);
};

const toDate: Own = ([given]) =>
  given!.type === 'string' || given!.type === 'json'
    ? value(`toDateOrNull(substring(${given!.sql}, 1, 10))`, 'date', true)
    : value(`toDate(${given!.sql})`, 'date', given!.nullable);

/** Weeks begin on the project's day, unless the text says otherwise. */
const toStartOfWeek: Own = ([given, mode], env) => {
  const how = mode?.sql ?? (env.context.project.weekStartDay === 1 ? '3' : '0');
  return value(`toStartOfWeek(${given!.sql}, ${how})`, 'date', given!.nullable);
};

/** Names in lower case; how many arguments each takes. */
const own: Readonly<Record<string, { args: readonly [number, number]; print: Own }>> = {
  now: { args: [0, 1], print: now },
  now64: { args: [0, 2], print: now },
  today: { args: [0, 0], print: (args, env, node) => value(`toDate(${now(args, env, node).sql})`, 'date') },
  yesterday: { args: [0, 0], print: (args, env, node) => value(`(toDate(${now(args, env, node).sql}) - 1)`, 'date') },
  toint: { args: [1, 1], print: cast('Int64', 'number') },
  _toint64: { args: [1, 1], print: cast('Int64', 'number') },
  tofloat: { args: [1, 1], print: cast('Float64', 'number') },
  tobool: { args: [1, 1], print: cast('Bool', 'bool') },
  touuid: { args: [1, 1], print: cast('UUID', 'uuid') },
  todecimal: { args: [1, 2], print: ([given]) => value(`toFloat64OrNull(toString(${given!.sql}))`, 'number', true) },
  todatetime: { args: [1, 2], print: toDateTime },
  totimestamp: { args: [1, 2], print: toDateTime },
  todatetime64: {
    args: [1, 3],
    print: ([given, , zone], env, node) => toDateTime(zone ? [given!, zone] : [given!], env, node),
  },
  todate: { args: [1, 1], print: toDate },
  tostartofweek: { args: [1, 2], print: toStartOfWeek },
  totimezone: {
    args: [2, 2],
    print: ([given, zone]) => value(`toTimeZone(${given!.sql}, ${zone!.sql})`, 'datetime', given!.nullable),
  },
  tostartofinterval: {
    args: [2, 4],
    print: (args) =>
      value(`toStartOfInterval(${args.map(({ sql }) => sql).join(', ')})`, 'datetime', args[0]!.nullable),
  },
};

const REAL_TYPES: readonly [pattern: RegExp, type: TypeName][] = [
  [
    /^(toStartOf(Day|Hour|Minute|Second|Five|Ten|Fifteen)|parseDateTime|fromUnixTimestamp|makeDateTime|dateTrunc|date_trunc)/,
    'datetime',
  ],
  [/^(toStartOf|toMonday|toLastDay|makeDate$|toDateOrNull)/, 'date'],
  [
    /^(count|sum|avg|uniq|median|quantile(?!s)|length|dateDiff|age|abs|round|floor|ceil|to(U?Int|Float)|toUnix|toYear|toMonth|toHour|toDayOf|plus|minus|multiply|divide|intDiv|modulo|position)/,
    'number',
  ],
  [/^(concat|lower|upper|substring|trim|replace|toString|domain|path|format|extract$|JSONExtractString)/, 'string'],
  [
    /^(equals|notEquals|greater|less|like|ilike|notLike|and|or|not|isNull|isNotNull|empty|notEmpty|startsWith|endsWith|match|has)/,
    'bool',
  ],
];

/** Whose value is one of the values that they are given. */
const SAME =
  /^(min|max|any|anyLast|argMin|argMax|coalesce|ifNull|assumeNotNull|if|greatest|least|add(Years|Months|Weeks|Days|Hours|Minutes|Seconds)|subtract(Years|Months|Weeks|Days|Hours|Minutes|Seconds))$/;
const NEVER_NULL = /^(count|uniq|isNull|isNotNull|assumeNotNull|groupArray|groupUniqArray|tuple|array)/;

export function findOwn(name: string) {
  const key = name.toLowerCase();
  return Object.hasOwn(own, key) ? own[key] : undefined;
}

export function printOwn(node: Call, args: readonly Value[], env: Environment): Value {
  const found = findOwn(node.name)!;
  const [min, max] = found.args;
  if (args.length < min || args.length > max) {
    const wanted = min === max ? String(min) : `${min} to ${max}`;
    throw hogqlError(`${node.name} takes ${wanted} arguments, not ${args.length}`, node);
  }
  return found.print(args, env, node);
}

export interface CallParts {
  args: readonly Value[];
  params: readonly string[];
  distinct: boolean;
}

/** A function of the engine, which is on the list. */
export function printCall(node: Call, { args, params, distinct }: CallParts): Value {
  const found = findFunction(node.name);
  if (!found) throw hogqlError(`There is no function "${node.name}"`, node);
  if (params.length > 0 && !found.isAggregate) throw hogqlError(`${found.name} takes no parameters`, node);
  const numeric = takesNumbers(found.name);
  const list = args.map((arg, at) => (numeric && at === 0 ? asNumber(arg) : arg.sql)).join(', ');
  const sql = `${found.name}${params.length > 0 ? `(${params.join(', ')})` : ''}(${distinct ? 'DISTINCT ' : ''}${list})`;
  return value(sql, typeOf(found.name, args), !NEVER_NULL.test(found.name) && isNullable(found.name, args));
}

function typeOf(name: string, args: readonly Value[]): TypeName {
  if (SAME.test(name)) return args.find(({ type }) => type !== 'bool')?.type ?? 'unknown';
  return REAL_TYPES.find(([pattern]) => pattern.test(name))?.[1] ?? 'unknown';
}

function isNullable(name: string, args: readonly Value[]): boolean {
  if (name === 'coalesce' || name === 'ifNull') return args.at(-1)?.nullable ?? true;
  return /OrNull$|^nullIf|^toNullable/.test(name) || args.some(({ nullable }) => nullable);
}

/** A value that the text itself gives; nothing that is computed can be a parameter. */
export function requireConstant(node: Expression, what: string): Expression & { node: 'Constant' } {
  if (node.node === 'Constant') return node;
  throw hogqlError(`${what} must be a value, not an expression`, node);
}
