// Who is in a cohort, as the editor has it (any of several groups, each with conditions that all hold) and as the API
// has it (a tree). Pure.
import type { FilterTree } from '../../api/use-cohorts.ts';
import { isFilterComplete, type PersonFilter } from '../../pickers/person-filter.ts';

export type TimeUnit = 'hour' | 'day' | 'week' | 'month';

/** What people did, or did not do, so often within a time up to now. */
export interface Deed {
  type: 'behavioral';
  event: string;
  isNegated: boolean;
  /** At least so often. */
  times: number;
  within: number;
  unit: TimeUnit;
}

export type Condition = PersonFilter | Deed;
export type ConditionGroup = readonly Condition[];

export const isDeed = (condition: Condition): condition is Deed => condition.type === 'behavioral';

export const newDeed = (): Deed => ({
  type: 'behavioral',
  event: '',
  isNegated: false,
  times: 1,
  within: 30,
  unit: 'day',
});

const isComplete = (condition: Condition) =>
  isDeed(condition)
    ? condition.event !== '' && condition.times > 0 && condition.within > 0
    : isFilterComplete(condition);

/** Whether there is something in every group, and nothing is left half written. */
export const isReady = (groups: readonly ConditionGroup[]) =>
  groups.length > 0 && groups.every((group) => group.length > 0 && group.every(isComplete));

function toLeaf(condition: Condition): Record<string, unknown> {
  if (isDeed(condition)) {
    const { event, isNegated, times, within, unit } = condition;
    return {
      type: 'behavioral',
      key: event,
      event_type: 'events',
      value: times === 1 ? 'performed_event' : 'performed_event_multiple',
      ...(times > 1 && { operator: 'gte', operator_value: times }),
      time_value: within,
      time_interval: unit,
      negation: isNegated,
    };
  }
  if (condition.type === 'cohort') {
    return { type: 'cohort', key: 'id', value: condition.value, negation: condition.operator === 'not_in' };
  }
  return { type: 'person', key: condition.key, operator: condition.operator, value: condition.value };
}

export const toTree = (groups: readonly ConditionGroup[]): FilterTree => ({
  type: 'OR',
  values: groups.map((group) => ({ type: 'AND', values: group.map(toLeaf) })),
});

type Leaf = Record<string, unknown>;

/** Undefined for what the editor has no words for. */
function fromLeaf(leaf: Leaf): Condition | undefined {
  const isNegated = leaf.negation === true;
  if (leaf.type === 'behavioral') {
    const isCounted = leaf.value === 'performed_event_multiple' && leaf.operator === 'gte';
    const isKnown = (leaf.value === 'performed_event' || isCounted) && leaf.explicit_datetime == null;
    if (!isKnown || (Array.isArray(leaf.event_filters) && leaf.event_filters.length > 0)) return undefined;
    return {
      type: 'behavioral',
      event: String(leaf.key),
      isNegated,
      times: isCounted ? Number(leaf.operator_value) : 1,
      within: Number(leaf.time_value),
      unit: leaf.time_interval as TimeUnit,
    };
  }
  if (leaf.type === 'cohort') {
    return { type: 'cohort', key: 'id', operator: isNegated ? 'not_in' : 'in', value: Number(leaf.value) };
  }
  if (leaf.type !== 'person' || isNegated) return undefined;
  return {
    type: 'person',
    key: String(leaf.key),
    operator: String(leaf.operator ?? 'exact'),
    value: leaf.value as PersonFilter['value'],
  };
}

const isTree = (node: FilterTree | Leaf): node is FilterTree => Array.isArray(node.values);

/** The groups of the editor; undefined when the tree says more than the editor can. */
export function fromTree(tree: FilterTree): ConditionGroup[] | undefined {
  const branches = tree.type === 'OR' ? tree.values : [tree];
  const groups = branches.map((branch) => {
    const leaves = isTree(branch) ? branch.values : [branch];
    if (isTree(branch) && branch.type === 'OR' && leaves.length > 1) return undefined;
    const conditions = leaves.map((leaf) => (isTree(leaf) ? undefined : fromLeaf(leaf)));
    return conditions.includes(undefined) ? undefined : (conditions as Condition[]);
  });
  return groups.includes(undefined) ? undefined : (groups as ConditionGroup[]);
}
