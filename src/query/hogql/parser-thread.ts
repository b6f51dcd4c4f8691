// A thread of its own for the parser: a text can keep it busy for long, or break it, and nobody else notices.
import { parentPort } from 'node:worker_threads';
import createParser, { type HogQLParser } from '@posthog/hogql-parser';

export interface ParseRequest {
  id: number;
  text: string;
  kind: 'select' | 'expression';
}

export interface ParseAnswer {
  id: number;
  /** JSON of the tree or of the parser's error; undefined when the parser broke. */
  json: string | undefined;
}

let parser: HogQLParser | undefined;

parentPort?.on('message', async ({ id, text, kind }: ParseRequest) => {
  parser ??= await createParser();
  let json: string | undefined;
  try {
    json = kind === 'select' ? parser.parseSelect(text) : parser.parseExpr(text);
  } catch {
    // After a fault inside it a module of WebAssembly is good for nothing.
    parser = undefined;
  }
  parentPort?.postMessage({ id, json } satisfies ParseAnswer);
});
