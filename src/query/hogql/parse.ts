// Texts of HogQL → trees, each text once.
import { ApiError } from '../../http/errors.ts';
import { type Expression, isSelect, type Select } from './ast.ts';
import { hogqlError, positionAt } from './errors.ts';
import { ParserLane } from './parser-lane.ts';
import type { ParseRequest } from './parser-thread.ts';

export const TEXT_CHARACTERS_MAX = 100_000;
/** Whatever people write takes some 20 ms. */
const LIMITS = { processorMs: 3_000, clockMs: 30_000, waitingMax: 200 };
const SHORT_CHARACTERS = 2_000;
const REMEMBERED_TEXTS = 1_000;
const REMEMBERED_CHARACTERS = 4_000_000;

type Kind = ParseRequest['kind'];
type Tree = Expression | ApiError;

export interface HogqlParser {
  /** Parses what is not known yet, so that `expression` and `select` can answer at once. Never rejects for a bad text. */
  prepare(texts: Iterable<string>, kind?: Kind): Promise<void>;
  /** The tree of a prepared text; throws the 400 of a bad one. */
  expression(text: string): Expression;
  select(text: string): Select;
  close(): Promise<void>;
}

/** Threads are started when the first text comes. Long texts have one of their own, so that short ones need not wait. */
export function openParser(): HogqlParser {
  const trees = new Map<string, Tree>();
  const lanes = { short: new ParserLane(LIMITS), long: new ParserLane(LIMITS) };
  let remembered = 0;

  const remember = (key: string, tree: Tree) => {
    trees.set(key, tree);
    remembered += key.length;
    for (const oldest of trees.keys()) {
      if (trees.size <= REMEMBERED_TEXTS && remembered <= REMEMBERED_CHARACTERS) break;
      trees.delete(oldest);
      remembered -= oldest.length;
    }
  };

  const parse = async (text: string, kind: Kind): Promise<void> => {
    const key = keyOf(text, kind);
    if (trees.has(key)) return;
    if (text.length > TEXT_CHARACTERS_MAX) return;
    const lane = text.length > SHORT_CHARACTERS ? lanes.long : lanes.short;
    if (lane.isFull) throw new ApiError(503, 'server_error', 'busy', 'Too many queries at once; try again.');
    remember(key, toTree(await lane.parse(text, kind), text));
  };

  const find = (text: string, kind: Kind): Expression => {
    if (text.length > TEXT_CHARACTERS_MAX) throw tooLong(text);
    const tree = trees.get(keyOf(text, kind));
    if (!tree) throw new Error('this text of HogQL was not prepared');
    if (tree instanceof ApiError) throw tree;
    return tree;
  };

  return {
    async prepare(texts, kind = 'expression') {
      await Promise.all([...new Set(texts)].map((text) => parse(text, kind)));
    },
    expression: (text) => find(text, 'expression'),
    select(text) {
      const tree = find(text, 'select');
      if (!isSelect(tree)) throw hogqlError('This is no SELECT');
      return tree;
    },
    async close() {
      await Promise.all([lanes.short.close(), lanes.long.close()]);
    },
  };
}

const keyOf = (text: string, kind: Kind) => `${kind}:${text}`;

const tooLong = (text: string) =>
  hogqlError(`A query may have ${TEXT_CHARACTERS_MAX} characters; this one has ${text.length}`);

type Parsed = Expression | { error: true; message: string; start: { offset: number } };

function toTree(json: string | undefined, text: string): Tree {
  if (json === undefined) return hogqlError('This text is too long or too deeply nested to be understood');
  const parsed = JSON.parse(json) as Parsed;
  if (!('error' in parsed)) return parsed;
  // The parser lists everything that it would have taken instead; nobody reads that.
  const detail = parsed.message.replace(/ expecting [\s\S]*$/, '').slice(0, 300);
  const start = positionAt(text, Math.min(parsed.start.offset, text.length));
  return hogqlError(`Syntax error: ${detail}`, { start });
}
