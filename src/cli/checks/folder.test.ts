import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { diskCheck, folderCheck } from './folder.ts';

const root = await mkdtemp(join(tmpdir(), 'tenrec-doctor-folder-'));
after(() => rm(root, { recursive: true, force: true }));

async function makeFolder(name: string, mode: number): Promise<string> {
  const path = join(root, name);
  await mkdir(path);
  await chmod(path, mode);
  return path;
}

/** Permissions do not bind root, so for these looks root becomes somebody else. */
async function asOrdinaryUser<T>(look: () => T | Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  await chmod(root, 0o755);
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await look();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test('a folder of this user alone is well', async () => {
  const path = await makeFolder('own', 0o700);

  assert.deepEqual(await folderCheck(path).look(), { state: 'ok', found: path });
});

test('a folder that others may enter is worth a warning', async () => {
  const { state, mend } = await folderCheck(await makeFolder('open', 0o755)).look();

  assert.equal(state, 'warning');
  assert.match(mend ?? '', /chmod 700/);
});

test('a folder of another user is worth a warning, with both ways out', async () => {
  const path = await makeFolder('of-another', 0o700);
  const { state, mend } = await folderCheck(path, (process.getuid?.() ?? 0) + 1).look();

  assert.equal(state, 'warning');
  assert.match(mend ?? '', new RegExp(`chown -R \\d+ ${path}`));
});

test('a missing folder is well when it can be made, and a problem when not', async () => {
  assert.equal((await folderCheck(join(root, 'not', 'yet')).look()).state, 'ok');

  const closed = await makeFolder('closed', 0o555);
  const { state, mend } = await asOrdinaryUser(() => folderCheck(join(closed, 'not', 'yet')).look());
  assert.equal(state, 'problem');
  assert.ok(mend?.includes(closed), mend);
});

test('a folder that cannot be written is a problem', async () => {
  const path = await makeFolder('read-only', 0o555);
  const { state, mend } = await asOrdinaryUser(() => folderCheck(path).look());

  assert.equal(state, 'problem');
  assert.match(mend ?? '', /chown/);
});

test('a file in the place of the folder is a problem', async () => {
  await writeFile(join(root, 'file'), '');

  assert.equal((await folderCheck(join(root, 'file')).look()).state, 'problem');
});

test('too little room on the disk is a problem, also for a folder that is not there yet', async () => {
  const path = join(root, 'not', 'yet');

  assert.equal((await diskCheck(path, 0).look()).state, 'ok');
  assert.equal((await diskCheck(path, Number.MAX_SAFE_INTEGER).look()).state, 'problem');
});
