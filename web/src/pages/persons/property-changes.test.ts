import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredEvent } from '../../api/use-events.ts';
import { listChanges } from './property-changes.ts';

const event = (id: string, properties: Record<string, unknown>) => ({ id, properties }) as StoredEvent;

test('what was set and removed is listed by property, event by event', () => {
  const changes = listChanges([
    event('2', { $unset: ['plan'] }),
    event('1', { $set: { plan: 'pro' }, $set_once: { seen: 1 } }),
    event('0', { $set: 'not an object', $unset: 'nor a list' }),
  ]);

  assert.deepEqual(
    changes.map(({ kind, name, value }) => [kind, name, value]),
    [
      ['removed', 'plan', undefined],
      ['set', 'plan', 'pro'],
      ['set once', 'seen', 1],
    ],
  );
});
