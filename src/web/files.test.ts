import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTempFolder } from '../../test/temp-folder.ts';
import { pickEncoding, readFiles } from './files.ts';

test('files are found by their path, with the compressed forms beside them', async () => {
  await using folder = await openTempFolder();
  mkdirSync(join(folder.path, 'assets'));
  writeFileSync(join(folder.path, 'assets', 'a.js'), 'plain');
  writeFileSync(join(folder.path, 'assets', 'a.js.br'), 'small');
  writeFileSync(join(folder.path, 'mark.svg'), '<svg/>');

  const files = readFiles(folder.path);

  assert.deepEqual([...files.keys()].sort(), ['assets/a.js', 'mark.svg']);
  assert.equal(files.get('assets/a.js')?.type, 'text/javascript; charset=utf-8');
});

const file = {
  type: 'text/css',
  bytes: Buffer.from('plain'),
  encoded: { br: Buffer.from('b'), gzip: Buffer.from('gz') },
};
const cases = [
  { accepted: 'gzip, deflate, br, zstd', expected: 'br' },
  { accepted: 'gzip;q=1.0, *;q=0.5', expected: 'gzip' },
  { accepted: 'identity', expected: undefined },
  { accepted: '', expected: undefined },
];
for (const { accepted, expected } of cases) {
  test(`a client that accepts "${accepted}" gets ${expected ?? 'the plain form'}`, () => {
    assert.equal(pickEncoding(file, accepted).encoding, expected);
  });
}
