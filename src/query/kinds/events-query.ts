// Events as a table: columns that the caller chooses, filters, an order.
import { z } from 'zod';
import { invalid } from '../../http/errors.ts';
import { parseUuid } from '../../http/fields.ts';
import { readMoment } from '../dates/moment.ts';
import type { Expression, OrderExpr, SelectQuery } from '../hogql/ast.ts';
import { findFunction } from '../hogql/functions.ts';
import type { QueryContext, QueryKind } from '../kind.ts';
import { nodeFields, Properties, readNode } from '../nodes.ts';
import type { EventsSql } from '../sql/events-sql.ts';
import { limitedSql } from './hogql-query.ts';

const ROWS_DEFAULT = 100;
const ROWS_MAX = 50_000;
/** Clocks differ a little; an event from the near future is as good as now. */
const NEAR_FUTURE_MS = 5_000;

const texts = z.array(z.string());

const EventsQuery = z.strictObject({
  ...nodeFields,
  kind: z.literal('EventsQuery'),
  select: texts.min(1),
  where: texts.nullish(),
  properties: Properties,
  fixedProperties: Properties,
  event: z.string().nullish(),
  events: texts.nullish(),
  actionId: z.int().nullish(),
  personId: z.string().nullish(),
  after: z.string().nullish(),
  before: z.string().nullish(),
  orderBy: texts.nullish(),
  limit: z.int().min(1).nullish(),
  offset: z.int().min(0).nullish(),
  filterTestAccounts: z.boolean().nullish(),
  source: z.unknown().optional(),
  name: z.string().max(400).nullish(),
});
type EventsQuery = z.output<typeof EventsQuery>;

/** A column as it is shown, made of one or more that are asked for. */
interface Shown {
  name: string;
  parts: Expression[];
  /** Undefined: the one part is shown as it is. */
  shape?: (cells: readonly unknown[]) => unknown;
}

const field = (...chain: string[]): Expression => ({ node: 'Field', chain });

const EVENT_PARTS = [
  'uuid',
  'event',
  'properties',
  'timestamp',
  'team_id',
  'distinct_id',
  'elements_chain',
  'created_at',
];

const wholes: Readonly<Record<string, Omit<Shown, 'name'>>> = {
  '*': {
    parts: [...EVENT_PARTS.map((name) => field(name)), field('person_id')],
    shape: (cells) => {
      const event = Object.fromEntries(EVENT_PARTS.map((name, at) => [name, cells[at]]));
      return { ...event, properties: parseJson(event.properties), person_id: cells[EVENT_PARTS.length] };
    },
  },
  person: {
    parts: [field('person_id'), field('person', 'created_at'), field('person', 'properties'), field('distinct_id')],
    shape: ([uuid, created_at, properties, distinct_id]) => ({
      uuid,
      created_at,
      properties: parseJson(properties),
      distinct_id,
    }),
  },
};

export const eventsQuery: QueryKind<EventsQuery> = {
  kind: 'EventsQuery',
  read: (json) => readNode(EventsQuery, json),
  async run(context, query) {
    const shown = await readColumns(context, query.select);
    const where = await context.parse(query.where ?? []);
    const orderBy = await readOrder(context, query.orderBy, shown);
    const tree = toTree(shown, where, orderBy);
    const conditions = readConditions(context, query);
    const select = await context.select(tree, { filters: conditions });
    const limit = Math.min(query.limit ?? ROWS_DEFAULT, ROWS_MAX);
    const offset = query.offset ?? 0;
    const table = await context.askTable({ text: limitedSql(select, limit, offset), params: select.bound.params });
    const starts = shown.map((_, at) => shown.slice(0, at).reduce((sum, { parts }) => sum + parts.length, 0));
    return {
      results: table.rows.slice(0, limit).map((row) => shown.map((column, at) => showCell(column, row, starts[at]!))),
      columns: shown.map(({ name }) => name),
      types: shown.map(({ shape, name }, at) => (shape ? `(${name})` : (table.columns[starts[at]!]?.type ?? ''))),
      hasMore: table.rows.length > limit,
      limit,
      offset,
    };
  },
};

const showCell = ({ parts, shape }: Shown, row: readonly unknown[], start: number): unknown =>
  shape ? shape(row.slice(start, start + parts.length)) : row[start];

/** `properties.$browser -- Browser`: a comment at the end is the column's name. */
async function readColumns(context: QueryContext, select: readonly string[]): Promise<Shown[]> {
  const written = select.map((text) => {
    const [, expression = text, name] = /^([\s\S]*?)(?:\s*--\s*(.*))?$/.exec(text.trim()) ?? [];
    return { expression, name: name?.trim() || text.trim() };
  });
  const plain = written.filter(({ expression }) => !Object.hasOwn(wholes, expression));
  const trees = await context.parse(plain.map(({ expression }) => expression));
  return written.map(({ expression, name }) => {
    if (Object.hasOwn(wholes, expression)) return { name, ...wholes[expression]! };
    return { name, parts: [trees[plain.findIndex((each) => each.expression === expression)]!] };
  });
}

/** Newest first, or the largest first where something is counted. */
async function readOrder(
  context: QueryContext,
  orderBy: readonly string[] | null | undefined,
  shown: readonly Shown[],
): Promise<OrderExpr[]> {
  if (!orderBy?.length) {
    const counted = shown.find(({ parts }) => parts.some(isAggregate))?.parts[0];
    return [{ node: 'OrderExpr', expr: counted ?? field('timestamp'), order: 'DESC' }];
  }
  const written = orderBy.map((text) => {
    const [, minus, expression = '', word] = /^\s*(-?)([\s\S]*?)(?:\s+(asc|desc))?\s*$/i.exec(text) ?? [];
    const order: OrderExpr['order'] = minus || word?.toLowerCase() === 'desc' ? 'DESC' : 'ASC';
    return { expression, order };
  });
  const trees = await context.parse(written.map(({ expression }) => expression));
  return written.map(({ order }, at) => ({ node: 'OrderExpr', expr: trees[at]!, order }));
}

function toTree(shown: readonly Shown[], where: readonly Expression[], order_by: OrderExpr[]): SelectQuery {
  const parts = shown.flatMap((column) => column.parts);
  const isCounted = parts.some(isAggregate);
  return {
    node: 'SelectQuery',
    select: parts.map((expr, at) => ({ node: 'Alias', alias: `column ${at + 1}`, expr })),
    select_from: { node: 'JoinExpr', table: { node: 'Field', chain: ['events'] } },
    where: { node: 'And', exprs: [...where, { node: 'Placeholder', expr: { node: 'Field', chain: ['filters'] } }] },
    ...(isCounted && { group_by: parts.filter((part) => !isAggregate(part)) }),
    order_by,
  };
}

function isAggregate(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (Array.isArray(node)) return node.some(isAggregate);
  const { node: kind, name } = node as { node?: string; name?: string };
  if (kind === 'SelectQuery' || kind === 'SelectSetQuery') return false;
  if (kind === 'Call' && findFunction(name ?? '')?.isAggregate) return true;
  return Object.values(node).some(isAggregate);
}

function readConditions(context: QueryContext, query: EventsQuery): (events: EventsSql) => string {
  const { now } = context;
  const fromMicros = readTime(context, query.after ?? '-24h', 'after') + 1;
  const toMicros = query.before ? readTime(context, query.before, 'before') : (now + NEAR_FUTURE_MS) * 1_000;
  const person = query.personId ? parseUuid(query.personId) : undefined;
  if (query.personId && !person) throw invalid('A person is named by its UUID.', 'personId');
  return (events) => {
    const { bound, alias } = events;
    const conditions = [
      events.within({ fromMicros, toMicros }),
      events.filters(query.properties),
      events.filters(query.fixedProperties),
      events.testAccounts(query.filterTestAccounts),
    ];
    if (query.event) conditions.push(`${alias}.event = ${bound.text(query.event)}`);
    if (query.events?.length) conditions.push(`has(${bound.texts(query.events)}, ${alias}.event)`);
    if (query.actionId !== null && query.actionId !== undefined) conditions.push(events.action(query.actionId));
    if (person) conditions.push(`${events.personId} = ${bound.bind('UUID', person)}`);
    return `(${conditions.join(' AND ')})`;
  };
}

function readTime({ now, project }: QueryContext, text: string, attr: string): number {
  if (text === 'all') return 0;
  const moment = readMoment(text, now, project.timezone);
  if (!moment) throw invalid('This must be a date such as 2025-02-03, 2025-02-03T10:11:12Z or -7d.', attr);
  return moment.micros;
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return {};
  }
}
