import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openVault } from './secrets.ts';

const config = { user: 'ada', password: 's3cr3t', nested: { key: 'ключ' } };

test('a configuration comes back as it was sealed, and nothing of it can be read meanwhile', () => {
  const vault = openVault('a secret key that only tests would ever use');
  const sealed = vault.seal(config, 'export 1');
  assert.deepEqual(vault.open(sealed, 'export 1'), config);
  assert.doesNotMatch(Buffer.from(sealed.slice(3), 'base64').toString('latin1'), /s3cr3t|password/);
  assert.notEqual(vault.seal(config, 'export 1'), sealed);
});

test('a configuration opens neither with another key, nor for another export, nor when it was changed', () => {
  const vault = openVault('a secret key that only tests would ever use');
  const sealed = vault.seal(config, 'export 1');
  const changed = `${sealed.slice(0, -6)}${sealed.at(-6) === 'A' ? 'B' : 'A'}${sealed.slice(-5)}`;
  assert.throws(() => vault.open(sealed, 'export 2'), /TENREC_SECRET_KEY/);
  assert.throws(() => vault.open(changed, 'export 1'), /TENREC_SECRET_KEY/);
  assert.throws(() => openVault('another secret key, quite as long').open(sealed, 'export 1'), /TENREC_SECRET_KEY/);
});
