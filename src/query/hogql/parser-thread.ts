// A thread of its own for the parser: a text can keep it busy for long, or break it, and nobody else notices.
import { parentPort } from 'node:worker_threads';
import createParser from '@posthog/hogql-parser';

export interface ParseRequest {
  text: string;
  kind: 'select' | 'expression';
}

/** JSON of the tree or of the parser's error; undefined when the parser broke. The first message only says: ready. */
export type ParseAnswer = { isReady: true } | { json: string | undefined };

let parser = await createParser();

parentPort?.on('message', async ({ text, kind }: ParseRequest) => {
  let json = '';
  try {
    json = kind === 'select' ? parser.parseSelect(text) : parser.parseExpr(text);
  } catch {
    // Told by the answer, which is not there.
  }
  // Some hundred levels deep its stack runs over, which it notices or not. Either way the module is good for nothing.
  const isWhole = json.endsWith('}');
  if (!isWhole) parser = await createParser();
  parentPort?.postMessage({ json: isWhole ? json : undefined } satisfies ParseAnswer);
});
parentPort?.postMessage({ isReady: true } satisfies ParseAnswer);
