// Says where a JSON text goes wrong, in the words of the parser that the wire's clients know.

class Fault extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const BLANK = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const NOT_JSON = /NaN|-?Infinity/y;

/** The first fault of a text that `JSON.parse` refused: `Expecting value: line 1 column 1 (char 0)`. */
export function describeJsonFault(text: string): string {
  try {
    const end = skipBlank(text, scanValue(text, skipBlank(text, 0)));
    return end < text.length ? place(text, new Fault('Extra data', end)) : 'Invalid JSON';
  } catch (error) {
    if (error instanceof Fault) return place(text, error);
    throw error;
  }
}

function place(text: string, { message, at }: Fault): string {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  const column = characters(before.slice(lineStart)) + 1;
  return `${message}: line ${line} column ${column} (char ${characters(before)})`;
}

const characters = (text: string) => [...text].length;

function scanValue(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return scanString(text, at);
  if (first === '{') return scanObject(text, at);
  if (first === '[') return scanArray(text, at);
  const notJson = match(NOT_JSON, text, at);
  if (notJson) throw new Fault(`Out of range float values are not JSON compliant: '${notJson}'`, at);
  const literal = match(WORD, text, at) || match(NUMBER, text, at);
  if (!literal) throw new Fault('Expecting value', at);
  return at + literal.length;
}

function scanObject(text: string, start: number): number {
  let at = skipBlank(text, start + 1);
  if (text[at] === '}') return at + 1;
  for (;;) {
    if (text[at] !== '"') throw new Fault('Expecting property name enclosed in double quotes', at);
    at = skipBlank(text, scanString(text, at));
    if (text[at] !== ':') throw new Fault("Expecting ':' delimiter", at);
    at = skipBlank(text, scanValue(text, skipBlank(text, at + 1)));
    if (text[at] === '}') return at + 1;
    if (text[at] !== ',') throw new Fault("Expecting ',' delimiter", at);
    at = skipBlank(text, at + 1);
  }
}

function scanArray(text: string, start: number): number {
  let at = skipBlank(text, start + 1);
  if (text[at] === ']') return at + 1;
  for (;;) {
    at = skipBlank(text, scanValue(text, at));
    if (text[at] === ']') return at + 1;
    if (text[at] !== ',') throw new Fault("Expecting ',' delimiter", at);
    at = skipBlank(text, at + 1);
  }
}

function scanString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at] as string;
    if (character === '"') return at + 1;
    if (character < ' ') throw new Fault('Invalid control character at', at);
    if (character !== '\\') continue;
    at += 1;
    if (at >= text.length) break;
    if (text[at] === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) throw new Fault('Invalid \\uXXXX escape', at);
    } else if (!'"\\/bfnrt'.includes(text[at] as string)) {
      throw new Fault('Invalid \\escape', at - 1);
    }
  }
  throw new Fault('Unterminated string starting at', start);
}

function skipBlank(text: string, at: number): number {
  return at + match(BLANK, text, at).length;
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** How deep the arrays and objects of a JSON text go; brackets inside strings do not count. */
export function nestingDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return deepest;
}
