// The tables that a text may read. Each reference becomes a subquery over the rows of one project, with exactly the
// columns that are asked of it: whatever the text does around it, no other row is within reach.
import type { EventsSql } from '../sql/events-sql.ts';
import { SESSION_PROPERTIES, sessionsSql } from '../sql/sessions.ts';
import type { Environment } from './environment.ts';
import { jsonPath, propertyValue, type TypeName, timeValue, type Value, value } from './value.ts';

export type Chain = readonly (string | number)[];

/** Something in a FROM. */
export interface Source {
  /** The value that a chain of names below it means; undefined when it has none of that name. */
  find(chain: Chain): Value | undefined;
  /** What `*` stands for. */
  readonly columns: readonly string[];
  /** SQL for the FROM; printed last, when everything has been asked. */
  print(): string;
  /** The events behind it, for what only makes sense of them. */
  readonly events?: EventsSql | undefined;
  /** A condition on its events as a column of its own. */
  condition?(key: string, sql: string): string;
}

/** `sampling` is the share of its rows that is read, where a table can be read in part. */
export type OpenTable = (env: Environment, alias: string, sampling?: number) => Source;

/** Collects what is asked of a subquery, each thing under one name. */
class Columns {
  readonly #alias: string;
  readonly #printed = new Map<string, string>();

  constructor(alias: string) {
    this.#alias = alias;
  }

  expose(key: string, sql: () => string): string {
    if (!this.#printed.has(key)) this.#printed.set(key, sql());
    return `${this.#alias}.c${[...this.#printed.keys()].indexOf(key) + 1}`;
  }

  print(): string {
    return [...this.#printed.values()].map((sql, at) => `${sql} AS c${at + 1}`).join(', ') || '1 AS c1';
  }
}

const key = (chain: Chain) => JSON.stringify(chain);

// Events

const PLAIN: Readonly<Record<string, TypeName>> = {
  uuid: 'uuid',
  event: 'string',
  distinct_id: 'string',
  elements_chain: 'string',
  team_id: 'number',
  $session_id: 'string',
  $window_id: 'string',
  $group_0: 'string',
  $group_1: 'string',
  $group_2: 'string',
  $group_3: 'string',
  $group_4: 'string',
  person_mode: 'string',
};
const EVENT_COLUMNS = [
  'uuid',
  'event',
  'properties',
  'timestamp',
  'distinct_id',
  'elements_chain',
  'created_at',
  'person_id',
  '$session_id',
  '$window_id',
  ...[0, 1, 2, 3, 4].map((index) => `$group_${index}`),
];

/** How a chain is found in events: `expose` gives the SQL a name where events are inside a subquery. */
function findInEvents(
  env: Environment,
  events: EventsSql & { group?(index: number): string; session?: string },
  expose: (key: string, sql: () => string) => string,
  [first, ...rest]: Chain,
): Value | undefined {
  const { alias, bound } = events;
  const { timezone } = env.context.project;
  const column = (name: string) => expose(name, () => `${alias}.\`${name}\``);
  const time = (name: string) => timeValue(column(name), timezone, bound);
  const property = (type: 'event' | 'person' | 'group', path: Chain, index?: number): Value | undefined => {
    const [name, ...inside] = path;
    if (name === undefined) return undefined;
    const json = expose(key([type, index ?? 0, name]), () => events.property(type, String(name), index).json);
    if (inside.length > 0) return propertyValue(jsonPath(json, inside, bound), undefined, timezone, bound);
    return propertyValue(asJsonValue(json), env.definedType(type, String(name)), timezone, bound);
  };
  if (typeof first !== 'string') return undefined;
  if (Object.hasOwn(PLAIN, first) && rest.length === 0) {
    const text = first === 'person_mode' ? expose(first, () => `toString(${alias}.person_mode)`) : column(first);
    return value(text, PLAIN[first]);
  }
  const group = /^(?:group|goe)_([0-4])$/.exec(first);
  if (group) return findInGroup(Number(group[1]));
  switch (first) {
    case 'timestamp':
    case 'created_at':
    case 'inserted_at':
      return rest.length === 0 ? time(first) : undefined;
    case 'properties':
      return rest.length > 0 ? property('event', rest) : value(wholeProperties(), 'json');
    case 'person_id':
      return rest.length === 0
        ? value(
            expose('person_id', () => events.personId),
            'uuid',
          )
        : undefined;
    case 'person':
    case 'poe':
      return findInPerson(rest);
    case 'pdi':
      if (rest[0] === 'person') return findInPerson(rest.slice(1));
      return rest[0] === 'person_id' || rest[0] === 'distinct_id' ? findInEvents(env, events, expose, rest) : undefined;
    case 'session':
      return findInSession(String(rest[0]));
    default:
      return undefined;
  }

  function wholeProperties(): string {
    return expose(
      'properties',
      () => `if(${alias}.properties_sent = '', ${alias}.properties, ${alias}.properties_sent)`,
    );
  }

  function findInPerson([name, ...path]: Chain): Value | undefined {
    if (name === 'id')
      return value(
        expose('person_id', () => events.personId),
        'uuid',
      );
    if (name === 'created_at') return time('person_created_at');
    if (name !== 'properties') return undefined;
    if (path.length > 0) return property('person', path);
    return value(
      expose('person_properties', () => `${alias}.person_properties`),
      'json',
    );
  }

  function findInGroup(index: number): Value | undefined {
    const [name, ...path] = rest;
    if (name === 'key') return value(column(`$group_${index}`), 'string');
    if (name === 'properties' && path.length > 0) return property('group', path, index);
    return undefined;
  }

  function findInSession(name: string): Value | undefined {
    if (name === 'id') return value(column('$session_id'), 'string');
    const wire = Object.hasOwn(SESSION_PROPERTIES, name) ? name : `$${name}`;
    const known = Object.hasOwn(SESSION_PROPERTIES, wire) ? SESSION_PROPERTIES[wire] : undefined;
    if (!known) return undefined;
    const read = () => events.property('session', wire);
    const text = expose(key(['session', wire]), () => `if(${read().isSet}, ${read().text}, NULL)`);
    return known.isText ? value(text, 'string', true) : value(`toFloat64OrNull(${text})`, 'number', true);
  }
}

function asJsonValue(json: string) {
  const text = `if(startsWith(${json}, '"'), JSONExtractString(${json}), ${json})`;
  return { json, text, isSet: `${json} NOT IN ('', 'null')`, number: `toFloat64OrNull(${text})` };
}

const openEvents: OpenTable = (env, alias, sampling) => {
  const events = env.openEvents();
  const columns = new Columns(alias);
  const expose = (name: string, sql: () => string) => columns.expose(name, sql);
  return {
    columns: EVENT_COLUMNS,
    events,
    find: (chain) => findInEvents(env, events, expose, chain),
    condition: (name, sql) => columns.expose(name, () => sql),
    print() {
      const team = env.bound.bind('Int64', env.context.project.id);
      const list = columns.print();
      return `(SELECT ${list} FROM ${events.from(sampling)} WHERE ${events.alias}.team_id = ${team}) AS ${alias}`;
    },
  };
};

/** The events of a statement that somebody else builds: an expression stands right in it. */
export function eventsInPlace(env: Environment, events: EventsSql): Source {
  return {
    columns: EVENT_COLUMNS,
    events,
    find: (chain) => findInEvents(env, events, (_, sql) => sql(), chain),
    condition: (_, sql) => sql,
    print: () => events.from(),
  };
}

// Tables that are known column by column

interface SimpleColumn {
  sql: string;
  type: TypeName;
  /** Properties of what, for a column of JSON. */
  of?: 'person' | 'group';
}

const simple =
  (columns: Readonly<Record<string, SimpleColumn>>, from: (team: string, env: Environment) => string): OpenTable =>
  (env, alias) => {
    const { bound, context } = env;
    const { timezone } = context.project;
    const asked = new Columns(alias);
    return {
      columns: Object.keys(columns),
      find([first, ...rest]) {
        const column = typeof first === 'string' && Object.hasOwn(columns, first) ? columns[first] : undefined;
        if (!column || (rest.length > 0 && column.type !== 'json')) return undefined;
        const sql = asked.expose(String(first), () => column.sql);
        if (column.type === 'datetime') return timeValue(sql, timezone, bound);
        if (rest.length === 0) return value(sql, column.type);
        const defined = rest.length === 1 ? env.definedType(column.of ?? 'person', String(rest[0])) : undefined;
        return propertyValue(jsonPath(sql, rest, bound), defined, timezone, bound);
      },
      print: () =>
        `(SELECT ${asked.print()} FROM (${from(bound.bind('Int64', context.project.id), env)}) AS t) AS ${alias}`,
    };
  };

const column = (sql: string, type: TypeName, of?: 'person' | 'group'): SimpleColumn => ({
  sql,
  type,
  ...(of && { of }),
});

const openPersons = simple(
  {
    id: column('t.id', 'uuid'),
    created_at: column('t.created_at', 'datetime'),
    properties: column('t.properties', 'json', 'person'),
    is_identified: column('t.is_identified', 'bool'),
  },
  (team) => `
    SELECT id,
           argMax(person.created_at, version) AS created_at,
           argMax(person.properties, version) AS properties,
           argMax(person.is_identified, version) AS is_identified
      FROM person
     WHERE team_id = ${team}
     GROUP BY id
    HAVING NOT argMax(is_deleted, version)`,
);

const openDistinctIds = simple(
  { distinct_id: column('t.distinct_id', 'string'), person_id: column('t.person_id', 'uuid') },
  (team) => `
    SELECT distinct_id, argMax(person_distinct_id.person_id, version) AS person_id
      FROM person_distinct_id
     WHERE team_id = ${team}
     GROUP BY distinct_id
    HAVING NOT argMax(is_deleted, version)`,
);

const openGroups = simple(
  {
    index: column('t.group_type_index', 'number'),
    key: column('t.group_key', 'string'),
    created_at: column('t.created_at', 'datetime'),
    properties: column('t.group_properties', 'json', 'group'),
  },
  (team) => `
    SELECT group_type_index, group_key,
           argMax(groups.created_at, version) AS created_at,
           argMax(groups.group_properties, version) AS group_properties
      FROM groups
     WHERE team_id = ${team}
     GROUP BY group_type_index, group_key`,
);

const openSessions = simple(
  {
    session_id: column('toString(t.session_id)', 'string'),
    distinct_id: column('t.distinct_id', 'string'),
    ...Object.fromEntries(
      Object.entries(SESSION_PROPERTIES).map(([name, { column: sql, isText }]) => {
        const type = name.endsWith('_timestamp') ? 'datetime' : isText ? 'string' : 'number';
        return [name, column(`t.\`${sql}\``, type)];
      }),
    ),
  },
  sessionsSql,
);

/** Who is in which cohort: a list that comes from elsewhere, as the members of one do for `in cohort`. */
const openCohortPeople = (isStatic: boolean) =>
  simple(
    { person_id: column('t.pair.2', 'uuid'), cohort_id: column('t.pair.1', 'number') },
    (_, { bound, context }) => {
      const people = context.cohortPeople(isStatic);
      const [cohorts, persons] = [people.then(({ cohorts }) => cohorts), people.then(({ persons }) => persons)];
      // They are awaited when the statement is asked; until then nobody listens for their failure.
      for (const list of [cohorts, persons]) list.catch(() => {});
      const pairs = `arrayZip(${bound.bind('Array(Int64)', cohorts)}, ${bound.bind('Array(UUID)', persons)})`;
      return `SELECT arrayJoin(${pairs}) AS pair`;
    },
  );

export const tables: Readonly<Record<string, OpenTable>> = {
  events: openEvents,
  persons: openPersons,
  person_distinct_ids: openDistinctIds,
  groups: openGroups,
  sessions: openSessions,
  cohort_people: openCohortPeople(false),
  static_cohort_people: openCohortPeople(true),
};
