// Conditions → ClickHouse SQL. Names and values are bound; only what is in this file becomes SQL.
import type { BoundValues } from './bound-values.ts';
import type { Condition, Filter, Target, Test } from './parse.ts';

/** SQL for a value: as text, and whether there is one. */
export interface Operand {
  text: string;
  isSet: string;
}

export type OperandOf = (target: Target, bound: BoundValues) => Operand;

/** SQL of type Bool that is never null. */
export function filterSql(filter: Filter, operandOf: OperandOf, bound: BoundValues): string {
  if (filter.kind === 'condition') return conditionSql(filter, operandOf, bound);
  if (filter.members.length === 0) return 'true';
  return `(${filter.members.map((member) => filterSql(member, operandOf, bound)).join(` ${filter.join} `)})`;
}

function conditionSql({ target, test, negated }: Condition, operandOf: OperandOf, bound: BoundValues): string {
  const operand = operandOf(target, bound);
  const holds = test.kind === 'set' ? operand.isSet : `(${operand.isSet} AND ${testSql(test, operand.text, bound)})`;
  return negated ? `NOT ${holds}` : holds;
}

function testSql(test: Exclude<Test, { kind: 'set' }>, text: string, bound: BoundValues): string {
  switch (test.kind) {
    case 'equals':
      return `has(${bound.texts(test.texts)}, ${text})`;
    case 'contains':
      return `arrayExists(part -> positionCaseInsensitiveUTF8(${text}, part) > 0, ${bound.texts(test.texts)})`;
    case 'matches':
      return `(${test.texts.map((pattern) => `match(${text}, ${bound.text(pattern)})`).join(' OR ') || 'false'})`;
    case 'compares':
      return `ifNull(toFloat64OrNull(${text}) ${test.sign} ${bound.bind('Float64', test.number)}, false)`;
    case 'between': {
      const [from, to] = [bound.bind('Float64', test.from), bound.bind('Float64', test.to)];
      return `ifNull(toFloat64OrNull(${text}) BETWEEN ${from} AND ${to}, false)`;
    }
    case 'on':
    case 'before':
    case 'after':
      return `ifNull(${momentSql(test, `parseDateTime64BestEffortOrNull(${text}, 6, 'UTC')`, bound)}, false)`;
  }
}

/** A date alone means all of its day: after it is from the next one on. */
function momentSql(
  { kind, moment: { from, to } }: Extract<Test, { kind: 'on' | 'before' | 'after' }>,
  time: string,
  bound: BoundValues,
): string {
  if (kind === 'before') return `${time} < ${bound.moment(from)}`;
  if (kind === 'after') return `${time} ${to > from ? '>=' : '>'} ${bound.moment(to)}`;
  if (to > from) return `(${time} >= ${bound.moment(from)} AND ${time} < ${bound.moment(to)})`;
  return `${time} = ${bound.moment(from)}`;
}

/** The operand for a JSON text in which '' means no value, as derived columns and `JSONExtractRaw` have it. */
export function jsonOperand(json: string): Operand {
  return {
    text: `if(startsWith(${json}, '"'), JSONExtractString(${json}), ${json})`,
    isSet: `${json} NOT IN ('', 'null')`,
  };
}
