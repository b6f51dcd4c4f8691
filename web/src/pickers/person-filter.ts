// Conditions on people and groups, as flags, cohorts and lists of persons have them.
import { isListOperator, needsValue } from './operators.ts';

export interface PersonFilter {
  /** A property's name; `id` for a cohort; a flag's number. */
  key: string;
  type: 'person' | 'group' | 'cohort' | 'flag';
  operator?: string | undefined;
  value?: string | number | boolean | (string | number)[] | null | undefined;
  group_type_index?: number | undefined;
  /** Told by the server beside the number. */
  cohort_name?: string | null | undefined;
}

const isEmpty = (value: PersonFilter['value']) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A condition that somebody is still writing is not asked. */
export function isFilterComplete({ key, type, operator = 'exact', value }: PersonFilter): boolean {
  if (key === '') return false;
  if (type === 'cohort' || type === 'flag') return !isEmpty(value);
  return !needsValue(operator) || !isEmpty(value);
}

/** What is kept of a value when the comparison changes: a list and a single text do not fit each other. */
export function withOperator(filter: PersonFilter, operator: string): PersonFilter {
  const fits = isListOperator(operator) === isListOperator(filter.operator ?? 'exact');
  if (!needsValue(operator)) return { ...filter, operator, value: operator };
  const value = fits && !isEmpty(filter.value) ? filter.value : isListOperator(operator) ? [] : '';
  return { ...filter, operator, value };
}

export const newFilter = (group_type_index?: number): PersonFilter => ({
  key: '',
  type: group_type_index === undefined ? 'person' : 'group',
  operator: 'exact',
  value: [],
  ...(group_type_index !== undefined && { group_type_index }),
});
