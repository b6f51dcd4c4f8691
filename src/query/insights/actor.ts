// Who acts: a person, or a group when the query counts groups.
import type { EventsSql } from '../sql/events-sql.ts';

export interface Actor {
  /** UUID of the person, or String: the group's key. */
  readonly key: string;
  /** Bool: whether the event has such an actor at all. */
  readonly exists: string;
}

export function actorSql(events: EventsSql, groupTypeIndex: number | null | undefined): Actor {
  if (groupTypeIndex === null || groupTypeIndex === undefined) return { key: events.personId, exists: 'true' };
  const key = events.groupKey(groupTypeIndex);
  return { key, exists: `${key} != ''` };
}
