import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settleEventName } from './event-name.ts';

const cases = [
  { sent: 'order paid', stored: 'order paid' },
  { sent: ' order ', stored: ' order ' },
  { sent: 'E'.repeat(300), stored: 'E'.repeat(200) },
  { sent: '\u{1f994}'.repeat(201), stored: '\u{1f994}'.repeat(200) },
  { sent: 'a\0b\ud800', stored: 'a\ufffdb\ufffd' },
];
for (const { sent, stored } of cases) {
  test(`${JSON.stringify(sent.slice(0, 20))} is stored as ${JSON.stringify(stored.slice(0, 20))}`, () => {
    assert.equal(settleEventName(sent), stored);
  });
}
