import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { createGunzip } from 'node:zlib';
import { eventually } from '../conformance/asking.ts';
import { answerStream } from './answer.ts';

const CHUNK_BYTES = 64 * 1024;
/** More than the kernel usually keeps between two sockets. */
const CHUNKS = 512;
const EMPTY = { bytes: new Uint8Array(), rowsRead: 0, bytesRead: 0, elapsedSeconds: 0 };

/** A pipe whose chunks are all in one buffer: each is full of its own number. */
function numberedChunks() {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let given = 0;
  return {
    given: () => given,
    async next() {
      if (given === CHUNKS) return undefined;
      buffer.fill(given % 256);
      given += 1;
      return buffer;
    },
  };
}

let answering: { pipe: ReturnType<typeof numberedChunks>; response: ServerResponse } | undefined;
const server = createServer((request, response) => {
  answering = { pipe: numberedChunks(), response };
  const acceptEncoding = String(request.headers['accept-encoding'] ?? '');
  answerStream(response, answering.pipe, Promise.resolve(EMPTY), { format: 'Parquet', acceptEncoding }).catch(() => {});
});
before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
after(() => server.close());

async function ask(acceptEncoding: string): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const headers = { 'accept-encoding': acceptEncoding };
  const [answer] = await once(get({ port, host: '127.0.0.1', headers, agent: false }), 'response');
  return answer;
}

async function requireNumbers(bytes: AsyncIterable<Buffer>): Promise<void> {
  let at = 0;
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length; ) {
      const number = Math.floor(at / CHUNK_BYTES);
      const to = Math.min(chunk.length, from + (number + 1) * CHUNK_BYTES - at);
      const expected = Buffer.alloc(to - from, number % 256);
      assert.ok(chunk.subarray(from, to).equals(expected), `chunk ${number} is as it was read`);
      at += to - from;
      from = to;
    }
  }
  assert.equal(at, CHUNKS * CHUNK_BYTES);
}

test('a client that takes its time gets every byte, though all chunks are read into one buffer', async () => {
  const answer = await ask('');
  const { pipe, response } = answering!;
  await eventually(async () => response.writableNeedDrain || pipe.given() === CHUNKS, 'nothing more can be sent');
  await requireNumbers(answer);
});

test('the same holds of a compressed answer', async () => {
  const answer = await ask('gzip');
  await requireNumbers(answer.pipe(createGunzip()));
});

test('when the client leaves in the middle, no more is read', async () => {
  const answer = await ask('');
  const { pipe, response } = answering!;
  answer.destroy();
  await eventually(async () => response.closed, 'the answer has ended');
  const given = pipe.given();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(pipe.given(), given);
});
