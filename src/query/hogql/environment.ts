// What the text of a query is understood by: the project, its facts, and the values that stand for its placeholders.
import type { BoundValues } from '../../filters/bound-values.ts';
import type { QueryContext } from '../kind.ts';
import type { EventsSql } from '../sql/events-sql.ts';
import type { DefinedType } from './value.ts';

/** More nodes than this, common table expressions counted each time they are used, are no question of a person's. */
const NODES_MAX = 50_000;
const DEPTH_MAX = 150;

export interface Environment {
  readonly context: QueryContext;
  readonly bound: BoundValues;
  /** A new view of the events, for one reference to their table. */
  openEvents(): EventsSql;
  definedType(kind: 'event' | 'person' | 'group', name: string): DefinedType;
  /** What `{name}` stands for; undefined: nothing does. */
  placeholder(path: readonly (string | number)[]): { value: unknown } | undefined;
  /** The `filters` of the query, for `{filters}`. */
  filters(events: EventsSql): string;
  readonly budget: Budget;
}

export class Budget {
  #nodes = 0;
  #depth = 0;

  /** Runs one step down the tree; `fail` makes the error when the tree is larger or deeper than is allowed. */
  spend<T>(step: () => T, fail: (detail: string) => Error): T {
    this.#nodes += 1;
    if (this.#nodes > NODES_MAX) throw fail('The query is too large');
    if (this.#depth >= DEPTH_MAX) throw fail(`The query is nested more than ${DEPTH_MAX} deep`);
    this.#depth += 1;
    try {
      return step();
    } finally {
      this.#depth -= 1;
    }
  }
}
