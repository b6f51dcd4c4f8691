// The text of a regular expression → its tree. The syntax is that of RE2 and Rust, with look-around, without
// back-references. One character at a time is judged by JavaScript's own expressions, which know Unicode and cases.

export type Node =
  | { kind: 'empty' }
  | { kind: 'char'; char: CharTest }
  | { kind: 'assert'; assert: Assert }
  /** Holds where `looks[look]` of the pattern does. */
  | { kind: 'look'; look: number }
  | { kind: 'cat'; nodes: Node[] }
  | { kind: 'alt'; nodes: Node[] }
  | { kind: 'repeat'; node: Node; min: number; max: number };

/** Whether a code point is one of those meant. */
export type CharTest = (codePoint: number) => boolean;
/** Whether something holds between two characters, each -1 beyond the ends of the text. */
export type Assert = (before: number, after: number) => boolean;

export interface Look {
  node: Node;
  behind: boolean;
  negated: boolean;
}

export interface Tree {
  root: Node;
  /** Inner ones come before those that contain them. */
  looks: Look[];
}

export class PatternError extends Error {}

interface Flags {
  i: boolean;
  m: boolean;
  s: boolean;
}

const REPEAT_MAX = 1_000;
const NESTING_MAX = 100;
const PUNCTUATION = /^[!-/:-@[-`{-~ ]$/;
const CLASS_ESCAPES = 'dDwWsSpP';
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', a: '\x07' };
const POSIX: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: '0-9A-Za-z',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
  punct: '!-\\/:-@\\[-`\\{-~',
};

export function parsePattern(source: string): Tree {
  const parser = new Parser(source);
  const root = parser.alternatives({ i: false, m: false, s: false });
  if (!parser.done) throw new PatternError('unmatched )');
  return { root, looks: parser.looks };
}

class Parser {
  readonly looks: Look[] = [];
  readonly #chars: string[];
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#chars = [...source];
  }

  get done(): boolean {
    return this.#at >= this.#chars.length;
  }

  /** Up to the end or the parenthesis that closes the group. `flags` may be changed inside, by `(?i)`. */
  alternatives(outer: Flags): Node {
    this.#depth += 1;
    if (this.#depth > NESTING_MAX) throw new PatternError('groups are nested too deeply');
    const flags = { ...outer };
    const branches: Node[] = [this.#sequence(flags)];
    while (this.#take('|')) branches.push(this.#sequence(flags));
    this.#depth -= 1;
    return branches.length === 1 ? branches[0]! : { kind: 'alt', nodes: branches };
  }

  #sequence(flags: Flags): Node {
    const nodes: Node[] = [];
    while (!this.done && this.#peek() !== '|' && this.#peek() !== ')') nodes.push(this.#repeated(this.#atom(flags)));
    return nodes.length === 1 ? nodes[0]! : { kind: 'cat', nodes };
  }

  #repeated(node: Node): Node {
    for (;;) {
      const range = this.#quantifier();
      if (!range) return node;
      this.#take('?'); // Greedy or not makes no difference to whether there is a match.
      node = { kind: 'repeat', node, ...range };
    }
  }

  #quantifier(): { min: number; max: number } | undefined {
    if (this.#take('*')) return { min: 0, max: Infinity };
    if (this.#take('+')) return { min: 1, max: Infinity };
    if (this.#take('?')) return { min: 0, max: 1 };
    const counted = /^\{(\d{1,6})(?:(,)(\d{0,6}))?\}/.exec(this.#rest(20));
    if (!counted) return undefined;
    this.#at += counted[0].length;
    const min = Number(counted[1]);
    const max = counted[2] === undefined ? min : counted[3] === '' ? Infinity : Number(counted[3]);
    if (min > REPEAT_MAX || (max !== Infinity && max > REPEAT_MAX)) throw new PatternError('repeats too often');
    if (max < min) throw new PatternError('repeats at most less often than at least');
    return { min, max };
  }

  #atom(flags: Flags): Node {
    const char = this.#next();
    switch (char) {
      case '(':
        return this.#group(flags);
      case '[':
        return this.#class(flags);
      case '.':
        return { kind: 'char', char: flags.s ? () => true : (codePoint) => codePoint !== 10 };
      case '^':
        return assert(flags.m ? (before) => before === -1 || before === 10 : (before) => before === -1);
      case '$':
        return assert(flags.m ? (_, after) => after === -1 || after === 10 : (_, after) => after === -1);
      case '\\':
        return this.#escape(flags);
      case '*':
      case '+':
      case '?':
        throw new PatternError(`nothing to repeat before ${char}`);
      default:
        return literal(char, flags);
    }
  }

  #group(flags: Flags): Node {
    const look = /^\?(<?)([=!])/.exec(this.#rest(3));
    if (look) {
      this.#at += look[0].length;
      const node = this.#closed(flags);
      this.looks.push({ node, behind: look[1] === '<', negated: look[2] === '!' });
      return { kind: 'look', look: this.looks.length - 1 };
    }
    const opening = /^\?(?::|P?<[A-Za-z_]\w*>|([imsU]*)(?:-([imsU]+))?([:)]))/.exec(this.#rest(120));
    if (opening) {
      this.#at += opening[0].length;
      if (opening[3] === undefined) return this.#closed(flags);
      const inner = opening[3] === ')' ? flags : { ...flags };
      for (const flag of opening[1] ?? '') if (flag !== 'U') inner[flag as keyof Flags] = true;
      for (const flag of opening[2] ?? '') if (flag !== 'U') inner[flag as keyof Flags] = false;
      return opening[3] === ')' ? { kind: 'empty' } : this.#closed(inner);
    }
    if (this.#peek() === '?') throw new PatternError('unknown kind of group');
    return this.#closed(flags);
  }

  #closed(flags: Flags): Node {
    const node = this.alternatives(flags);
    if (!this.#take(')')) throw new PatternError('missing )');
    return node;
  }

  #escape(flags: Flags): Node {
    const char = this.#next();
    if (char === 'b') return assert((before, after) => isWord(before) !== isWord(after));
    if (char === 'B') return assert((before, after) => isWord(before) === isWord(after));
    if (char === 'A') return assert((before) => before === -1);
    if (char === 'z') return assert((_, after) => after === -1);
    return { kind: 'char', char: charTest(this.#escaped(char), flags) };
  }

  /** What follows a backslash, as a JavaScript class atom. */
  #escaped(char: string): string {
    if (CLASS_ESCAPES.includes(char)) return `\\${char}${/[pP]/.test(char) ? this.#propertyName() : ''}`;
    const control = CONTROLS[char];
    if (control) return quote(control);
    if (char === 'x' || char === 'u') return quote(this.#numbered(char));
    if (PUNCTUATION.test(char)) return quote(char);
    throw new PatternError(`\\${char} is not known here`);
  }

  #propertyName(): string {
    const name = /^(?:\{[\w=]+\}|[A-Z])/.exec(this.#rest(60))?.[0];
    if (!name) throw new PatternError('\\p needs a name');
    this.#at += name.length;
    return name.startsWith('{') ? name : `{${name}}`;
  }

  #numbered(kind: 'x' | 'u'): string {
    const digits = (
      kind === 'x' ? /^(?:\{([\da-f]{1,6})\}|([\da-f]{2}))/i : /^(?:\{([\da-f]{1,6})\}|([\da-f]{4}))/i
    ).exec(this.#rest(8));
    const codePoint = Number.parseInt(digits?.[1] ?? digits?.[2] ?? '', 16);
    if (!digits || codePoint > 0x10ffff) throw new PatternError(`\\${kind} needs the number of a character`);
    this.#at += digits[0].length;
    return String.fromCodePoint(codePoint);
  }

  #class(flags: Flags): Node {
    let inside = this.#take('^') ? '^' : '';
    for (let first = true; ; first = false) {
      const char = this.#next();
      const posix = char === '[' ? /^:(\^?)([a-z]+):\]/.exec(this.#rest(12)) : null;
      if (char === ']' && !first) break;
      if (posix) {
        const known = POSIX[posix[2] ?? ''];
        if (!known || posix[1]) throw new PatternError(`[${posix[0]} is not known here`);
        this.#at += posix[0].length;
        inside += known;
      } else if (char === '\\') inside += this.#escaped(this.#next());
      else if (char === '-') inside += '-';
      else inside += quote(char);
    }
    return { kind: 'char', char: charTest(tidyHyphens(inside), flags) };
  }

  #peek(): string | undefined {
    return this.#chars[this.#at];
  }

  #rest(length: number): string {
    return this.#chars.slice(this.#at, this.#at + length).join('');
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at += 1;
    return true;
  }

  #next(): string {
    const char = this.#peek();
    if (char === undefined) throw new PatternError('ends too early');
    this.#at += 1;
    return char;
  }
}

const assert = (holds: Assert): Node => ({ kind: 'assert', assert: holds });

const isWord = (codePoint: number) =>
  (codePoint >= 48 && codePoint <= 57) ||
  (codePoint >= 65 && codePoint <= 90) ||
  codePoint === 95 ||
  (codePoint >= 97 && codePoint <= 122);

const quote = (char: string) => `\\u{${char.codePointAt(0)!.toString(16)}}`;

/** A hyphen beside `\d` and its like means itself; JavaScript would refuse it. */
const tidyHyphens = (inside: string) =>
  inside.replace(/(\\[dDwWsS]|\\[pP]\{[^}]*\})-/g, '$1\\-').replace(/-(?=\\[dDwWsSpP])/g, '\\-');

function literal(char: string, flags: Flags): Node {
  const codePoint = char.codePointAt(0)!;
  if (!flags.i) return { kind: 'char', char: (given) => given === codePoint };
  return { kind: 'char', char: charTest(quote(char), flags) };
}

function charTest(inside: string, flags: Flags): CharTest {
  let test: RegExp;
  try {
    test = new RegExp(`^[${inside}]$`, flags.i ? 'iu' : 'u');
  } catch {
    throw new PatternError(`[${inside}] is no set of characters`);
  }
  const ascii = Uint8Array.from({ length: 128 }, (_, codePoint) => Number(test.test(String.fromCodePoint(codePoint))));
  return (codePoint) => (codePoint < 128 ? ascii[codePoint] === 1 : test.test(String.fromCodePoint(codePoint)));
}
