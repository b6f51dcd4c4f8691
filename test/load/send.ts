// Requests to a program under load, with every kind of answer told apart.
import { Agent, request as httpRequest } from 'node:http';

export interface Sending {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
  /** On a connection of its own: one that was kept may have been closed while nobody looked. */
  fresh?: boolean;
}

export interface Answered {
  /** 0 when the connection ended without an answer. */
  status: number;
  text: string;
  retryAfter: string | undefined;
}

const ANSWER_MS_MAX = 60_000;
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

export function send(port: number, { method = 'POST', path, headers = {}, body, fresh }: Sending): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const connection = { host: '127.0.0.1', port, agent: fresh ? false : agent, timeout: ANSWER_MS_MAX };
    const options = { ...connection, method, path, headers };
    const request = httpRequest(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', () => resolve(noAnswer));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, retryAfter: response.headers['retry-after'] }),
      );
    });
    request.on('timeout', () => reject(new Error(`no answer to ${method} ${path} in ${ANSWER_MS_MAX} ms`)));
    request.on('error', () => resolve(noAnswer));
    request.end(body);
  });
}

const noAnswer: Answered = { status: 0, text: '', retryAfter: undefined };

export const sendJson = (port: number, path: string, value: unknown): Promise<Answered> =>
  send(port, { path, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) });
