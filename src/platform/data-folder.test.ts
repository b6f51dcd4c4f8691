import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDataFolder } from './data-folder.ts';
import { StartError } from './start-error.ts';

const root = await mkdtemp(join(tmpdir(), 'tenrec-data-folder-'));
after(() => rm(root, { recursive: true, force: true }));

/** Another process that opens the folder, says so and stays. */
async function startHolder(path: string) {
  const script = `
    import { openDataFolder } from ${JSON.stringify(new URL('./data-folder.ts', import.meta.url).href)};
    await openDataFolder(${JSON.stringify(path)});
    process.stdout.write('open');
    setInterval(() => {}, 1e6);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

const refused = (path: string, expected: RegExp) =>
  assert.rejects(openDataFolder(path), (error) => {
    assert.ok(error instanceof StartError);
    assert.match(error.message, expected);
    assert.ok(error.message.includes(path), `${error.message} names ${path}`);
    assert.doesNotMatch(error.message, /\n/, 'one line');
    return true;
  });

test('a missing folder is made, for its owner alone', async () => {
  const path = join(root, 'deep', 'new');
  const folder = await openDataFolder(path);
  assert.equal((await stat(path)).mode & 0o777, 0o700);
  assert.equal(folder.path, path);
  await folder.close();
});

test('a folder is held once, and free again after close', async () => {
  const path = join(root, 'held');
  const first = await openDataFolder(path);
  await refused(path, new RegExp(`process ${process.pid}\\) is using`));
  await first.close();
  await (await openDataFolder(path)).close();
});

test('a second program on the folder is refused with the process id of the first, until kill -9 of the first', async () => {
  const path = join(root, 'killed');
  const holder = await startHolder(path);
  try {
    await refused(path, new RegExp(`process ${holder.pid}\\) is using`));
  } finally {
    holder.kill('SIGKILL');
    await once(holder, 'exit');
  }
  await (await openDataFolder(path)).close();
});

test('a path that is a file, leads through a file, leads nowhere or in circles is refused in one line', async () => {
  await writeFile(join(root, 'file'), '');
  await symlink(join(root, 'loop'), join(root, 'loop'));
  await symlink(join(root, 'nowhere', 'else'), join(root, 'dangling'));
  await refused(join(root, 'file'), /it is a file/);
  await refused(join(root, 'file', 'below'), /part of the path is a file/);
  await refused(join(root, 'loop'), /cannot be used/);
  await refused(join(root, 'dangling'), /leads nowhere/);
});

test('a folder that this user may not write is refused in one line', async () => {
  const path = join(root, 'of-another');
  await mkdir(path, { mode: 0o500 });
  await chmod(root, 0o755);
  // Permissions do not bind root, so for this test root becomes somebody else.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await refused(path, /this user may not write there/);
    await refused(join(path, 'below'), /this user may not write there/);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});
