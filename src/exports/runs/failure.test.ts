import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClickHouseError } from '@clickhouse/client';
import { invalid } from '../../http/errors.ts';
import { Unavailable } from '../../platform/unavailable.ts';
import { DestinationError } from '../destinations/destination.ts';
import { hiderOf, judgeFailure, listSecrets } from './failure.ts';

const storeError = (code: string, type: string) => new ClickHouseError({ message: 'no', code, type });

const failures: [title: string, thrown: unknown, error: string, final: boolean][] = [
  [
    'what a destination calls final',
    new DestinationError('NoSuchBucket', 'gone', { final: true }),
    'NoSuchBucket: gone',
    true,
  ],
  ['what it does not', new DestinationError('SlowDown', 'busy', { final: false }), 'SlowDown: busy', false],
  ['filters that cannot be read', invalid('bad filter'), 'InvalidSelection: bad filter', true],
  ['a pattern that the store refuses', storeError('427', 'CANNOT_COMPILE_REGEXP'), 'CANNOT_COMPILE_REGEXP: no', true],
  ['a store short of memory', storeError('241', 'MEMORY_LIMIT_EXCEEDED'), 'MEMORY_LIMIT_EXCEEDED: no', false],
  [
    'a store that is away',
    new Unavailable('ClickHouse', 'restarting'),
    'Unavailable: ClickHouse is not available: restarting',
    false,
  ],
  ['a mistake of ours', new TypeError('x is not a function'), 'TypeError: x is not a function', false],
  ['something that is no error', 'oh', 'An unexpected error has occurred', false],
];

for (const [title, thrown, error, final] of failures) {
  test(`${title} ${final ? 'ends a run' : 'is tried again'}`, () => {
    assert.deepEqual(judgeFailure(thrown), { error, final });
  });
}

test('secrets are hidden wherever they stand, the longest first', () => {
  const config = {
    user: 'ada',
    password: 's3cr3t',
    nested: { key: 's3cr3t-and-more', shown: 'yes!' },
    host: 'db.example.com',
  };
  const shown = { nested: { shown: 'yes!' }, host: 'db.example.com' };
  const secrets = listSecrets(config, shown);
  assert.deepEqual(secrets.sort(), ['ada', 's3cr3t', 's3cr3t-and-more']);
  const hide = hiderOf(secrets);
  assert.equal(hide('s3cr3t-and-more s3cr3t at db.example.com, yes! ada'), '*** *** at db.example.com, yes! ada');
});
