import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from './config.ts';

const refusals: { env: Record<string, string>; says: RegExp }[] = [
  { env: { PORT: '70000' }, says: /^PORT: "70000" is not / },
  { env: { PORT: 'x', TENREC_LOG_LEVEL: 'loud' }, says: /^PORT: .*\nTENREC_LOG_LEVEL: / },
  { env: { DATABASE_URL: 'mysql://a' }, says: /^DATABASE_URL: the value given is not a URL starting with postgres/ },
  { env: { DATABASE_URL: 'postgres://a/b' }, says: /^TENREC_SECRET_KEY: required when DATABASE_URL is set/ },
  { env: { TENREC_SECRET_KEY: 'short' }, says: /^TENREC_SECRET_KEY: the value given is not at least 32/ },
  { env: { TENREC_CLICKHOUSE_CLUSTER: 'main' }, says: /^TENREC_CLICKHOUSE_CLUSTER: only with CLICKHOUSE_URL/ },
];
for (const { env, says } of refusals) {
  test(`${JSON.stringify(env)} is refused, with what would be right`, () => {
    assert.throws(
      () => readConfig(env),
      (error: Error) => error instanceof ConfigError && says.test(error.message),
    );
  });
}

test('an empty variable counts as unset', () => {
  assert.deepEqual(readConfig({ PORT: '', DATABASE_URL: '' }), readConfig({}));
});
