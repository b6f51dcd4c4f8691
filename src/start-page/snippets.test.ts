import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { apiSnippet, type Connection, eventSnippets } from './snippets.ts';

const run = promisify(execFile);
const projectKey = 'phc_testkey';
const codeOf = (id: string, connection: Connection) =>
  eventSnippets(connection).find((snippet) => snippet.id === id)?.code ?? '';

/** What the shell would hand to curl. */
async function curlArguments(code: string): Promise<string[]> {
  const { stdout } = await run('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${code}`]);
  return stdout.split('\0').slice(0, -1);
}

/** An address that a client may claim, with every character that means something to a shell or a script. */
const HOSTILE = new URL(`http://a'b"c$(id)\`id\`;d&e`).origin;

for (const origin of ['http://127.0.0.1:8000', 'https://[::1]:8443', HOSTILE]) {
  test(`the curl snippets mean what they say at ${origin}`, async () => {
    const sent = await curlArguments(codeOf('curl', { origin, projectKey }));
    const asked = await curlArguments(apiSnippet({ origin, projectKey }).code);

    const event = JSON.stringify({ api_key: projectKey, event: 'signed up', distinct_id: 'user-1' }, null, 2);
    assert.deepEqual(sent, [`${origin}/capture/`, '-H', 'Content-Type: application/json', '-d', event]);
    assert.deepEqual(asked, [`${origin}/api/projects/`, '-H', 'Authorization: Bearer phx_…']);
  });
}

test('a plain address stands in the curl snippet without quotes', () => {
  assert.match(
    codeOf('curl', { origin: 'http://127.0.0.1:8000', projectKey }),
    /^curl http:\/\/127.0.0.1:8000\/capture\/ /,
  );
});

test('the Node snippet, run as it is, sends its event with the project key', async () => {
  const received: { path: string | undefined; body: Buffer }[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    received.push({ path: request.url, body: await buffer(request) });
    response.setHeader('content-type', 'application/json').end('{"status":"Ok"}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  await run(process.execPath, ['--input-type=module', '--eval', codeOf('node', { origin, projectKey })]);
  server.close();

  const [batch] = received.filter(({ path }) => path === '/batch/');
  const { api_key, batch: events } = JSON.parse(String(gunzipSync(batch?.body ?? '')));
  assert.equal(api_key, projectKey);
  assert.equal(events.length, 1);
  assert.equal(events[0].event, 'signed up');
  assert.equal(events[0].distinct_id, 'user-1');
  assert.equal(events[0].properties.plan, 'free');
});

test('no address or key ends the literal that it stands in', () => {
  const connection = { origin: HOSTILE, projectKey: `phc_"'\\` };
  for (const id of ['web', 'node', 'python']) {
    const literals = codeOf(id, connection).match(/"(?:[^"\\]|\\.)*"/g) ?? [];
    const read = literals.map((literal) => JSON.parse(literal));
    assert.ok(read.includes(connection.origin), `${id}: the address`);
    assert.ok(read.includes(connection.projectKey), `${id}: the key`);
  }
});
