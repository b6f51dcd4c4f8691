// Who is behind a point of a chart; or all persons, when there is no chart.
import { z } from 'zod';
import { BoundValues } from '../../filters/bound-values.ts';
import { parseFilters } from '../../filters/parse.ts';
import { filterSql, jsonOperand } from '../../filters/sql.ts';
import { invalid, parseError } from '../../http/errors.ts';
import { isDict } from '../../http/fields.ts';
import type { ActorsSql, QueryContext, QueryKind } from '../kind.ts';
import { nodeFields, Properties, readNode } from '../nodes.ts';

const ROWS_DEFAULT = 100;
const ROWS_MAX = 10_000;

const ActorsQuery = z.strictObject({
  ...nodeFields,
  kind: z.literal('ActorsQuery'),
  source: z.record(z.string(), z.unknown()).nullish(),
  select: z.array(z.string()).nullish(),
  search: z.string().max(1_000).nullish(),
  properties: Properties,
  fixedProperties: Properties,
  orderBy: z.array(z.string()).nullish(),
  limit: z.int().min(1).nullish(),
  offset: z.int().min(0).nullish(),
});
type ActorsQuery = z.output<typeof ActorsQuery>;

interface ActorRow {
  id: string;
  event_count: number;
  properties: string;
  created_at: string | null;
  is_identified: boolean;
  is_known: boolean;
  distinct_ids: string[];
}

const DEFAULT_SELECT = ['actor', 'event_count'];

export const actorsQuery = (kinds: ReadonlyMap<string, QueryKind>): QueryKind<ActorsQuery> => ({
  kind: 'ActorsQuery',
  read: (json) => readNode(ActorsQuery, json),
  async run(context, query) {
    const select = query.select?.length ? query.select : DEFAULT_SELECT;
    const readers = select.map(readerOf);
    const limit = Math.min(query.limit ?? ROWS_DEFAULT, ROWS_MAX);
    const offset = query.offset ?? 0;
    const actors = query.source ? await findActors(context, kinds, query.source) : allPersons(context);
    const rows = await context.ask<ActorRow>(actorsSql(context, actors, query, limit, offset));
    const shown = rows.slice(0, limit);
    return {
      results: shown.map((row) => readers.map((read) => read(row))),
      columns: select,
      types: select.map(() => ''),
      hasMore: rows.length > limit,
      limit,
      offset,
      missing_actors_count: shown.filter(({ is_known }) => !is_known).length,
    };
  },
});

/** The point of the chart that is asked about stands around the source of the chart. */
async function findActors(
  context: QueryContext,
  kinds: ReadonlyMap<string, QueryKind>,
  point: Readonly<Record<string, unknown>>,
): Promise<ActorsSql> {
  const { source } = point;
  const kind = isDict(source) ? kinds.get(String(source.kind)) : undefined;
  if (!kind?.actors) {
    throw parseError('JSON parse error - query.source.source: Input should be an insight whose actors can be listed');
  }
  return kind.actors(context, kind.read(source), point);
}

function allPersons({ project }: QueryContext): ActorsSql {
  const bound = new BoundValues();
  const text = `
    SELECT id AS actor_id, 0 AS event_count
      FROM person
     WHERE team_id = ${bound.bind('Int64', project.id)}
     GROUP BY id
    HAVING NOT argMax(is_deleted, version)`;
  return { text, bound };
}

/** The actors with what is known about them; the most active first, then by id, so that pages do not overlap. */
function actorsSql(context: QueryContext, actors: ActorsSql, query: ActorsQuery, limit: number, offset: number) {
  const { bound, groupTypeIndex } = actors;
  const team = bound.bind('Int64', context.project.id);
  const isGroup = groupTypeIndex !== undefined;
  const facts = isGroup ? groupsSql(team, bound.bind('UInt8', groupTypeIndex)) : personsSql(team);
  const order = readOrder(query.orderBy);
  const text = `
    SELECT toString(a.actor_id) AS id,
           toUInt64(a.event_count) AS event_count,
           f.properties AS properties,
           if(f.is_known, formatDateTime(f.created_at, '%Y-%m-%dT%H:%i:%SZ', 'UTC'), NULL) AS created_at,
           f.is_identified AS is_identified,
           f.is_known AS is_known,
           f.distinct_ids AS distinct_ids
      FROM (${actors.text}) AS a
      LEFT ANY JOIN (${facts}) AS f ON f.id = a.actor_id
     WHERE ${conditionsSql(context, query, bound).join(' AND ')}
     ORDER BY ${order}, id
     LIMIT ${limit + 1} OFFSET ${offset}`;
  return { text, params: bound.params };
}

const personsSql = (team: string) => `
  SELECT id,
         argMax(person.properties, version) AS properties,
         argMax(person.created_at, version) AS created_at,
         argMax(person.is_identified, version) AS is_identified,
         true AS is_known,
         any(ids.distinct_ids) AS distinct_ids
    FROM person
    LEFT ANY JOIN (
      SELECT person_id, arraySort(groupArray(100)(distinct_id)) AS distinct_ids
        FROM (SELECT distinct_id, argMax(person_distinct_id.person_id, version) AS person_id
                FROM person_distinct_id
               WHERE team_id = ${team}
               GROUP BY distinct_id
              HAVING NOT argMax(is_deleted, version))
       GROUP BY person_id
    ) AS ids ON ids.person_id = person.id
   WHERE team_id = ${team}
   GROUP BY id
  HAVING NOT argMax(is_deleted, version)`;

const groupsSql = (team: string, index: string) => `
  SELECT group_key AS id,
         argMax(group_properties, version) AS properties,
         argMax(groups.created_at, version) AS created_at,
         false AS is_identified,
         true AS is_known,
         [] AS distinct_ids
    FROM groups
   WHERE team_id = ${team} AND group_type_index = ${index}
   GROUP BY id`;

function conditionsSql({ now }: QueryContext, query: ActorsQuery, bound: BoundValues): string[] {
  const conditions = ['true'];
  if (query.search) {
    const part = bound.text(query.search);
    conditions.push(
      `(positionCaseInsensitiveUTF8(f.properties, ${part}) > 0 OR has(f.distinct_ids, ${part}) OR id = ${part})`,
    );
  }
  for (const given of [query.properties, query.fixedProperties]) {
    if (!given) continue;
    const filter = parseFilters(given, { type: 'person', nowMs: now });
    conditions.push(
      filterSql(filter, ({ key }, values) => jsonOperand(`JSONExtractRaw(f.properties, ${values.text(key)})`), bound),
    );
  }
  return conditions;
}

const ORDERS: Readonly<Record<string, string>> = { event_count: 'event_count', created_at: 'created_at', id: 'id' };

function readOrder(orderBy: readonly string[] | null | undefined): string {
  if (!orderBy?.length) return 'event_count DESC';
  return orderBy
    .map((text) => {
      const [, name = '', word = 'asc'] = /^\s*([\w.]+)(?:\s+(asc|desc))?\s*$/i.exec(text) ?? [];
      const column = Object.hasOwn(ORDERS, name) ? ORDERS[name] : undefined;
      if (!column) throw invalid(`Actors can be ordered by ${Object.keys(ORDERS).join(', ')}.`, 'orderBy');
      return `${column} ${word.toUpperCase()}`;
    })
    .join(', ');
}

function readerOf(name: string): (row: ActorRow) => unknown {
  switch (name) {
    case 'id':
      return ({ id }) => id;
    case 'actor':
    case 'person':
    case 'group':
      return toActor;
    case 'created_at':
      return ({ created_at }) => created_at;
    case 'event_count':
      return ({ event_count }) => event_count;
    case 'distinct_ids':
      return ({ distinct_ids }) => distinct_ids;
    case 'person.$delete':
      return () => null;
    case 'matched_recordings':
      return () => [];
    default:
      return readProperty(name);
  }
}

function readProperty(name: string): (row: ActorRow) => unknown {
  const [, key] = /^(?:(?:person|actor)\.)?properties\.(.+)$/.exec(name) ?? [];
  if (key !== undefined) return (row) => parse(row.properties)[key] ?? null;
  throw invalid(
    `Actors have no "${name}"; there are: actor, id, created_at, event_count, distinct_ids, properties.…`,
    'select',
  );
}

const toActor = ({ id, properties, created_at, is_identified, distinct_ids }: ActorRow) => ({
  id,
  uuid: id,
  created_at,
  properties: parse(properties),
  distinct_ids,
  is_identified,
});

function parse(json: string): Record<string, unknown> {
  return json === '' ? {} : (JSON.parse(json) as Record<string, unknown>);
}
