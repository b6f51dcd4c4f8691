// What a filter means, said a second time: one event at a time, slowly, without SQL.
import type { Condition, Filter, Test } from '../../src/filters/parse.ts';

export type Lookup = (target: Condition['target']) => unknown;

export function holds(filter: Filter, lookup: Lookup): boolean {
  if (filter.kind === 'condition') {
    const value = lookup(filter.target);
    const positive = value !== undefined && value !== null && passes(filter.test, toText(value));
    return positive !== filter.negated;
  }
  if (filter.members.length === 0) return true;
  return filter.join === 'AND'
    ? filter.members.every((member) => holds(member, lookup))
    : filter.members.some((member) => holds(member, lookup));
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function passes(test: Test, text: string): boolean {
  switch (test.kind) {
    case 'set':
      return true;
    case 'equals':
      return test.texts.includes(text);
    case 'contains':
      return test.texts.some((part) => text.toLowerCase().includes(part.toLowerCase()));
    case 'matches':
      return test.texts.some((pattern) => new RegExp(pattern, 'su').test(text));
    case 'compares':
      return isNumber(text) && compare(Number(text), test.sign, test.number);
    case 'between':
      return isNumber(text) && Number(text) >= test.from && Number(text) <= test.to;
    default:
      throw new Error(`the reference knows nothing of ${test.kind}`);
  }
}

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text);

function compare(one: number, sign: '>' | '>=' | '<' | '<=', other: number): boolean {
  if (sign === '>') return one > other;
  if (sign === '>=') return one >= other;
  return sign === '<' ? one < other : one <= other;
}
