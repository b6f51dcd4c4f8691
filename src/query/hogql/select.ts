// A whole SELECT.
import { quoteName } from '../../store/tables/description.ts';
import {
  type Cte,
  type Expression,
  isSelect,
  type JoinExpr,
  type OrderExpr,
  type Select,
  type SelectQuery,
} from './ast.ts';
import { requireConstant } from './calls.ts';
import type { PrintedSelect } from './compiled.ts';
import type { Environment } from './environment.ts';
import { hogqlError } from './errors.ts';
import { Resolver } from './resolver.ts';
import { Scope } from './scope.ts';
import { type Source, tables } from './tables.ts';
import { type Value, value } from './value.ts';

/** `text` is what was written: columns without a name get theirs from it. */
export function printSelect(node: Select, env: Environment, text: string, outer = new Scope()): PrintedSelect {
  return env.budget.spend(
    () =>
      node.node === 'SelectQuery'
        ? new SelectPrinter(node, env, text, outer).print()
        : printSet(node, env, text, outer),
    (detail) => hogqlError(detail, node),
  );
}

const SET_OPERATORS = new Set([
  'UNION ALL',
  'UNION DISTINCT',
  'INTERSECT',
  'INTERSECT DISTINCT',
  'EXCEPT',
  'EXCEPT DISTINCT',
]);

function printSet(
  node: Extract<Select, { node: 'SelectSetQuery' }>,
  env: Environment,
  text: string,
  outer: Scope,
): PrintedSelect {
  const first = printSelect(node.initial_select_query, env, text, outer);
  // Names that the first one introduces hold for the others too.
  const inner =
    node.initial_select_query.node === 'SelectQuery' ? withCtes(node.initial_select_query.ctes, outer) : outer;
  const rest = node.subsequent_select_queries.map(({ select_query, set_operator }) => {
    if (!SET_OPERATORS.has(set_operator)) throw hogqlError(`There is no ${set_operator}`, select_query);
    return ` ${set_operator} (${printSelect(select_query, env, text, inner).sql})`;
  });
  return { sql: `(${first.sql})${rest.join('')}`, columns: first.columns };
}

/** A scope in which these names are known as well; each was written where only those before it were. */
function withCtes(ctes: readonly Cte[] | null | undefined, outer: Scope): Scope {
  let scope = new Scope(outer.ctes);
  for (const cte of ctes ?? []) {
    if (cte.recursive) throw hogqlError('A common table expression cannot refer to itself', cte);
    scope = new Scope(new Map([...scope.ctes, [cte.name, { cte, scope }]]));
  }
  return scope;
}

class SelectPrinter {
  readonly #node: SelectQuery;
  readonly #env: Environment;
  readonly #text: string;
  readonly #scope: Scope;
  readonly #resolver: Resolver;

  constructor(node: SelectQuery, env: Environment, text: string, outer: Scope) {
    this.#node = node;
    this.#env = env;
    this.#text = text;
    this.#scope = withCtes(node.ctes, outer);
    this.#resolver = new Resolver(
      env,
      this.#scope,
      (inner, around, scope) => printSelect(inner, around, text, scope).sql,
    );
  }

  print(): PrintedSelect {
    const node = this.#node;
    this.#refuseTheRest(node);
    const joins = this.#openSources(node.select_from);
    const arrays = this.#arrayJoins(node);
    const items = this.#expandStars(node.select);
    for (const item of items) if (item.alias !== undefined) this.#scope.addAlias(item.alias, item.compute);
    const columns = items.map((item) => ({ name: item.name, value: item.compute() }));
    const list = columns.map(({ value: { sql } }, at) => `${sql} AS ${quoteName(uniqueName(columns, at))}`).join(', ');
    const clauses = [
      this.#clause('WHERE', both(node.prewhere, node.where)),
      this.#groupBy(node),
      this.#clause('HAVING', node.having),
      this.#windows(node),
      this.#clause('QUALIFY', node.qualify),
      this.#orderBy(node.order_by),
      this.#limitBy(node),
      this.#limit(node),
    ];
    // The tables are printed last: only now it is known what is asked of them.
    const from = joins.length > 0 ? ` FROM ${joins.map((print) => print()).join(' ')}` : '';
    const sql = `SELECT ${node.distinct ? 'DISTINCT ' : ''}${list}${from}${arrays}${clauses.join('')}`;
    return { sql, columns };
  }

  #refuseTheRest({ group_by_mode, limit_with_ties }: SelectQuery): void {
    if (group_by_mode && group_by_mode !== 'all')
      throw hogqlError(`GROUP BY ${group_by_mode.toUpperCase()} is not supported`, this.#node);
    if (limit_with_ties) throw hogqlError('LIMIT … WITH TIES is not supported', this.#node);
  }

  #clause(word: string, node: Expression | null | undefined): string {
    return node ? ` ${word} ${this.#resolver.sql(node)}` : '';
  }

  // FROM

  #openSources(first: JoinExpr | null | undefined): (() => string)[] {
    const printers: (() => string)[] = [];
    const joins: { join: JoinExpr; source: Source }[] = [];
    for (let join = first; join; join = join.next_join) {
      const name = join.alias ?? (join.table.node === 'Field' ? String(join.table.chain.at(-1)) : `_${joins.length}`);
      if (this.#scope.sources.has(name))
        throw hogqlError(`Two tables have the name "${name}"; give one an alias`, join);
      const source = this.#openSource(join, `_t${joins.length + 1}`);
      this.#scope.sources.set(name, source);
      joins.push({ join, source });
    }
    for (const { join, source } of joins) {
      const constraint = join === first ? '' : this.#constraint(join);
      const word = join === first ? '' : `${joinWord(join)} `;
      printers.push(() => `${word}${source.print()}${constraint}`);
    }
    return printers;
  }

  #openSource(join: JoinExpr, alias: string): Source {
    const { table } = join;
    if (join.table_args) throw hogqlError('Functions cannot be used as tables', join);
    if (join.column_aliases) throw hogqlError('Columns of a table cannot be renamed here', join);
    if (isSelect(table)) return fromSelect(printSelect(table, this.#env, this.#text, this.#scope), alias);
    if (table.node !== 'Field') throw hogqlError('This cannot be used as a table', table);
    const [name] = table.chain;
    const cte = table.chain.length === 1 && typeof name === 'string' ? this.#scope.ctes.get(name) : undefined;
    if (cte && isSelect(cte.cte.expr)) {
      return fromSelect(printSelect(cte.cte.expr, this.#env, this.#text, cte.scope), alias);
    }
    const open = table.chain.length === 1 && Object.hasOwn(tables, String(name)) ? tables[String(name)] : undefined;
    if (!open) {
      const known = Object.keys(tables).join(', ');
      throw hogqlError(`Unknown table "${table.chain.join('.')}"; there are: ${known}`, table);
    }
    return open(this.#env, alias, this.#sampling(join));
  }

  #sampling({ sample }: JoinExpr): number | undefined {
    if (!sample) return undefined;
    const { left, right } = sample.sample_value;
    const factor = Number(left.value) / Number(right?.value ?? 1);
    if (sample.offset_value || !(factor > 0 && factor <= 1))
      throw hogqlError('A sample is a share between 0 and 1', left);
    return factor;
  }

  #constraint({ constraint }: JoinExpr): string {
    if (!constraint) return '';
    if (constraint.constraint_type === 'ON') return ` ON ${this.#resolver.sql(constraint.expr)}`;
    throw hogqlError('Say what to join by with ON; USING is not supported', constraint.expr);
  }

  #arrayJoins({ array_join_op, array_join_list }: SelectQuery): string {
    if (!array_join_list?.length) return '';
    const word = array_join_op === 'LEFT ARRAY JOIN' ? 'LEFT ARRAY JOIN' : 'ARRAY JOIN';
    const arrays = array_join_list.map((node) => {
      if (node.node !== 'Alias') throw hogqlError('Give what is array-joined a name: ARRAY JOIN … AS name', node);
      return { name: node.alias, sql: this.#resolver.sql(node.expr) };
    });
    for (const { name } of arrays) this.#scope.addOwn(name);
    return ` ${word} ${arrays.map(({ name, sql }) => `${sql} AS ${quoteName(name)}`).join(', ')}`;
  }

  // Columns

  #expandStars(nodes: readonly Expression[]): Item[] {
    return nodes.flatMap((node): Item[] => {
      if (node.node !== 'Field' || node.chain.at(-1) !== '*') return [this.#item(node)];
      const named = node.chain.length > 1 ? String(node.chain[0]) : undefined;
      const sources = named === undefined ? [...this.#scope.sources.values()] : [this.#scope.sources.get(named)];
      if (sources.length === 0 || sources.includes(undefined)) {
        throw hogqlError(named ? `There is no table "${named}" here` : '`*` needs a table', node);
      }
      return sources.flatMap((source) =>
        source!.columns.map((name) => ({
          name,
          compute: () => source!.find([name]) ?? value('NULL', 'unknown', true),
        })),
      );
    });
  }

  #item(node: Expression): Item {
    let known: Value | undefined;
    const memo = (compute: () => Value) => () => {
      known ??= compute();
      return known;
    };
    if (node.node === 'Alias') {
      const { alias, expr } = node;
      return { name: alias, alias, compute: memo(() => this.#scope.define(alias, () => this.#resolver.value(expr))) };
    }
    return { name: this.#nameOf(node), compute: memo(() => this.#resolver.value(node)) };
  }

  /** As it is written; a column of a table by its own name. */
  #nameOf(node: Expression): string {
    if (node.node === 'Field' && node.chain.length <= 2) return String(node.chain.at(-1));
    const { start, end } = node;
    const written = start && end ? this.#text.slice(start.offset, end.offset).replace(/\s+/g, ' ').trim() : '';
    return written.slice(0, 200) || 'column';
  }

  // The rest

  #groupBy({ group_by, group_by_mode }: SelectQuery): string {
    if (group_by_mode === 'all') return ' GROUP BY ALL';
    return group_by?.length ? ` GROUP BY ${group_by.map((node) => this.#resolver.sql(node)).join(', ')}` : '';
  }

  #windows({ window_exprs }: SelectQuery): string {
    const windows = Object.entries(window_exprs ?? {});
    if (windows.length === 0) return '';
    return ` WINDOW ${windows.map(([name, node]) => `${quoteName(name)} AS (${this.#resolver.window(node)})`).join(', ')}`;
  }

  #orderBy(nodes: readonly OrderExpr[] | null | undefined): string {
    if (!nodes?.length) return '';
    const printed = nodes.map(({ expr, order, nulls, with_fill }) => {
      if (with_fill) throw hogqlError('WITH FILL is not supported', expr);
      const last = nulls === 'FIRST' ? ' NULLS FIRST' : nulls === 'LAST' ? ' NULLS LAST' : '';
      return `${this.#resolver.sql(expr)} ${order === 'DESC' ? 'DESC' : 'ASC'}${last}`;
    });
    return ` ORDER BY ${printed.join(', ')}`;
  }

  #limitBy({ limit_by }: SelectQuery): string {
    if (!limit_by) return '';
    const offset = limit_by.offset_value ? ` OFFSET ${countOf(limit_by.offset_value)}` : '';
    return ` LIMIT ${countOf(limit_by.n)}${offset} BY ${limit_by.exprs.map((node) => this.#resolver.sql(node)).join(', ')}`;
  }

  #limit({ limit, offset }: SelectQuery): string {
    return `${limit ? ` LIMIT ${countOf(limit)}` : ''}${offset ? ` OFFSET ${countOf(offset)}` : ''}`;
  }
}

/** Two columns may be called the same where they are shown; the engine wants to tell them apart. */
function uniqueName(columns: readonly { name: string }[], at: number): string {
  const { name } = columns[at]!;
  return columns.findIndex((column) => column.name === name) === at ? name : `${name} (${at + 1})`;
}

interface Item {
  name: string;
  alias?: string;
  compute(): Value;
}

function both(one: Expression | null | undefined, other: Expression | null | undefined): Expression | undefined {
  if (one && other) return { node: 'And', exprs: [one, other] };
  return one ?? other ?? undefined;
}

export function countOf(node: Expression): number {
  const given = requireConstant(node, 'A limit').value;
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0) return given;
  throw hogqlError('A limit must be a whole number', node);
}

const JOINS: Readonly<Record<string, string>> = {
  JOIN: 'JOIN',
  'INNER JOIN': 'INNER JOIN',
  'LEFT JOIN': 'LEFT JOIN',
  'LEFT OUTER JOIN': 'LEFT JOIN',
  'RIGHT JOIN': 'RIGHT JOIN',
  'FULL JOIN': 'FULL JOIN',
  'FULL OUTER JOIN': 'FULL JOIN',
  'CROSS JOIN': 'CROSS JOIN',
  'LEFT ANY JOIN': 'LEFT ANY JOIN',
  'INNER ANY JOIN': 'INNER ANY JOIN',
  'LEFT SEMI JOIN': 'LEFT SEMI JOIN',
  'LEFT ANTI JOIN': 'LEFT ANTI JOIN',
  'ASOF INNER JOIN': 'ASOF JOIN',
  'LEFT ASOF JOIN': 'ASOF LEFT JOIN',
};

function joinWord(join: JoinExpr): string {
  const word = JOINS[join.join_type ?? 'JOIN'];
  if (!word) throw hogqlError(`There is no ${join.join_type}`, join);
  return word;
}

/** A subquery as something to read from: its columns by their names. */
function fromSelect({ sql, columns }: PrintedSelect, alias: string): Source {
  const byName = new Map(columns.map((column) => [column.name, column.value]));
  return {
    columns: [...byName.keys()],
    find([name, ...rest]) {
      const found = typeof name === 'string' && rest.length === 0 ? byName.get(name) : undefined;
      if (!found) return undefined;
      const { type, nullable, isLoose } = found;
      return { sql: `${alias}.${quoteName(name as string)}`, type, nullable, ...(isLoose && { isLoose }) };
    },
    print: () => `(${sql}) AS ${alias}`,
  };
}
