// Wherever the data lies and whoever starts it: start, work, stop, start again, and the data is still there.
import assert from 'node:assert/strict';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { KEY, processTree, startProgram, stopProgram, waitFor } from '../program.ts';
import { isLong } from '../random.ts';

const STOP_MS_MAX = 10_000;
const ORDINARY_ID = 1000;
const isRoot = process.getuid?.() === 0;
const asOrdinary = ['setpriv', `--reuid=${ORDINARY_ID}`, `--regid=${ORDINARY_ID}`, '--clear-groups'];

interface Place {
  title: string;
  /** The folder in which the data folder is made. */
  parent: string;
  ordinary: boolean;
  skip: string | false;
}

const alsoElsewhere = isLong ? false : 'other tests start programs there';
const byCommandLine = isLong ? false : 'the tests of the command line do it too';
const onlyRoot = isRoot ? false : 'only root can become somebody else';
const places: Place[] = [
  { title: 'this user, below the temporary folder', parent: tmpdir(), ordinary: false, skip: alsoElsewhere },
  // For root that is the folder which no other user may enter, PostgreSQL's among them.
  { title: 'this user, below the home folder', parent: homedir(), ordinary: false, skip: byCommandLine },
  { title: 'an ordinary user, below the temporary folder', parent: tmpdir(), ordinary: true, skip: onlyRoot },
];

for (const { title, parent, ordinary, skip } of places) {
  test(`${title}: what was written is there after a stop and a start`, { skip }, async () => {
    const folder = await mkdtemp(join(parent, 'tenrec-place-'));
    if (ordinary) await chown(folder, ORDINARY_ID, ORDINARY_ID);
    const options = {
      data: join(folder, 'data'),
      prefix: ordinary ? asOrdinary : [],
      env: { HOME: ordinary ? folder : homedir() },
    };
    try {
      const first = await startProgram(options);
      const created = await call(first.url, 'POST', { name: 'Kept' });
      const family = processTree(first.child.pid ?? 0);
      const { exit, ms } = await stopProgram(first);
      assert.equal(created, 201);
      assert.deepEqual([exit, ms < STOP_MS_MAX], [0, true], `exit ${exit} after ${ms} ms\n${first.output()}`);
      await waitFor(
        () => family.every(({ pid }) => !isAlive(pid)) || undefined,
        5_000,
        () => 'a child is left behind',
      );

      const second = await startProgram(options);
      const names = await list(second.url);
      await stopProgram(second);
      assert.deepEqual(names, ['Default project', 'Kept']);
      assert.ok(!second.output().includes('first start'), 'the second start is no first start');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

async function call(url: string, method: string, body?: object): Promise<number> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  return (await fetch(`${url}/api/projects/`, { method, headers, body: JSON.stringify(body) })).status;
}

async function list(url: string): Promise<string[]> {
  const response = await fetch(`${url}/api/projects/`, { headers: { authorization: `Bearer ${KEY}` } });
  return ((await response.json()) as { results: { name: string }[] }).results.map(({ name }) => name);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return processTree(pid).length > 0;
  } catch {
    return false;
  }
}
