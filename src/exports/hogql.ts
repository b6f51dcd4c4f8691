// Columns that a person chose: a `hogql_query` as what it selects of events.
import { invalid } from '../http/errors.ts';
import type { ReadHogql } from './change.ts';

export const readHogql: ReadHogql = async () => {
  throw invalid('Unsupported HogQL query', 'hogql_query');
};
