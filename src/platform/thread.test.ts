import assert from 'node:assert/strict';
import { once } from 'node:events';
import { enableCompileCache } from 'node:module';
import { test } from 'node:test';
import { openTempFolder } from '../../test/temp-folder.ts';
import { compiledFolder, openThread } from './thread.ts';

/** Says which of Node's own modules it has loaded. */
const MODULE = new URL('../../test/loaded-thread.ts', import.meta.url);

async function loadedByThread(): Promise<string[]> {
  const thread = openThread(MODULE);
  const [[loaded]] = await Promise.all([once(thread, 'message'), once(thread, 'exit')]);
  return loaded as string[];
}

test('a thread whose module was compiled before loads no parser for TypeScript', async () => {
  await using folder = await openTempFolder();
  // Already on, elsewhere, where the whole suite runs.
  enableCompileCache(folder.path);
  assert.ok(compiledFolder());
  await loadedByThread();
  assert.deepEqual(
    (await loadedByThread()).filter((name) => name.includes('amaro')),
    [],
  );
});
