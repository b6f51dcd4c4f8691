// Texts of HogQL → statements.
import { BoundValues } from '../../filters/bound-values.ts';
import type { QueryContext } from '../kind.ts';
import type { EventsSql } from '../sql/events-sql.ts';
import type { Select } from './ast.ts';
import type { CompiledSelect, Given } from './compiled.ts';
import { Budget, type Environment } from './environment.ts';
import type { HogqlParser } from './parse.ts';
import { Resolver } from './resolver.ts';
import { Scope } from './scope.ts';
import { countOf, printSelect } from './select.ts';
import { eventsInPlace } from './tables.ts';
import type { DefinedType } from './value.ts';

export type DefinedTypes = ReadonlyMap<string, DefinedType>;

/** Properties of events, persons and groups are defined apart. */
export const definedKey = (kind: 'event' | 'person' | 'group', name: string) => `${kind}:${name}`;

function openEnvironment(context: QueryContext, bound: BoundValues, types: DefinedTypes, given: Given): Environment {
  return {
    context,
    bound,
    openEvents: () => context.events(bound),
    definedType: (kind, name) => types.get(definedKey(kind, name)),
    placeholder: given.placeholder ?? (() => undefined),
    filters: given.filters ?? (() => 'true'),
    budget: new Budget(),
  };
}

/** SQL of an expression in a statement over `events` that somebody else prints. The text was prepared. */
export function compileExpression(
  parser: HogqlParser,
  context: QueryContext,
  types: DefinedTypes,
  text: string,
  events: EventsSql,
): string {
  const env = openEnvironment(context, events.bound, types, {});
  const scope = new Scope();
  scope.sources.set('events', eventsInPlace(env, events));
  const print = (node: Select, around: Environment, outer: Scope) => printSelect(node, around, text, outer).sql;
  return new Resolver(env, scope, print).sql(parser.expression(text));
}

/** A whole SELECT, without the limit and offset of its outermost level, which are the caller's to apply. */
export function compileSelect(
  tree: Select,
  text: string,
  context: QueryContext,
  types: DefinedTypes,
  given: Given = {},
): CompiledSelect {
  const bound = new BoundValues();
  const env = openEnvironment(context, bound, types, given);
  if (tree.node === 'SelectSetQuery') {
    return { ...printSelect(tree, env, text), bound, limit: undefined, offset: undefined };
  }
  const { limit, offset, ...rest } = tree;
  const printed = printSelect({ ...rest, limit: null, offset: null }, env, text);
  return { ...printed, bound, limit: limit ? countOf(limit) : undefined, offset: offset ? countOf(offset) : undefined };
}
