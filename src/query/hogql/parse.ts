// Texts of HogQL → trees, each text once.
import { Worker } from 'node:worker_threads';
import { ApiError } from '../../http/errors.ts';
import { type Expression, isSelect, type Select } from './ast.ts';
import { hogqlError, positionAt } from './errors.ts';
import type { ParseAnswer, ParseRequest } from './parser-thread.ts';

export const TEXT_CHARACTERS_MAX = 100_000;
const PARSE_MS_MAX = 5_000;
const WAITING_MAX = 200;
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

/** The thread is started when the first text comes, and ended when nobody needs it any more. */
export function openParser(): HogqlParser {
  const trees = new Map<string, Tree>();
  const waiting = new Map<number, (answer: ParseAnswer | undefined) => void>();
  let remembered = 0;
  let worker: Worker | undefined;
  let count = 0;

  const start = (): Worker => {
    const started = new Worker(new URL('./parser-thread.ts', import.meta.url));
    started.on('message', (answer: ParseAnswer) => waiting.get(answer.id)?.(answer));
    started.on('error', () => {});
    started.on('exit', () => {
      if (worker !== started) return;
      worker = undefined;
      for (const settle of [...waiting.values()]) settle(undefined);
    });
    // After the listeners, which would hold the process again.
    started.unref();
    return started;
  };

  const ask = (text: string, kind: Kind): Promise<ParseAnswer | undefined> =>
    new Promise((resolve) => {
      worker ??= start();
      const id = ++count;
      const timer = setTimeout(() => {
        // The one that takes so long is the first in the queue; all of it is given up, and the next text starts anew.
        void worker?.terminate();
      }, PARSE_MS_MAX);
      waiting.set(id, (answer) => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(answer);
      });
      worker.postMessage({ id, text, kind } satisfies ParseRequest);
    });

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
    if (waiting.size >= WAITING_MAX) throw new ApiError(503, 'server_error', 'busy', 'Too many queries at once.');
    remember(key, toTree(await ask(text, kind), text));
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
      await worker?.terminate();
    },
  };
}

const keyOf = (text: string, kind: Kind) => `${kind}:${text}`;

const tooLong = (text: string) =>
  hogqlError(`A query may have ${TEXT_CHARACTERS_MAX} characters; this one has ${text.length}`);

function toTree(answer: ParseAnswer | undefined, text: string): Tree {
  if (answer?.json === undefined) return hogqlError('This text is too long or too deeply nested to be understood');
  const parsed = JSON.parse(answer.json) as Expression | { error: true; message: string; start: { offset: number } };
  if (!('error' in parsed)) return parsed;
  // The parser lists everything that it would have taken instead; nobody reads that.
  const detail = parsed.message.replace(/ expecting [\s\S]*$/, '').slice(0, 300);
  const start = positionAt(text, Math.min(parsed.start.offset, text.length));
  return hogqlError(`Syntax error: ${detail}`, { start });
}
