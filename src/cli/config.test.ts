import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configWith } from '../config.ts';
import { listVariables, maskSecret } from './config.ts';

const masked = [
  ['', ''],
  ['phx_1234567890', '(set)'],
  ['postgres://ada:lovelace@db.example:5432/tenrec?password=lovelace', 'postgres://ada:***@db.example:5432/tenrec'],
  ['postgres://db.example/tenrec', 'postgres://db.example/tenrec'],
  ['https://click.example:8443', 'https://click.example:8443/'],
] as const;

for (const [value, expected] of masked) {
  test(`${value || 'an unset secret'} is shown as ${expected || 'nothing'}`, () => {
    assert.equal(maskSecret(value), expected);
  });
}

test('no secret appears among the variables', () => {
  const secret = 'a-secret-of-at-least-32-characters';
  const shown = listVariables(
    configWith({
      TENREC_SECRET_KEY: secret,
      TENREC_BOOTSTRAP_PASSWORD: secret,
      TENREC_BOOTSTRAP_PROJECT_TOKEN: `phc_${secret}`,
      TENREC_BOOTSTRAP_PERSONAL_API_KEY: `phx_${secret}`,
      DATABASE_URL: `postgres://ada:${secret}@localhost/tenrec`,
      CLICKHOUSE_URL: `http://ada:${secret}@localhost/`,
    }),
  );

  assert.doesNotMatch(JSON.stringify(shown), new RegExp(secret));
  assert.equal(shown.find(({ name }) => name === 'PORT')?.value, '8000');
});
