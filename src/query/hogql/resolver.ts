// A tree of HogQL → SQL of the engine. Only what is printed here can be asked: every name is looked up among the project's
// tables and the functions on the list, every text is bound, and every table is a subquery over one project's rows.
import { quoteName } from '../../store/tables/description.ts';
import type {
  Call,
  Compare,
  Expression,
  Field,
  Lambda,
  Placeholder,
  Select,
  TypeCast,
  WindowExpr,
  WindowFrame,
} from './ast.ts';
import { isSelect } from './ast.ts';
import { findOwn, printCall, printOwn, requireConstant } from './calls.ts';
import { compareValues } from './compare.ts';
import { constantValue, plainValue } from './constants.ts';
import type { Environment } from './environment.ts';
import { hogqlError } from './errors.ts';
import { castTypes, findWindowFunction } from './functions.ts';
import type { Scope } from './scope.ts';
import { asNumber, jsonPath, propertyValue, type Value, value } from './value.ts';

/** Prints a SELECT inside another one. */
export type PrintSelect = (node: Select, env: Environment, outer: Scope) => string;

export class Resolver {
  readonly #env: Environment;
  readonly #scope: Scope;
  readonly #printSelect: PrintSelect;

  constructor(env: Environment, scope: Scope, printSelect: PrintSelect) {
    this.#env = env;
    this.#scope = scope;
    this.#printSelect = printSelect;
  }

  value(node: Expression): Value {
    return this.#env.budget.spend(
      () => this.#value(node),
      (detail) => hogqlError(detail, node),
    );
  }

  sql(node: Expression): string {
    return this.value(node).sql;
  }

  #list(nodes: readonly Expression[]): string {
    return nodes.map((node) => this.sql(node)).join(', ');
  }

  #value(node: Expression): Value {
    switch (node.node) {
      case 'Constant':
        return constantValue(node, this.#env.bound);
      case 'Field':
        return this.#field(node);
      case 'Alias':
        return this.#scope.define(node.alias, () => {
          const inner = this.value(node.expr);
          return { ...inner, sql: `(${inner.sql} AS ${quoteName(node.alias)})` };
        });
      case 'ArithmeticOperation':
        return this.#arithmetic(node);
      case 'And':
      case 'Or':
        return value(
          `${node.node.toLowerCase()}(${this.#list(node.exprs)}${node.exprs.length === 1 ? ', true' : ''})`,
          'bool',
        );
      case 'Not':
        return value(`not(${this.sql(node.expr)})`, 'bool', this.value(node.expr).nullable);
      case 'BetweenExpr': {
        const inside = {
          node: 'And' as const,
          exprs: [
            { ...node, node: 'CompareOperation' as const, op: '>=', left: node.expr, right: node.low },
            { ...node, node: 'CompareOperation' as const, op: '<=', left: node.expr, right: node.high },
          ],
        };
        return this.value(node.negated ? { node: 'Not', expr: inside } : inside);
      }
      case 'CompareOperation':
        return this.#compare(node);
      case 'Call':
        return this.#call(node);
      case 'WindowFunction':
        return this.#window(node);
      case 'Lambda':
        return this.#lambda(node);
      case 'Array':
        return value(`[${this.#list(node.exprs)}]`);
      case 'Tuple':
        return value(`tuple(${this.#list(node.exprs)})`);
      case 'ArrayAccess':
        return this.#element(node);
      case 'TupleAccess':
        return this.#tupleElement(node);
      case 'TypeCast':
      case 'TryCast':
        return this.#cast(node);
      case 'Placeholder':
        return this.#placeholder(node);
      case 'SelectQuery':
      case 'SelectSetQuery':
        return value(`(${this.#printSelect(node, this.#env, this.#scope)})`, 'unknown', true);
      default:
        throw hogqlError(`This cannot be used in a query: ${String((node as { node: string }).node)}`, node);
    }
  }

  #field(node: Field): Value {
    const found = this.#scope.find(node.chain);
    if (found === 'ambiguous') {
      throw hogqlError(`Several tables have a column "${node.chain.join('.')}"; say which one is meant`, node);
    }
    if (found) return found;
    const constant = this.#columnCte(node) ?? this.#insideJson(node);
    if (constant) return constant;
    throw hogqlError(`Unable to resolve field: ${node.chain.join('.')}`, node);
  }

  /** `WITH 5 AS five`: the expression stands where its name does. */
  #columnCte({ chain }: Field): Value | undefined {
    const [name] = chain;
    const found = chain.length === 1 && typeof name === 'string' ? this.#scope.ctes.get(name) : undefined;
    if (found?.cte.cte_type !== 'column') return undefined;
    const inner = new Resolver(this.#env, this.#scope, this.#printSelect);
    return this.#scope.define(String(name), () => inner.value(found.cte.expr));
  }

  /** A column that a subquery passes on as JSON can still be looked into. */
  #insideJson({ chain }: Field): Value | undefined {
    for (let length = chain.length - 1; length > 0; length -= 1) {
      const found = this.#scope.find(chain.slice(0, length));
      if (!found || found === 'ambiguous' || (found.type !== 'json' && !found.isLoose)) continue;
      const { bound, context } = this.#env;
      const inside = jsonPath(`ifNull(${found.sql}, '')`, chain.slice(length), bound);
      return propertyValue(inside, undefined, context.project.timezone, bound);
    }
    return undefined;
  }

  #arithmetic({ op, left, right }: Extract<Expression, { node: 'ArithmeticOperation' }>): Value {
    const names = { '+': 'plus', '-': 'minus', '*': 'multiply', '/': 'divide', '%': 'modulo' } as const;
    if (!Object.hasOwn(names, op)) throw hogqlError(`There is no operator "${op}"`, left);
    const [one, other] = [this.value(left), this.value(right)];
    const time = [one, other].find(({ type }) => type === 'datetime' || type === 'date');
    const [a, b] = time ? [one.sql, other.sql] : [asNumber(one), asNumber(other)];
    return value(`${names[op]}(${a}, ${b})`, time ? 'unknown' : 'number', one.nullable || other.nullable);
  }

  #compare(node: Compare): Value {
    if (node.op === 'in' || node.op === 'not in' || node.op === 'global in' || node.op === 'global not in') {
      return this.#membership(node, node.op.includes('not'));
    }
    if (node.op === 'in cohort' || node.op === 'not in cohort') return this.#inCohort(node);
    return compareValues(node, this.value(node.left), this.value(node.right), this.#env);
  }

  #membership(node: Compare, isNegated: boolean): Value {
    const left = this.value(node.left);
    const right = this.#members(node.right, left);
    const found = `ifNull(${left.type === 'uuid' && !isSelect(node.right) ? `toString(${left.sql})` : left.sql} IN ${right}, 0)`;
    return value(isNegated ? `not(${found})` : found, 'bool');
  }

  #members(node: Expression, left: Value): string {
    if (isSelect(node)) return `(${this.#printSelect(node, this.#env, this.#scope)})`;
    const listed = node.node === 'Tuple' || node.node === 'Array' ? node.exprs : [node];
    if (node.node === 'Placeholder') {
      const given = this.#given(node);
      if (Array.isArray(given))
        return `(${given.map((each) => this.#member(plainValue(each, this.#env.bound, node), left)).join(', ') || 'NULL'})`;
    }
    return `(${listed.map((each) => this.#member(this.value(each), left)).join(', ') || 'NULL'})`;
  }

  #member(member: Value, left: Value): string {
    return left.isLoose && member.type !== 'string' ? `toString(${member.sql})` : member.sql;
  }

  #inCohort(node: Compare): Value {
    const cohort = requireConstant(node.right, 'A cohort').value;
    if (typeof cohort !== 'number' && typeof cohort !== 'string')
      throw hogqlError('A cohort is named by its id or its name', node.right);
    const members = this.#env.context.cohortMembers(cohort);
    members.catch(() => {});
    const bound = this.#env.bound.bind('Array(UUID)', members);
    const found = `ifNull(${this.sql(node.left)} IN (SELECT arrayJoin(${bound})), 0)`;
    return value(node.op === 'not in cohort' ? `not(${found})` : found, 'bool');
  }

  #call(node: Call): Value {
    if (node.order_by?.length || node.within_group)
      throw hogqlError(`${node.name} cannot be given an order here`, node);
    if (node.name.toLowerCase() === 'matchesaction') return this.#matchesAction(node);
    const args = node.args.map((arg) => this.value(arg));
    if (findOwn(node.name)) return printOwn(node, args, this.#env);
    const params = (node.params ?? []).map(
      (param) => constantValue(requireConstant(param, 'A parameter'), this.#env.bound).sql,
    );
    const printed = printCall(node, { args, params, distinct: node.distinct === true });
    if (!node.filter_expr) return printed;
    return { ...printed, sql: `${printed.sql} FILTER (WHERE ${this.sql(node.filter_expr)})` };
  }

  #matchesAction(node: Call): Value {
    const [given] = node.args;
    const id = given && requireConstant(given, 'An action').value;
    const source = [...this.#scope.sources.values()].find(({ events }) => events);
    if (!source?.events || !source.condition) throw hogqlError('matchesAction needs the table events', node);
    if (typeof id !== 'number') throw hogqlError('matchesAction takes the id of an action', node);
    return value(source.condition(`action:${id}`, source.events.action(id)), 'bool');
  }

  #window(node: Extract<Expression, { node: 'WindowFunction' }>): Value {
    const name = findWindowFunction(node.name);
    if (!name) throw hogqlError(`There is no window function "${node.name}"`, node);
    // The first brackets are the parser's `exprs`: parameters, if a second pair follows them.
    const isParametric = node.args.length > 0;
    const params = isParametric
      ? `(${node.exprs.map((param) => constantValue(requireConstant(param, 'A parameter'), this.#env.bound).sql).join(', ')})`
      : '';
    const over = node.over_identifier
      ? quoteName(node.over_identifier)
      : `(${node.over_expr ? this.window(node.over_expr) : ''})`;
    return value(
      `${name}${params}(${this.#list(isParametric ? node.args : node.exprs)}) OVER ${over}`,
      'unknown',
      true,
    );
  }

  /** What stands between the brackets of a window. */
  window({ partition_by, order_by, frame_method, frame_start, frame_end }: WindowExpr): string {
    const parts: string[] = [];
    if (partition_by?.length) parts.push(`PARTITION BY ${this.#list(partition_by)}`);
    if (order_by?.length) {
      parts.push(
        `ORDER BY ${order_by.map(({ expr, order }) => `${this.sql(expr)} ${order === 'DESC' ? 'DESC' : 'ASC'}`).join(', ')}`,
      );
    }
    if (frame_method && frame_start) {
      const method = frame_method === 'ROWS' ? 'ROWS' : 'RANGE';
      const start = printFrame(frame_start);
      parts.push(frame_end ? `${method} BETWEEN ${start} AND ${printFrame(frame_end)}` : `${method} ${start}`);
    }
    return parts.join(' ');
  }

  #lambda(node: Lambda): Value {
    const names = node.args.map(quoteName);
    const body = this.#scope.within(node.args, () => this.sql(node.expr));
    return value(`${names.length === 1 ? names[0] : `(${names.join(', ')})`} -> ${body}`);
  }

  #element(node: Extract<Expression, { node: 'ArrayAccess' }>): Value {
    return this.#stepInto(node) ?? value(`arrayElement(${this.sql(node.array)}, ${this.sql(node.property)})`);
  }

  #tupleElement(node: Extract<Expression, { node: 'TupleAccess' }>): Value {
    if (!Number.isInteger(node.index)) throw hogqlError('Elements of a tuple are numbered from 1', node.tuple);
    return this.#stepInto(node) ?? value(`tupleElement(${this.sql(node.tuple)}, ${node.index})`);
  }

  /** In JSON, a name or a number in brackets is the same as one after a dot. */
  #stepInto(node: Expression): Value | undefined {
    const field = toField(node);
    if (!field) return undefined;
    for (let length = field.chain.length - 1; length > 0; length -= 1) {
      const owner = this.#scope.find(field.chain.slice(0, length));
      if (owner && owner !== 'ambiguous')
        return owner.type === 'json' || owner.isLoose ? this.#field(field) : undefined;
    }
    return undefined;
  }

  #cast(node: TypeCast): Value {
    const name = node.type_name.toLowerCase();
    if (name === 'datetime' || name === 'timestamp' || name === 'datetime64') {
      return this.value({ node: 'Call', name: 'toDateTime', args: [node.expr] });
    }
    const to = Object.hasOwn(castTypes, name) ? castTypes[name] : undefined;
    if (!to)
      throw hogqlError(`There is no type "${node.type_name}"; there are: ${Object.keys(castTypes).join(', ')}`, node);
    const type = /Int|Float/.test(to)
      ? 'number'
      : to === 'Bool'
        ? 'bool'
        : to === 'UUID'
          ? 'uuid'
          : to === 'Date'
            ? 'date'
            : 'string';
    return value(`accurateCastOrNull(${this.sql(node.expr)}, '${to}')`, type, true);
  }

  #placeholder(node: Placeholder): Value {
    if (node.expr.node === 'Field' && node.expr.chain.length === 1 && node.expr.chain[0] === 'filters') {
      return this.#filters(node);
    }
    return plainValue(this.#given(node), this.#env.bound, node);
  }

  #given(node: Placeholder): unknown {
    const path = node.expr.node === 'Field' ? node.expr.chain : undefined;
    const found = path && this.#env.placeholder(path);
    if (found) return found.value;
    throw hogqlError(`Nothing was given for the placeholder {${path?.join('.') ?? '…'}}`, node);
  }

  #filters(node: Placeholder): Value {
    const source = [...this.#scope.sources.values()].find(({ events }) => events);
    if (!source?.events || !source.condition) throw hogqlError('{filters} needs the table events', node);
    return value(source.condition('filters', this.#env.filters(source.events)), 'bool');
  }
}

/** The chain that a row of brackets and dots amounts to; undefined when something in it is computed. */
function toField(node: Expression): Field | undefined {
  if (node.node === 'Field') return node;
  const [inner, step] =
    node.node === 'TupleAccess'
      ? [node.tuple, node.index]
      : node.node === 'ArrayAccess' && node.property.node === 'Constant'
        ? [node.array, node.property.value]
        : [];
  const field = inner && toField(inner);
  return field && isStep(step) ? { ...field, chain: [...field.chain, step] } : undefined;
}

const isStep = (given: unknown): given is string | number =>
  typeof given === 'string' || (typeof given === 'number' && Number.isSafeInteger(given));

function printFrame({ frame_type, frame_value }: WindowFrame): string {
  if (frame_type === 'CURRENT ROW') return 'CURRENT ROW';
  const side = frame_type === 'PRECEDING' ? 'PRECEDING' : 'FOLLOWING';
  return `${typeof frame_value === 'number' ? Math.trunc(frame_value) : 'UNBOUNDED'} ${side}`;
}
