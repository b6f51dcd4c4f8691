// Conditions in groups: within a group all of them hold, or any; and so do the groups. The API takes a plain list, too.
import type { PropertyFilter } from './nodes.ts';

export type Join = 'AND' | 'OR';

export interface FilterGroup {
  type: Join;
  values: PropertyFilter[];
}

export interface FilterGroups {
  type: Join;
  values: FilterGroup[];
}

type Given = PropertyFilter[] | object | undefined;

const isGroup = (given: unknown): given is { type?: unknown; values: unknown[] } =>
  typeof given === 'object' && given !== null && Array.isArray((given as { values?: unknown }).values);

const joinOf = (given: { type?: unknown }): Join => (given.type === 'OR' ? 'OR' : 'AND');

/** The groups of a question, whichever way it writes them; undefined for what is nested deeper than one can edit here. */
export function readGroups(given: Given): FilterGroups | undefined {
  if (!isGroup(given)) {
    const values = Array.isArray(given) ? given : [];
    return { type: 'AND', values: values.length === 0 ? [] : [{ type: 'AND', values }] };
  }
  const type = joinOf(given);
  // Conditions that stand beside groups are groups of one.
  const values = given.values.map((each): FilterGroup | undefined => {
    if (!isGroup(each)) return { type: 'AND', values: [each as PropertyFilter] };
    return each.values.some(isGroup) ? undefined : { type: joinOf(each), values: each.values as PropertyFilter[] };
  });
  return values.includes(undefined) ? undefined : { type, values: values as FilterGroup[] };
}

/** As the question keeps them: a plain list wherever one is enough. */
export function toProperties({ type, values }: FilterGroups): PropertyFilter[] | FilterGroups {
  const isList = values.every((group) => group.type === 'AND') && (type === 'AND' || values.length < 2);
  return isList ? values.flatMap((group) => group.values) : { type, values };
}
