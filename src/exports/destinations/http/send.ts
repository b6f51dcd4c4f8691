import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { NetworkGuard } from '../../network/guard.ts';
import { DestinationError } from '../destination.ts';

/** How often a batch is sent before the run as a whole is tried again, from its beginning. */
const ATTEMPTS = 5;
const WAIT_MS = 1_000;
const WAIT_MS_MAX = 30_000;
const ANSWER_MS = 60_000;
const ANSWER_BYTES_MAX = 64 * 1024;

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

export interface Sender {
  send(body: Buffer): Promise<void>;
  close(): void;
}

export function openSender(target: string, guard: NetworkGuard, signal: AbortSignal, waitMs = WAIT_MS): Sender {
  const url = guard.checkUrl(target, ['https:', 'http:']);
  const agents = guard.httpAgents({ maxSockets: 2 });
  return {
    async send(body) {
      for (let attempt = 1; ; attempt++) {
        const failure = await post(url, agents, body, signal).then(judge, toSendError);
        if (!failure) return;
        signal.throwIfAborted();
        if (failure.error.final || attempt === ATTEMPTS) throw failure.error;
        const wait = failure.waitMs ?? waitMs * 2 ** (attempt - 1);
        await delay(Math.min(wait, WAIT_MS_MAX), undefined, { signal });
      }
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

interface Failure {
  readonly error: DestinationError;
  readonly waitMs?: number;
}

/** What is wrong with an answer, if anything is. */
function judge({ status, body, headers }: Answer): Failure | undefined {
  const said = body === '' ? '' : `: ${body.slice(0, 500)}`;
  const fail = (kind: string, text: string, final: boolean) => ({ error: new DestinationError(kind, text, { final }) });
  if (status === 429 || status >= 500) {
    const seconds = Number(headers['retry-after']);
    const failure = fail('ServerError', `The server answered ${status}${said}`, false);
    return { ...failure, ...(seconds > 0 && { waitMs: seconds * 1_000 }) };
  }
  if (status >= 300 && status < 400) {
    return fail('Redirect', `The server is at another address, ${headers.location}. Set \`url\` to it`, true);
  }
  if (status >= 400) return fail('ClientError', `The server refused the events with ${status}${said}`, true);
  return judgeSuccess(body, fail);
}

/** Not everything that answers 200 has kept the events. */
function judgeSuccess(
  body: string,
  fail: (kind: string, text: string, final: boolean) => Failure,
): Failure | undefined {
  const answer = parseJson(body);
  if (typeof answer !== 'object' || answer === null || !('status' in answer)) {
    return fail('InvalidResponse', 'What answers there does not take events. Check `url`: it ends in /batch/', true);
  }
  if ('quota_limited' in answer) return fail('QuotaLimited', 'The project has used up its quota of events', false);
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toSendError(error: Error): Failure {
  if (error instanceof DestinationError) return { error };
  const text = `The connection to the server failed: ${error.message}`;
  return { error: new DestinationError('ConnectionError', text, { final: false, cause: error }) };
}

function post(
  url: URL,
  agents: ReturnType<NetworkGuard['httpAgents']>,
  body: Buffer,
  signal: AbortSignal,
): Promise<Answer> {
  const isSecure = url.protocol === 'https:';
  const options = {
    method: 'POST',
    agent: isSecure ? agents.https : agents.http,
    headers: { 'content-type': 'application/json', 'content-length': body.length, 'user-agent': 'tenrec' },
    signal,
    timeout: ANSWER_MS,
  };
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)(url, options, (response) => {
      readAnswer(response).then(resolve, reject);
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${ANSWER_MS / 1_000} s`)));
    request.on('error', reject);
    request.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) {
    if (body.length < ANSWER_BYTES_MAX) body += chunk;
  }
  return { status: response.statusCode ?? 0, body, headers: response.headers };
}
