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
  let json: string | undefined;
  try {
    json = kind === 'select' ? parser.parseSelect(text) : parser.parseExpr(text);
  } catch {
    // After a fault inside it a module of WebAssembly is good for nothing.
    parser = await createParser();
  }
  parentPort?.postMessage({ json } satisfies ParseAnswer);
});
parentPort?.postMessage({ isReady: true } satisfies ParseAnswer);
