import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const text = readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8');
const { packages }: { packages: Record<string, { optionalDependencies?: object }> } = JSON.parse(text);

test('the lock file names no download address', () => assert.doesNotMatch(text, /"resolved"/));

test('the lock file holds the packages of every platform, or `npm ci` refuses it (node scripts/complete-lock.ts)', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
    ),
  );
  assert.deepEqual(missing, []);
});
