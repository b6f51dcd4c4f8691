// Where expressions of HogQL stand in the JSON of a query, and which properties their trees speak of.
import { isDict } from '../../http/fields.ts';

/** All expressions in it, so that they can be parsed before anything is printed. */
export function listExpressions(json: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(json)) for (const each of json) listExpressions(each, found);
  if (!isDict(json)) return found;
  const add = (value: unknown) => {
    for (const each of Array.isArray(value) ? value : [value]) if (typeof each === 'string') found.add(each);
  };
  if (json.type === 'hogql') {
    add(json.key);
    add(json.property);
  }
  if (json.breakdown_type === 'hogql') add(json.breakdown);
  add(json.math_hogql);
  add(json.pathsHogQLExpression);
  add(json.funnelAggregateByHogQL);
  for (const value of Object.values(json)) if (typeof value === 'object') listExpressions(value, found);
  return found;
}

/** The names of properties that a tree may ask for, wherever they are kept. */
export function listPropertyNames(tree: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(tree)) for (const each of tree) listPropertyNames(each, found);
  if (!isDict(tree)) return found;
  if (tree.node === 'Field' && Array.isArray(tree.chain)) {
    const at = tree.chain.indexOf('properties');
    const name = at < 0 ? undefined : tree.chain[at + 1];
    if (typeof name === 'string') found.add(name);
  }
  if (tree.node === 'ArrayAccess' && isDict(tree.property) && typeof tree.property.value === 'string') {
    found.add(tree.property.value);
  }
  for (const value of Object.values(tree)) if (typeof value === 'object') listPropertyNames(value, found);
  return found;
}
