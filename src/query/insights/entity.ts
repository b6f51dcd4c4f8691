// What a step of a funnel, a cohort of retention or an exclusion looks for: events by name, or an action.
import type { SeriesNode } from '../nodes.ts';
import type { EventsSql } from '../sql/events-sql.ts';

export interface Entity {
  /** Events of this name; null: all events. Without it, the action counts. */
  readonly event?: string | null;
  readonly actionId?: number;
  /** Several entities as one: any of them, or all at once. */
  readonly group?: { readonly operator: 'AND' | 'OR'; readonly entities: readonly Entity[] };
  /** Filters as the wire has them; all must hold. */
  readonly filters: readonly unknown[];
}

export function toEntity(node: SeriesNode): Entity {
  const filters = [node.properties, node.fixedProperties].filter((each) => each !== undefined && each !== null);
  if (node.kind === 'GroupNode') {
    return { group: { operator: node.operator, entities: node.nodes.map(toEntity) }, filters };
  }
  return node.kind === 'ActionsNode' ? { actionId: node.id, filters } : { event: node.event || null, filters };
}

/** Bool: whether the event is what the entity names, before any filter. */
export function namedSql(events: EventsSql, { event, actionId, group }: Entity): string {
  if (group) return `(${group.entities.map((each) => `(${entitySql(events, each)})`).join(` ${group.operator} `)})`;
  if (actionId !== undefined) return events.action(actionId);
  return event ? `${events.alias}.event = ${events.bound.text(event)}` : 'true';
}

/** Bool: whether the event is what the entity looks for. */
export function entitySql(events: EventsSql, entity: Entity): string {
  return allSql([namedSql(events, entity), ...entity.filters.map((filter) => events.filters(filter))]);
}

/** Bool: whether the event is what any of the entities looks for, in a form that the engine's index understands. */
export function anyEntitySql(events: EventsSql, entities: readonly Entity[]): string {
  const names = entities.map(namesOf);
  const isByName = names.every((some) => some !== undefined);
  const named = isByName ? `${events.alias}.event IN ${events.bound.texts([...new Set(names.flat())])}` : 'true';
  const isExact = isByName && entities.every(isUnfiltered);
  if (isExact) return named;
  const any = entities.map((entity) => `(${entitySql(events, entity)})`);
  return allSql([named, any.includes('(true)') ? 'true' : `(${any.join(' OR ')})`]);
}

/** Whether no event can be what two of them look for. */
export function areDisjoint(entities: readonly Entity[]): boolean {
  const names = entities.map((entity) => [...new Set(namesOf(entity))]);
  const isByName = entities.every((entity) => namesOf(entity) !== undefined);
  return isByName && new Set(names.flat()).size === names.flat().length;
}

/** The names of all events that the entity may look for; undefined when names do not tell. */
function namesOf({ event, group }: Entity): readonly string[] | undefined {
  if (typeof event === 'string') return [event];
  const names = group?.operator === 'OR' ? group.entities.map(namesOf) : [undefined];
  return names.every((some) => some !== undefined) ? names.flat() : undefined;
}

const isUnfiltered = ({ filters, group }: Entity): boolean =>
  filters.length === 0 && (group?.entities ?? []).every(isUnfiltered);

/** Conditions joined; those that always hold are left out. */
export function allSql(conditions: readonly string[]): string {
  return conditions.filter((condition) => condition !== 'true').join(' AND ') || 'true';
}
