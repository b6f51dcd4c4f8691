import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTempFolder } from '../../../../test/temp-folder.ts';
import { DestinationError } from '../destination.ts';
import { fileDestination } from './destination.ts';
import { toFileError } from './errors.ts';
import { openFolder } from './store.ts';

const { signal } = new AbortController();
const content = async function* (...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
};

test('a file has its name only when it is whole', async () => {
  await using folder = await openTempFolder();
  const store = openFolder(folder.path, signal);
  const file = store.create('a/b.jsonl');
  await file.write(content('one\n', 'two\n'), () => {});
  assert.deepEqual(await store.list('a/b'), []);
  await file.publish();
  assert.deepEqual(await store.list('a/b'), ['a/b.jsonl']);
  assert.equal(await readFile(join(folder.path, 'a/b.jsonl'), 'utf8'), 'one\ntwo\n');
});

test('a file that is given up leaves nothing, and what was there stays', async () => {
  await using folder = await openTempFolder();
  const store = openFolder(folder.path, signal);
  await writeFile(join(folder.path, 'b.jsonl'), 'old');
  const file = store.create('b.jsonl');
  await file.write(content('new'), () => {});
  await file.discard();
  assert.deepEqual(await readdir(folder.path), ['b.jsonl']);
  assert.equal(await readFile(join(folder.path, 'b.jsonl'), 'utf8'), 'old');
});

test('what a killed run left long ago is cleared away, what another still writes is not', async () => {
  await using folder = await openTempFolder();
  const [old, recent] = ['.b.jsonl.1.unfinished', '.b.jsonl.2.unfinished'];
  for (const name of [old, recent]) await writeFile(join(folder.path, name), 'half');
  await utimes(join(folder.path, old), 0, 0);
  const file = openFolder(folder.path, signal).create('b.jsonl');
  await file.write(content('new'), () => {});
  await file.publish();
  assert.deepEqual((await readdir(folder.path)).sort(), [recent, 'b.jsonl']);
});

test('nothing is written outside of the folder', async () => {
  await using folder = await openTempFolder();
  const store = openFolder(join(folder.path, 'inside'), signal);
  for (const key of ['../out', 'a/../../out', '..']) {
    assert.throws(() => store.create(key), { kind: 'InvalidPrefix', final: true });
  }
  assert.equal(store.create('..a/b').key, '..a/b');
});

test('a folder whose name is taken by a file is told in words', async () => {
  await using folder = await openTempFolder();
  await mkdir(join(folder.path, 'x'));
  await writeFile(join(folder.path, 'x/file'), '');
  const file = openFolder(folder.path, signal).create('x/file/rows.jsonl');
  await assert.rejects(
    file.write(content('new'), () => {}),
    { kind: 'InvalidPrefix', final: true, message: /not of a folder/ },
  );
});

test('a full disk is told in words, and tried again', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  const error = toFileError(full);
  assert.ok(error instanceof DestinationError);
  assert.deepEqual({ kind: error.kind, final: error.final }, { kind: 'DiskFull', final: false });
  assert.match(error.message, /full \(ENOSPC\)/);
});

test('errors that are not about files pass through', () => {
  const other = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });
  assert.equal(toFileError(other), other);
});

test('the test of a configuration writes a file and leaves none', async () => {
  await using folder = await openTempFolder();
  await writeFile(join(folder.path, 'taken'), '');
  const [step] = fileDestination(folder.path).tests;
  const config = { file_format: 'JSONLines', compression: null };
  await step!.run({ ...config, prefix: 'a' }, signal);
  assert.deepEqual(await readdir(join(folder.path, 'a')), []);
  await assert.rejects(step!.run({ ...config, prefix: 'taken' }, signal), { kind: 'InvalidPrefix' });
});
