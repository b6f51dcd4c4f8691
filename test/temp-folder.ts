import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempFolder extends AsyncDisposable {
  path: string;
}

/** A folder that is gone, with everything in it, when the test is over. */
export async function openTempFolder(): Promise<TempFolder> {
  const path = await mkdtemp(join(tmpdir(), 'tenrec-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
