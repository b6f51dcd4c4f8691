import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { clockCheck, nodeCheck, portCheck } from './machine.ts';

const states = [
  ['Node 20', nodeCheck('20.11.1'), 'problem'],
  ['Node 24', nodeCheck('24.0.0'), 'ok'],
  ['Node 100', nodeCheck('100.0.0'), 'ok'],
  ['a clock that was never set', clockCheck(new Date(0)), 'problem'],
  ['a clock far ahead', clockCheck(new Date('2107-01-01')), 'problem'],
  ['a clock that is right', clockCheck(new Date('2031-05-05')), 'ok'],
] as const;

for (const [what, check, expected] of states) {
  test(`${what}: ${expected}`, async () => {
    assert.equal((await check.look()).state, expected);
  });
}

/** Somebody else's server, or one that answers as Tenrec does. */
async function listen(answer: object | undefined) {
  const server = createServer((_request, response) => response.end(answer ? JSON.stringify(answer) : 'hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.dispose]: () => server.close() };
}

const look = (PORT: number, HOST = '127.0.0.1') => portCheck({ HOST, PORT }).look();

test('a port that is taken by another program is a problem', async () => {
  using other = await listen(undefined);

  const { state, mend } = await look(other.port);

  assert.equal(state, 'problem');
  assert.match(mend ?? '', /set PORT/);
});

test('a port that Tenrec answers on is well', async () => {
  using tenrec = await listen({ status: 'ok', services: { PostgreSQL: 'ok' } });

  assert.equal((await look(tenrec.port)).state, 'ok');
});

test('a Tenrec that is not ready is worth a warning', async () => {
  using tenrec = await listen({ status: 'unavailable', services: { PostgreSQL: 'gone' } });

  assert.equal((await look(tenrec.port)).state, 'warning');
});

test('a host that is not of this machine is a problem', async () => {
  const { state, mend } = await look(4_242, '192.0.2.1');

  assert.equal(state, 'problem');
  assert.match(mend ?? '', /HOST/);
});

test('port 0 is always well', async () => {
  assert.equal((await look(0)).state, 'ok');
});
