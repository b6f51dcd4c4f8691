// Which events belong to an action, for lists that are made elsewhere.
import type { BoundValues } from '../filters/bound-values.ts';
import { type ContextParts, openContext } from './context.ts';
import type { QueryProject } from './kind.ts';

/** Prints a `SELECT` of the uuids of those that happened within the time; values may be promises (see `settled`). */
export type ActionEventsSql = (bound: BoundValues, range: { fromMicros: number; toMicros: number }) => string;

/** Undefined when the project has no such action. */
export async function findActionEvents(
  parts: ContextParts,
  project: QueryProject,
  id: number,
): Promise<ActionEventsSql | undefined> {
  const actions = await parts.facts.listActions(project.id);
  const action = actions.find((each) => each.id === id);
  if (!action) return undefined;
  const { signal } = new AbortController();
  const context = await openContext(parts, project, { now: Date.now(), signal, query: { action } });
  return (bound, range) => {
    const events = context.events(bound);
    const condition = `${events.within(range)} AND ${events.action(id)}`;
    return `SELECT ${events.alias}.uuid FROM ${events.from()} WHERE ${condition}`;
  };
}
