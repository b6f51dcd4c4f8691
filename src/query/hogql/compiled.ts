// What comes of a text of HogQL.
import type { BoundValues } from '../../filters/bound-values.ts';
import type { EventsSql } from '../sql/events-sql.ts';
import type { Value } from './value.ts';

/** What stands for the placeholders of a text. */
export interface Given {
  placeholder?(path: readonly (string | number)[]): { value: unknown } | undefined;
  filters?(events: EventsSql): string;
}

export interface PrintedColumn {
  name: string;
  value: Value;
}

export interface PrintedSelect {
  sql: string;
  columns: PrintedColumn[];
}

export interface CompiledSelect extends PrintedSelect {
  bound: BoundValues;
  /** As the text has them. */
  limit: number | undefined;
  offset: number | undefined;
}
