import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAddress } from './client-address.ts';

const cases = [
  { headers: {}, socket: '203.0.113.7', address: '203.0.113.7' },
  { headers: {}, socket: '::ffff:203.0.113.7', address: '203.0.113.7' },
  { headers: {}, socket: undefined, address: undefined },
  { headers: { 'x-forwarded-for': '198.51.100.1, 10.0.0.1' }, socket: '10.0.0.2', address: '198.51.100.1' },
  { headers: { 'x-forwarded-for': '198.51.100.1:4711' }, socket: '10.0.0.2', address: '198.51.100.1' },
  { headers: { 'x-forwarded-for': '2001:db8::1' }, socket: '10.0.0.2', address: '2001:db8::1' },
  { headers: { http_x_forwarded_for: '198.51.100.1' }, socket: '10.0.0.2', address: '198.51.100.1' },
  { headers: { 'x-real-ip': '198.51.100.1' }, socket: '10.0.0.2', address: '198.51.100.1' },
  { headers: { 'x-forwarded-for': 'unknown' }, socket: '10.0.0.2', address: '10.0.0.2' },
  { headers: { 'x-forwarded-for': ' ' }, socket: '10.0.0.2', address: '10.0.0.2' },
];
for (const { headers, socket, address } of cases) {
  test(`${JSON.stringify(headers)} from ${socket}: ${address}`, () => {
    assert.equal(clientAddress(headers, socket), address);
  });
}
