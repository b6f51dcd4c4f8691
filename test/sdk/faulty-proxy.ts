// Stands between a client and the program, and fails as networks and busy servers do.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Fault =
  /** Answers without asking the program. */
  | { refuse: number }
  /** The program gets the request and answers, but the client never learns it. */
  | 'lose the answer'
  /** The client is cut off before the program hears of it. */
  | 'cut off';

export interface FaultyProxy extends AsyncDisposable {
  url: string;
  /** What became of each request: the status that the client saw, or the fault's name. */
  fates: (number | string)[];
  /** Each request's address and type of content; a browser tells nobody else of its beacons. */
  seen: { url: URL; type: string }[];
}

/** The first requests meet these faults, in order; all later ones pass, and so does every preflight. */
export async function startFaultyProxy(target: string, faults: Fault[]): Promise<FaultyProxy> {
  const fates: (number | string)[] = [];
  const seen: FaultyProxy['seen'] = [];
  const left = [...faults];
  const server = createServer((incoming, outgoing) => {
    if (incoming.method === 'OPTIONS') return pass(target, incoming, (answer) => relay(answer, outgoing));
    seen.push({ url: new URL(incoming.url ?? '/', target), type: incoming.headers['content-type'] ?? '' });
    const fault = left.shift();
    if (fault === 'cut off') {
      fates.push(fault);
      incoming.socket.destroy();
    } else if (fault && fault !== 'lose the answer') {
      fates.push(fault.refuse);
      incoming.resume();
      // A page is told only what it may read.
      const cors = { 'access-control-allow-origin': incoming.headers.origin ?? '*' };
      outgoing.writeHead(fault.refuse, cors).end('{}');
    } else {
      pass(target, incoming, (answer) => {
        fates.push(fault ?? answer.statusCode ?? 0);
        if (fault) incoming.socket.destroy();
        else relay(answer, outgoing);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fates,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(target: string, incoming: IncomingMessage, onAnswer: (answer: IncomingMessage) => void): void {
  const forwarded = request(target + incoming.url, { method: incoming.method ?? 'POST', headers: incoming.headers });
  forwarded.on('response', onAnswer);
  incoming.pipe(forwarded);
}

function relay(answer: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(outgoing);
}
