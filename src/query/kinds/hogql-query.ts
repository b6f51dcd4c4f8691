// SQL as people write it.
import { z } from 'zod';
import { isDict } from '../../http/fields.ts';
import { readDateRange } from '../dates/range.ts';
import type { CompiledSelect, Given } from '../hogql/compiled.ts';
import type { QueryContext, QueryKind } from '../kind.ts';
import { DateRangeNode, nodeFields, Properties, readNode } from '../nodes.ts';
import type { EventsSql } from '../sql/events-sql.ts';

const ROWS_DEFAULT = 100;
const ROWS_MAX = 50_000;

const Filters = z.strictObject({
  dateRange: DateRangeNode.nullish(),
  properties: Properties,
  filterTestAccounts: z.boolean().nullish(),
});

const HogQLQuery = z.strictObject({
  ...nodeFields,
  kind: z.literal('HogQLQuery'),
  query: z.string(),
  filters: Filters.nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  values: z.record(z.string(), z.unknown()).nullish(),
  explain: z.boolean().nullish(),
  name: z.string().max(400).nullish(),
});
type HogQLQuery = z.output<typeof HogQLQuery>;

export const hogqlQuery: QueryKind<HogQLQuery> = {
  kind: 'HogQLQuery',
  read: (json) => readNode(HogQLQuery, json),
  async run(context, query) {
    const select = await context.select(query.query, await toGiven(context, query));
    const limit = Math.min(select.limit ?? ROWS_DEFAULT, ROWS_MAX);
    const offset = select.offset ?? 0;
    const table = await context.askTable({ text: limitedSql(select, limit, offset), params: select.bound.params });
    const columns = select.columns.map(({ name }) => name);
    return {
      results: table.rows.slice(0, limit),
      columns,
      types: table.columns.map(({ type }, at) => [columns[at] ?? '', type]),
      query: query.query,
      hogql: query.query.trim(),
      hasMore: table.rows.length > limit,
      limit,
      offset,
      metadata: null,
      explain: null,
    };
  },
};

/** One row more than is shown, to know whether there are any. */
export function limitedSql({ sql }: Pick<CompiledSelect, 'sql'>, limit: number, offset: number): string {
  const isSet = sql.startsWith('(');
  return `${isSet ? `SELECT * FROM (${sql})` : sql} LIMIT ${limit + 1}${offset > 0 ? ` OFFSET ${offset}` : ''}`;
}

/** What stands for `{filters}`, `{variables.code_name}` and `{name}`. */
async function toGiven(context: QueryContext, query: HogQLQuery): Promise<Given> {
  const { filters, variables, values } = query;
  const range = filters?.dateRange
    ? await readDateRange(filters.dateRange, { ...context.project, now: context.now, earliest: context.earliest })
    : undefined;
  return {
    placeholder([name, ...rest]) {
      if (name === 'variables') return findVariable(variables ?? {}, String(rest[0]));
      const given = values ?? {};
      return rest.length === 0 && typeof name === 'string' && Object.hasOwn(given, name)
        ? { value: given[name] }
        : undefined;
    },
    filters(events: EventsSql) {
      const conditions = [events.filters(filters?.properties), events.testAccounts(filters?.filterTestAccounts)];
      if (range) conditions.push(events.within(range));
      return `(${conditions.join(' AND ')})`;
    },
  };
}

/** Variables come by their id, each with the name that texts have for it. */
function findVariable(variables: Readonly<Record<string, unknown>>, codeName: string): { value: unknown } | undefined {
  const found = Object.values(variables).find((each) => isDict(each) && each.code_name === codeName);
  return isDict(found) ? { value: found.isNull === true ? null : found.value } : undefined;
}
