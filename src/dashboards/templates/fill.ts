// Puts what was chosen into the places that a template leaves open.
import { isDict } from '../../http/fields.ts';
import type { Dict } from '../shapes.ts';

/** The same value, with every text `{ID}` replaced by the default of the variable with that id. */
export function fillPlaceholders<T>(value: T, variables: readonly Dict[]): T {
  const defaults = new Map(variables.map(({ id, default: fallback }) => [`{${id}}`, fallback]));
  const fill = (each: unknown): unknown => {
    if (typeof each === 'string') return defaults.has(each) ? defaults.get(each) : each;
    if (Array.isArray(each)) return each.map(fill);
    return isDict(each) ? Object.fromEntries(Object.entries(each).map(([name, inner]) => [name, fill(inner)])) : each;
  };
  return fill(value) as T;
}
