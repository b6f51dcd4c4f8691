// Formulas over series: `A / B * 100`. Letters are the series in order, case does not matter.
import { invalid } from '../../../http/errors.ts';

export type Formula =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'series'; readonly index: number }
  | { readonly kind: 'minus'; readonly of: Formula }
  | { readonly kind: 'apply'; readonly operator: Operator; readonly left: Formula; readonly right: Formula };

type Operator = '+' | '-' | '*' | '/' | '%' | '^';

const CHARACTERS_MAX = 500;
const TOKEN = /\s*(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|([a-z])(?![a-z])|(\*\*|[-+*/%^()]))/iy;

/** Throws a 400 that says where the text is wrong, or which series it names in vain. */
export function parseFormula(text: string, seriesCount: number): Formula {
  if (text.length > CHARACTERS_MAX) throw refusal(`A formula may have at most ${CHARACTERS_MAX} characters.`);
  const tokens = new Tokens(text);
  const formula = parseSum(tokens, seriesCount);
  if (tokens.next !== undefined) throw refusal(`"${tokens.next}" was not expected in the formula "${text}".`);
  return formula;
}

class Tokens {
  readonly #found: string[] = [];
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    const end = text.trimEnd().length;
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < end) {
      const from = TOKEN.lastIndex;
      const match = TOKEN.exec(text);
      if (!match) throw refusal(`"${text.slice(from).trim()}" cannot be understood in the formula "${text}".`);
      this.#found.push((match[1] ?? match[2]?.toUpperCase() ?? match[3] ?? '').replace('**', '^'));
    }
  }

  get next(): string | undefined {
    return this.#found[this.#at];
  }

  take(): string {
    const token = this.next;
    if (token === undefined) throw refusal(`The formula "${this.#text}" ends too early.`);
    this.#at += 1;
    return token;
  }

  takeIf<Token extends string>(...wanted: readonly Token[]): Token | undefined {
    const found = wanted.find((token) => token === this.next);
    if (found) this.#at += 1;
    return found;
  }
}

function parseSum(tokens: Tokens, series: number): Formula {
  let left = parseProduct(tokens, series);
  for (let operator = tokens.takeIf('+', '-'); operator; operator = tokens.takeIf('+', '-')) {
    left = { kind: 'apply', operator, left, right: parseProduct(tokens, series) };
  }
  return left;
}

function parseProduct(tokens: Tokens, series: number): Formula {
  let left = parseSigned(tokens, series);
  for (let operator = tokens.takeIf('*', '/', '%'); operator; operator = tokens.takeIf('*', '/', '%')) {
    left = { kind: 'apply', operator, left, right: parseSigned(tokens, series) };
  }
  return left;
}

/** A sign binds weaker than a power: `-2^2` is -4. */
function parseSigned(tokens: Tokens, series: number): Formula {
  const sign = tokens.takeIf('-', '+');
  if (sign === '-') return { kind: 'minus', of: parseSigned(tokens, series) };
  if (sign === '+') return parseSigned(tokens, series);
  const base = parsePrimary(tokens, series);
  if (!tokens.takeIf('^')) return base;
  return { kind: 'apply', operator: '^', left: base, right: parseSigned(tokens, series) };
}

function parsePrimary(tokens: Tokens, series: number): Formula {
  const token = tokens.take();
  if (token === '(') {
    const inner = parseSum(tokens, series);
    const closing = tokens.take();
    if (closing !== ')') throw refusal(`A ")" was expected in the formula, not "${closing}".`);
    return inner;
  }
  if (/^[A-Z]$/.test(token)) return { kind: 'series', index: seriesIndex(token, series) };
  if (/^[\d.]/.test(token)) return { kind: 'number', value: Number(token) };
  throw refusal(`A series or a number was expected in the formula, not "${token}".`);
}

function seriesIndex(letter: string, count: number): number {
  const index = letter.charCodeAt(0) - 'A'.charCodeAt(0);
  if (index < count) return index;
  const last = String.fromCharCode('A'.charCodeAt(0) + count - 1);
  throw refusal(
    `The formula names series ${letter}, but there ${count === 1 ? 'is only A' : `are only A to ${last}`}.`,
  );
}

const refusal = (detail: string) => invalid(detail, 'trendsFilter__formula');

/** What comes of it at one point; whatever has no finite value, such as a division by zero, is 0. */
export function evaluate(formula: Formula, valueAt: (series: number) => number): number {
  switch (formula.kind) {
    case 'number':
      return formula.value;
    case 'series':
      return valueAt(formula.index);
    case 'minus':
      return -evaluate(formula.of, valueAt) || 0;
    case 'apply': {
      const value = apply(formula.operator, evaluate(formula.left, valueAt), evaluate(formula.right, valueAt));
      // Without a sign: -0 would be another number to whoever compares answers.
      return Number.isFinite(value) ? value || 0 : 0;
    }
  }
}

function apply(operator: Operator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    // The remainder has the divisor's sign, as in Python, where formulas were first computed.
    case '%':
      return left - right * Math.floor(left / right);
    case '^':
      return left ** right;
  }
}
