import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createStoreClient } from '../store/client.ts';
import type { EventStore } from '../store/open.ts';
import { openSource } from './source.ts';

test('a connection that the store lets go when it is used again is no failure, and two are one', async () => {
  let cuts = 1;
  const server = createServer((request, response) => {
    cuts -= 1;
    if (cuts >= 0) request.socket.destroy();
    else response.end('{"rows":3}\n');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const source = openSource({ connect: () => createStoreClient({ url }, 5) } as unknown as EventStore);
  const count = () =>
    source.count({ team_id: 1, model: 'events', range: { from: null, to: 1 } }, new AbortController().signal);
  try {
    assert.equal(await count(), 3);
    cuts = 2;
    await assert.rejects(count(), /ClickHouse is not available/);
  } finally {
    await source.close();
    server.closeAllConnections();
    server.close();
  }
});
