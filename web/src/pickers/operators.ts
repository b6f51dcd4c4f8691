// Comparisons of a property, in words.
import type { PropertyFilter } from '../query/nodes.ts';

export interface Operator {
  value: string;
  label: string;
  /** Any (or none) of several values will do. */
  isList?: boolean;
  isBare?: boolean;
}

export const operators: readonly Operator[] = [
  { value: 'exact', label: 'is', isList: true },
  { value: 'is_not', label: 'is not', isList: true },
  { value: 'icontains', label: 'contains' },
  { value: 'not_icontains', label: 'does not contain' },
  { value: 'regex', label: 'matches' },
  { value: 'not_regex', label: 'does not match' },
  { value: 'gt', label: 'is more than' },
  { value: 'gte', label: 'is at least' },
  { value: 'lt', label: 'is less than' },
  { value: 'lte', label: 'is at most' },
  { value: 'is_set', label: 'is set', isBare: true },
  { value: 'is_not_set', label: 'is not set', isBare: true },
  { value: 'is_date_before', label: 'is before' },
  { value: 'is_date_after', label: 'is after' },
];

const find = (operator: string) => operators.find(({ value }) => value === operator);

export const isListOperator = (operator: string) => find(operator)?.isList === true;
export const needsValue = (operator: string) => find(operator)?.isBare !== true;
export const defaultValueFor = (operator: string): PropertyFilter['value'] => (isListOperator(operator) ? [] : '');

/** A condition that somebody is still writing is not asked. */
export function isComplete({ key, operator, value }: PropertyFilter): boolean {
  if (key === '') return false;
  if (!needsValue(operator)) return true;
  return Array.isArray(value) ? value.length > 0 : value !== '' && value !== null && value !== undefined;
}
