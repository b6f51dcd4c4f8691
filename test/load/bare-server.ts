// What Node's own HTTP server can do with the same requests: read the body, parse the JSON, answer the same bytes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const ANSWER = '{"status":"Ok"}';
const HEADERS = { 'content-length': ANSWER.length, 'content-type': 'application/json' };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    JSON.parse(body.toString());
    response.writeHead(200, HEADERS).end(ANSWER);
  });
});
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
