// ClickHouse's HTTP protocol in front of the engine, as far as `@clickhouse/client` speaks it.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answerFailure, answerStream, answerWhole, clientLeft } from './answer.ts';
import { spool } from './body.ts';
import type { Engine } from './engine.ts';
import { refusal, toEngineError } from './engine-error.ts';
import { openPipe } from './pipe.ts';
import { type EngineRequest, isAllowed, parseRequest } from './request.ts';
import { type InsertStatement, type OtherStatement, parseStatement, type ReadStatement } from './statement.ts';

/** Parameters travel in the URL; ClickHouse's own limit for it is 1 MiB. */
const HEADER_BYTES_MAX = 1024 * 1024 + 16 * 1024;
const KEEP_ALIVE_MS = 30_000;
const UPLOAD_MS_MAX = 3_600_000;
const ABORTED = 236;
const SYNTAX_ERROR = 62;

/** Serves the engine; `onFatal` is told when the engine says that it will answer nothing any more. */
export function createEngineServer(engine: Engine, password: string, onFatal: (error: Error) => void): Server {
  const server = createServer({ maxHeaderSize: HEADER_BYTES_MAX }, (request, response) => {
    handle(engine, password, request, response).catch((thrown) => {
      const error = toEngineError(thrown);
      if (error.code === ABORTED) onFatal(error);
      if (response.headersSent) response.destroy();
      else answerFailure(response, error);
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = UPLOAD_MS_MAX;
  return server;
}

async function handle(engine: Engine, password: string, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://engine');
  if (url.pathname === '/ping') {
    await engine.ping();
    response.end('Ok.\n');
    return;
  }
  if (!isAllowed(request, url, password)) {
    throw refusal(516, 'AUTHENTICATION_FAILED', 'Authentication failed: password is incorrect.');
  }
  if (url.pathname !== '/' || (request.method !== 'GET' && request.method !== 'POST')) {
    response.writeHead(404).end(`There is no handle ${request.method} ${url.pathname}\n`);
    return;
  }
  const asked = await parseRequest(request, url);
  response.setHeader('X-ClickHouse-Query-Id', asked.query_id ?? randomUUID());
  response.setHeader('X-ClickHouse-Timezone', 'UTC');
  const statement = parseStatement(asked.text, asked.data !== undefined);
  requireParams(statement.placeholders, asked);
  if (request.method === 'GET' && statement.kind !== 'read') {
    throw refusal(164, 'READONLY', 'A GET request can only read; send this statement by POST.');
  }
  const left = new AbortController();
  response.once('close', () => left.abort(clientLeft()));
  if (statement.kind === 'read') await read(engine, statement, asked, response, left.signal);
  else if (statement.kind === 'insert') await insert(engine, statement, asked, response, left.signal);
  else await runOther(engine, statement, asked, response, left.signal);
}

/** The engine keeps parameters in its sessions, so one that is missing must not be looked for there. */
function requireParams(placeholders: ReadonlySet<string>, { params }: EngineRequest): void {
  for (const name of placeholders) {
    if (!params.has(name)) throw refusal(456, 'UNKNOWN_QUERY_PARAMETER', `Substitution \`${name}\` is not set.`);
  }
}

async function read(
  engine: Engine,
  statement: ReadStatement,
  asked: EngineRequest,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const options = { format: statement.format ?? asked.defaultFormat, acceptEncoding: asked.acceptEncoding };
  await engine.read(asked, signal, async (run, path) => {
    const pipe = openPipe(path);
    const running = run(statement.into(path, asked.defaultFormat), asked.defaultFormat).finally(() => pipe.finish());
    // A failure is looked at when the pipe has been read to its end, and not before.
    running.catch(() => {});
    try {
      await answerStream(response, pipe, running, options);
    } catch (error) {
      if (toEngineError(error).code !== SYNTAX_ERROR || response.headersSent) throw error;
      // The engine complains about the text as we changed it. Asked as it came, it names the right place.
      const result = await run(statement.text, asked.defaultFormat);
      answerWhole(response, result.bytes, result, options);
    } finally {
      // Until the query has ended somebody must read, or the engine waits in the middle of a write (or of opening the
      // pipe) where no KILL reaches it.
      pipe.drop();
      await running.catch(() => {});
    }
  });
}

async function insert(
  engine: Engine,
  statement: InsertStatement,
  asked: EngineRequest,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  await using file = await spool(asked.data!, engine.spoolFolder);
  const result = await engine.insert(asked, signal, (run) => run(statement.from(file.path), asked.defaultFormat));
  answerWhole(response, new Uint8Array(), result, { format: asked.defaultFormat, acceptEncoding: '', written: true });
}

async function runOther(
  engine: Engine,
  statement: OtherStatement,
  asked: EngineRequest,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const format = asked.defaultFormat;
  const result = await engine.other(asked, signal, (run) => run(statement.text, format, statement.changesSession));
  answerWhole(response, result.bytes, result, { format, acceptEncoding: asked.acceptEncoding });
}
