import assert from 'node:assert/strict';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { isPublicAddress } from './addresses.ts';
import { openGuard } from './guard.ts';

const addresses: Readonly<Record<string, boolean>> = {
  '8.8.8.8': true,
  '1.1.1.1': true,
  '172.15.255.255': true,
  '172.32.0.1': true,
  '192.167.255.255': true,
  '100.63.255.255': true,
  '100.128.0.1': true,
  '2606:4700:4700::1111': true,
  '2a00:1450:4001::200e': true,
  '::ffff:8.8.8.8': true,
  '64:ff9b::808:808': true,
  '0.0.0.0': false,
  '10.0.0.1': false,
  '100.64.0.1': false,
  '127.0.0.1': false,
  '127.255.255.254': false,
  '169.254.169.254': false,
  '172.16.0.1': false,
  '172.31.255.255': false,
  '192.168.1.1': false,
  '198.18.0.1': false,
  '203.0.113.9': false,
  '224.0.0.1': false,
  '255.255.255.255': false,
  '::': false,
  '::1': false,
  '::ffff:127.0.0.1': false,
  '::ffff:7f00:1': false,
  '0:0:0:0:0:ffff:10.0.0.1': false,
  '::127.0.0.1': false,
  '64:ff9b::7f00:1': false,
  '64:ff9b::a9fe:a9fe': false,
  'fe80::1': false,
  'fe80::1%eth0': false,
  'fc00::1': false,
  'fd12:3456:789a::1': false,
  'ff02::1': false,
  '2001:db8::1': false,
  '2001::1': false,
  '2002:7f00:1::': false,
  '100::1': false,
  'not an address': false,
};
for (const [address, isPublic] of Object.entries(addresses)) {
  test(`${address} is ${isPublic ? 'public' : 'not public'}`, () => {
    assert.equal(isPublicAddress(address), isPublic);
  });
}

const guard = openGuard({ privateNetworksAllowed: false });

test('a name that leads to this machine is refused', async () => {
  await assert.rejects(guard.resolve('localhost'), { kind: 'PrivateNetworkError', final: true });
  await assert.rejects(guard.resolve('127.0.0.1'), { kind: 'PrivateNetworkError' });
  await assert.rejects(guard.resolve('[::1]'), { kind: 'PrivateNetworkError' });
});

test('an address is read as everybody reads it, however it is written', () => {
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::ffff:127.0.0.1]', '0']) {
    assert.throws(() => guard.checkUrl(`http://${host}/`, ['http:']), { kind: 'PrivateNetworkError' });
  }
});

test('only URLs of the protocols that are meant are taken', () => {
  for (const url of ['ftp://example.com', 'file:///etc/passwd', 'example.com', '', '/var/run/socket']) {
    assert.throws(() => guard.checkUrl(url, ['https:', 'http:']), { kind: 'InvalidUrl', final: true });
  }
  assert.equal(guard.checkUrl('https://example.com/a', ['https:']).hostname, 'example.com');
});

test('an agent judges the very address it connects to', async () => {
  const server = createServer((_, response) => void response.end('inside')).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const url = `http://localhost:${(server.address() as AddressInfo).port}/`;
  const ask = (privateNetworksAllowed: boolean) => {
    const { http } = openGuard({ privateNetworksAllowed }).httpAgents();
    return new Promise<number | undefined>((resolve, reject) => {
      get(url, { agent: http }, (response) => resolve(response.resume().statusCode)).on('error', reject);
    }).finally(() => http.destroy());
  };
  try {
    await assert.rejects(ask(false), { kind: 'PrivateNetworkError' });
    assert.equal(await ask(true), 200);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
