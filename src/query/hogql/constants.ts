// Values that a text gives, and values that stand for its placeholders → SQL. Texts are bound; numbers are printed by us.
import type { BoundValues } from '../../filters/bound-values.ts';
import { isDict } from '../../http/fields.ts';
import type { Constant } from './ast.ts';
import { hogqlError, type Place } from './errors.ts';
import { type Value, value } from './value.ts';

export function constantValue(node: Constant, bound: BoundValues): Value {
  if (node.value_type === 'number') return largeNumber(String(node.value), node);
  return plainValue(node.value ?? null, bound, node);
}

export function plainValue(given: unknown, bound: BoundValues, place: Place): Value {
  if (given === null || given === undefined) return value('NULL', 'unknown', true);
  if (typeof given === 'string') return value(bound.text(given), 'string');
  if (typeof given === 'boolean') return value(String(given), 'bool');
  if (typeof given === 'number') return value(printNumber(given), 'number');
  if (Array.isArray(given)) return value(`[${given.map((each) => plainValue(each, bound, place).sql).join(', ')}]`);
  if (isDict(given)) return value(bound.text(JSON.stringify(given)), 'json');
  throw hogqlError('This value cannot be used in a query', place);
}

function printNumber(number: number): string {
  if (Number.isNaN(number)) return 'nan';
  if (!Number.isFinite(number)) return number > 0 ? 'inf' : '-inf';
  return number < 0 ? `(${number})` : String(number);
}

function largeNumber(text: string, place: Place): Value {
  const special: Readonly<Record<string, string>> = { Infinity: 'inf', '-Infinity': '-inf', NaN: 'nan' };
  if (Object.hasOwn(special, text)) return value(special[text]!, 'number');
  if (/^-?\d{1,80}$/.test(text)) return value(text.startsWith('-') ? `(${text})` : text, 'number');
  throw hogqlError('This is no number', place);
}
