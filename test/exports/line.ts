// A line that can be cut, between a client and a server on loopback.
import { createServer, type Socket } from 'node:net';

export interface Line {
  /** When set, each connection is cut after this many bytes from the client. */
  cutAfterBytes: number | undefined;
}

/** A server on loopback; closing it cuts whatever is connected. */
export async function listen(onSocket: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    onSocket(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      for (const socket of sockets) socket.destroy();
    });
  return { server, close };
}

/** Joins two connections: what ends one ends the other. */
export function forward(near: Socket, far: Socket, line: Line): void {
  let sent = 0;
  near.on('data', (chunk) => {
    sent += chunk.length;
    if (line.cutAfterBytes !== undefined && sent > line.cutAfterBytes) {
      near.destroy();
      far.destroy();
    }
  });
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
  near.on('close', () => far.destroy());
  far.on('close', () => near.destroy());
  near.pipe(far).pipe(near);
}
