// Node keeps what it compiled for the next start, which halves the time the program takes to load.
import { mkdirSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

/** For everything that is loaded after it. Only a matter of speed, so whatever goes wrong is left for others to report. */
export function keepCompiled(dataFolder: string): { save(): void } {
  try {
    // The cache would make the folder open to everybody.
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    enableCompileCache(join(dataFolder, 'compiled'));
  } catch {
    // The start that follows says what is wrong with the folder.
  }
  // Node saves at a regular exit; a process that is killed later has saved already.
  return { save: () => flushCompileCache() };
}
