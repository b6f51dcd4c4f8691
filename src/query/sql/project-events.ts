// The events of one project in one statement: see `EventsSql`.
import type { BoundValues } from '../../filters/bound-values.ts';
import { jsonOperand } from '../../filters/sql.ts';
import { invalid } from '../../http/errors.ts';
import { overriddenIdsSql } from '../../store/tables/people.ts';
import { HOT_PROPERTIES, hotColumn, isCustomPersonProperty, isCustomProperty } from '../../store/tables/properties.ts';
import type { Action, QueryProject } from '../kind.ts';
import { actionSql } from './actions.ts';
import { EVENTS, type EventsSql, type PropertyType, type ValueSql } from './events-sql.ts';
import { filtersSql } from './filters.ts';
import { SESSION_PROPERTIES, sessionsSql } from './sessions.ts';

/** What is known about the project before a statement is printed. */
export interface EventsSurroundings {
  readonly project: QueryProject;
  readonly now: number;
  /** Some ids belong to other persons than their events' rows say; without any, rows are taken as they are. */
  readonly hasOverrides: boolean;
  action(id: number): Action;
  cohortMembers(id: number): Promise<string[]>;
  /** SQL of a HogQL expression over these events. */
  compile(expression: string, events: EventsSql): string;
}

const NOBODY = "toUUID('00000000-0000-0000-0000-000000000000')";

export class ProjectEvents implements EventsSql {
  readonly bound: BoundValues;
  readonly alias: string;
  readonly #around: EventsSurroundings;
  readonly #joins = new Map<string, string>();

  constructor(around: EventsSurroundings, bound: BoundValues, alias = EVENTS) {
    this.#around = around;
    this.bound = bound;
    this.alias = alias;
  }

  get team(): string {
    return this.bound.bind('Int64', this.#around.project.id);
  }

  #column(name: string): string {
    return `${this.alias}.\`${name}\``;
  }

  /** Joins once, under a name of its own; what is joined has one row at most for each event. */
  #join(name: string, print: (alias: string) => string): string {
    const alias = this.alias === EVENTS ? name : `${this.alias}__${name}`;
    if (!this.#joins.has(alias)) this.#joins.set(alias, print(alias));
    return alias;
  }

  get personId(): string {
    if (!this.#around.hasOverrides) return `${this.alias}.person_id`;
    const alias = this.#join(
      'overridden',
      (name) =>
        `LEFT ANY JOIN (${overriddenIdsSql(this.team)}) AS ${name} ON ${name}.distinct_id = ${this.alias}.distinct_id`,
    );
    return `if(${alias}.person_id = ${NOBODY}, ${this.alias}.person_id, ${alias}.person_id)`;
  }

  property(type: PropertyType, key: string, groupTypeIndex?: number | null): ValueSql {
    switch (type) {
      case 'event':
        return jsonValue(this.#eventJson(key));
      case 'person':
        return jsonValue(this.#personJson(key));
      case 'event_metadata':
        return this.#metadata(key);
      case 'session':
        return this.#session(key);
      case 'group':
        return jsonValue(this.#groupJson(key, groupTypeIndex));
    }
  }

  #eventJson(key: string): string {
    if ((HOT_PROPERTIES as readonly string[]).includes(key)) return this.#column(hotColumn(key));
    if (isCustomProperty(key)) return `${this.alias}.properties_custom[${this.bound.text(key)}]`;
    return `JSONExtractRaw(${this.alias}.properties, ${this.bound.text(key)})`;
  }

  /** What the person was like when the event was stored. */
  #personJson(key: string): string {
    if (isCustomPersonProperty(key)) return `${this.alias}.person_properties_custom[${this.bound.text(key)}]`;
    return `JSONExtractRaw(${this.alias}.person_properties, ${this.bound.text(key)})`;
  }

  #metadata(key: string): ValueSql {
    const columns: Readonly<Record<string, string>> = {
      event: this.#column('event'),
      distinct_id: this.#column('distinct_id'),
      timestamp: this.#column('timestamp'),
      uuid: this.#column('uuid'),
      elements_chain: this.#column('elements_chain'),
      ...(key === 'person_id' && { person_id: this.personId }),
    };
    const column = Object.hasOwn(columns, key) ? columns[key] : undefined;
    if (!column) {
      throw invalid(`"${key}" is no column of events; there are: ${Object.keys(columns).join(', ')}, person_id.`);
    }
    return textValue(`toString(${column})`, 'true');
  }

  #session(key: string): ValueSql {
    const property = Object.hasOwn(SESSION_PROPERTIES, key) ? SESSION_PROPERTIES[key] : undefined;
    if (!property) {
      throw invalid(`Sessions have no "${key}"; there are: ${Object.keys(SESSION_PROPERTIES).join(', ')}.`);
    }
    const session = this.session;
    return textValue(`toString(${session}.\`${property.column}\`)`, `${session}.event_count > 0`, property.isText);
  }

  /** The alias of the session that the event belongs to; its `event_count` is 0 when there is none. */
  get session(): string {
    return this.#join(
      'session',
      (name) =>
        `LEFT ANY JOIN (${sessionsSql(this.team)}) AS ${name} ON ${name}.session_id = toUUIDOrZero(${this.#column('$session_id')})`,
    );
  }

  #groupJson(key: string, index: number | null | undefined): string {
    return `JSONExtractRaw(${this.group(index ?? 0)}.group_properties, ${this.bound.text(key)})`;
  }

  /** The alias of the group that the event belongs to. */
  group(index: number): string {
    const ofKey = this.groupKey(index);
    return this.#join(
      `group_${index}`,
      (name) =>
        `LEFT ANY JOIN (${groupsSql(this.team, this.bound.bind('UInt8', index))}) AS ${name} ON ${name}.group_key = ${ofKey}`,
    );
  }

  groupKey(index: number): string {
    if (!Number.isInteger(index) || index < 0 || index > 4) {
      throw invalid(`There is no group type ${index}; they are numbered 0 to 4.`, 'group_type_index');
    }
    return this.#column(`$group_${index}`);
  }

  filters(json: unknown): string {
    const { now } = this.#around;
    return filtersSql(json, { events: this, now, inCohort: (id) => this.inCohort(id) });
  }

  inCohort(id: number): string {
    const members = this.#around.cohortMembers(id);
    // It is awaited when the statement is asked; until then nobody listens for its failure.
    members.catch(() => {});
    return `${this.personId} IN (SELECT arrayJoin(${this.bound.bind('Array(UUID)', members)}))`;
  }

  testAccounts(filterTestAccounts: boolean | null | undefined): string {
    return filterTestAccounts ? this.filters(this.#around.project.testAccountFilters) : 'true';
  }

  action(id: number): string {
    return actionSql(this.#around.action(id), this);
  }

  hogql(expression: string): string {
    return this.#around.compile(expression, this);
  }

  within({ fromMicros, toMicros }: { fromMicros: number; toMicros: number }): string {
    const { alias, bound } = this;
    return `${alias}.team_id = ${this.team} AND ${alias}.timestamp >= ${bound.moment(fromMicros)} AND ${alias}.timestamp < ${bound.moment(toMicros)}`;
  }

  from(samplingFactor?: number | null): string {
    return this.fromTable('events', samplingFactor);
  }

  /** The same with something else in the place of the table: a subquery with the same columns. */
  fromTable(table: string, samplingFactor?: number | null): string {
    const sample = samplingFactor && samplingFactor < 1 ? ` SAMPLE ${toSample(samplingFactor)}` : '';
    return [`${table} AS ${this.alias}${sample}`, ...this.#joins.values()].join('\n');
  }
}

/** The engine takes no bound value here. */
function toSample(factor: number): string {
  if (!(factor > 0)) throw invalid('The sampling factor must be a number over 0, and at most 1.', 'samplingFactor');
  return factor.toFixed(9);
}

const groupsSql = (team: string, index: string) => `
  SELECT group_key, argMax(group_properties, version) AS group_properties, min(created_at) AS created_at
    FROM groups
   WHERE team_id = ${team} AND group_type_index = ${index}
   GROUP BY group_key`;

function jsonValue(json: string): ValueSql {
  const { text, isSet } = jsonOperand(json);
  return { json, text: `if(${isSet}, ${text}, '')`, isSet, number: `toFloat64OrNull(${text})` };
}

function textValue(text: string, isSet: string, isText = true): ValueSql {
  const json = isText ? `toJSONString(${text})` : text;
  return { json: `if(${isSet}, ${json}, '')`, text, isSet, number: `if(${isSet}, toFloat64OrNull(${text}), NULL)` };
}
