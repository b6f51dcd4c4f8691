// Reads just enough of a ClickHouse statement to know where its data comes from and where its result goes.
// chDB takes a statement as one text and answers it as one buffer. Inserts are therefore given the path of a file that
// holds their data (`FROM INFILE`), and results are led into a pipe (`INTO OUTFILE`); both clauses are put in here.
import { refusal } from './engine-error.ts';

export type Statement = ReadStatement | InsertStatement | OtherStatement;

/** Answers rows: its result can be led anywhere. */
export interface ReadStatement {
  kind: 'read';
  text: string;
  format: string | undefined;
  placeholders: ReadonlySet<string>;
  /** The text with its result written to the file or pipe at `path`. */
  into(path: string, defaultFormat: string): string;
}

/** `INSERT … FORMAT X` or `INSERT … VALUES` whose data comes apart from the statement. */
export interface InsertStatement {
  kind: 'insert';
  format: string;
  placeholders: ReadonlySet<string>;
  /** The text with its data read from the file at `path`. */
  from(path: string): string;
}

/** Everything else: definitions, `INSERT … SELECT`, inserts with their data inline. Run as it is. */
export interface OtherStatement {
  kind: 'other';
  text: string;
  placeholders: ReadonlySet<string>;
  /** It changes the session it runs in, which must not serve anyone else afterwards. */
  changesSession: boolean;
}

interface Token {
  text: string;
  /** Upper-cased when it is a bare word, empty otherwise; quoted names are never words. */
  word: string;
  start: number;
  end: number;
  depth: number;
}

const TOKEN = new RegExp(
  [
    /(?<blank>\s+|--[^\n]*|\/\/[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?(?:\*\/|$))/,
    /(?<quoted>'(?:[^'\\]+|\\[\s\S]|'')*'?|"(?:[^"\\]+|\\[\s\S]|"")*"?|`(?:[^`\\]+|\\[\s\S]|``)*`?)/,
    /(?<heredoc>\$(?<tag>\w*)\$[\s\S]*?\$\k<tag>\$)/,
    /(?<name>[A-Za-z_]\w*)/,
    /(?<other>\d[\w.]*|[\s\S])/,
  ]
    .map((part) => part.source)
    .join('|'),
  'gy',
);

const READS = new Set(['SELECT', 'WITH', 'FROM', 'SHOW', 'DESCRIBE', 'DESC', 'EXPLAIN', 'EXISTS', 'CHECK', 'KILL']);
const CHANGES_SESSION = new Set(['SET', 'USE']);

/** A single-quoted literal that the engine reads back as exactly this text. */
export function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`;
}

/** Recognises a statement. `hasBody` says that data came apart from the text, as with `?query=INSERT…` and a body. */
export function parseStatement(text: string, hasBody: boolean): Statement {
  const opening = firstWord(text);
  if (opening === 'INSERT') return parseInsert(text, hasBody);
  const tokens = withoutEnd([...scan(text)]);
  const top = tokens.filter((token) => token.depth === 0);
  const placeholders = listPlaceholders(tokens);
  const writes = opening === 'WITH' && top.some((token) => token.word === 'INSERT');
  if (!READS.has(opening) || writes) {
    const temporary = top.slice(0, 4).some((token) => token.word === 'TEMPORARY');
    const changesSession = CHANGES_SESSION.has(opening) || temporary;
    return { kind: 'other', text, placeholders, changesSession };
  }
  return parseRead(text, tokens, top, placeholders);
}

function parseRead(text: string, tokens: Token[], top: Token[], placeholders: Set<string>): ReadStatement {
  if (top.some((token, at) => token.word === 'INTO' && top[at + 1]?.word === 'OUTFILE')) {
    throw refusal(48, 'NOT_IMPLEMENTED', 'INTO OUTFILE is not allowed: results are answered over HTTP.');
  }
  const last = tokens.at(-1)?.end ?? text.length;
  const clause = findFormat(top);
  const head = text.slice(0, clause?.start ?? last);
  const tail = clause ? text.slice(clause.end, last) : '';
  return {
    kind: 'read',
    text,
    format: clause?.format,
    placeholders,
    // On a line of its own, for the text before it may end in a comment.
    into: (path, defaultFormat) =>
      `${head}\nINTO OUTFILE ${quote(path)} TRUNCATE FORMAT ${clause?.format ?? defaultFormat}${tail}`,
  };
}

/** `FORMAT name` where only settings follow; anywhere else the word is somebody's column. */
function findFormat(top: Token[]): { start: number; end: number; format: string } | undefined {
  for (let at = top.length - 2; at >= 0; at -= 1) {
    const [word, name, next] = [top[at]!, top[at + 1]!, top[at + 2]];
    if (word.word !== 'FORMAT' || name.word === '') continue;
    const followed = next !== undefined && (next.word !== 'SETTINGS' || top[at + 3]?.word === undefined);
    if (!followed) return { start: word.start, end: name.end, format: name.text };
  }
  return undefined;
}

function parseInsert(text: string, hasBody: boolean): Statement {
  const tokens: Token[] = [];
  let settingsAt: number | undefined;
  let from: Token | undefined;
  for (const token of scan(text)) {
    const previous = tokens.at(-1);
    tokens.push(token);
    if (token.depth > 0) continue;
    if (token.word === 'SETTINGS') settingsAt ??= token.start;
    if (token.word === 'SELECT' || token.word === 'WITH' || token.word === 'INFILE') {
      if (hasBody) throw refusal(48, 'NOT_IMPLEMENTED', 'An INSERT … SELECT takes no data in the body.');
      return other(text, [...scan(text)]);
    }
    // What follows is data, which only the engine can read.
    if (token.word === 'VALUES' || (previous?.word === 'FORMAT' && token.word !== '')) {
      from = token;
      break;
    }
  }
  const inline = from !== undefined && text.slice(from.end).trim() !== '';
  if (from === undefined || inline || !hasBody) return other(text, tokens);
  const values = tokens.at(-2)?.word !== 'FORMAT';
  const format = values ? 'Values' : from.text;
  const clauseAt = values ? from.start : tokens.at(-2)!.start;
  const fileAt = settingsAt ?? clauseAt;
  return {
    kind: 'insert',
    format,
    placeholders: listPlaceholders(tokens),
    from: (path) =>
      `${text.slice(0, fileAt)}\nFROM INFILE ${quote(path)} COMPRESSION 'none'\n${text.slice(fileAt, clauseAt)}FORMAT ${format}`,
  };
}

function other(text: string, tokens: Token[]): OtherStatement {
  return { kind: 'other', text, placeholders: listPlaceholders(tokens), changesSession: false };
}

/** Drops a closing semicolon. ClickHouse runs one statement a request, and so a second one is refused. */
function withoutEnd(tokens: Token[]): Token[] {
  const end = tokens.findIndex((token) => token.text === ';');
  if (end === -1) return tokens;
  const extra = tokens.slice(end).find((token) => token.text !== ';');
  if (extra) {
    throw refusal(62, 'SYNTAX_ERROR', `Multi-statements are not allowed: failed at position ${extra.start + 1}.`);
  }
  return tokens.slice(0, end);
}

/** The names of `{name:Type}`. */
function listPlaceholders(tokens: Token[]): Set<string> {
  const names = new Set<string>();
  for (let at = 0; at + 2 < tokens.length; at += 1) {
    if (tokens[at]!.text === '{' && tokens[at + 1]!.word !== '' && tokens[at + 2]!.text === ':') {
      names.add(tokens[at + 1]!.text);
    }
  }
  return names;
}

function firstWord(text: string): string {
  for (const token of scan(text)) if (token.text !== '(') return token.word;
  return '';
}

/** The tokens that matter: no blanks, no comments. Lazy, for an INSERT may carry megabytes of data behind its first words. */
function* scan(text: string): Generator<Token> {
  let depth = 0;
  TOKEN.lastIndex = 0;
  // Each step starts where this scan stands, since scans of other texts may come between two steps.
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text)!;
    const start = at;
    at = TOKEN.lastIndex;
    const { blank, name } = match.groups!;
    if (blank !== undefined) continue;
    const token = match[0];
    if (token === ')' || token === ']') depth = Math.max(0, depth - 1);
    yield { text: token, word: name?.toUpperCase() ?? '', start, end: at, depth };
    if (token === '(' || token === '[') depth += 1;
  }
}
