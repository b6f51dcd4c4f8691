// Node can keep what it compiled for the next time, which halves the time that the program takes to load. Kept in the
// data folder, the one place we write to. It is only a matter of speed: whatever goes wrong here is passed over in
// silence, and what is wrong with the folder is told by those who need it.
import { mkdirSync, statSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

const folderIn = (dataFolder: string) => join(dataFolder, 'compiled');

/** From here on, what is loaded is kept, and taken from there when it is the same as last time. */
export function keepCompiled(dataFolder: string): { save(): void } {
  try {
    // Node would make the data folder too, but open to everybody.
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    enableCompileCache(folderIn(dataFolder));
  } catch {}
  // Node saves by itself at a regular end; a program that is killed later has saved already.
  return { save: () => flushCompileCache() };
}

/** The same where a start of this user has kept something before; a short command leaves no traces of its own. */
export function reuseCompiled(dataFolder: string): void {
  const kept = statSync(folderIn(dataFolder), { throwIfNoEntry: false });
  if (kept?.uid === process.getuid?.()) enableCompileCache(folderIn(dataFolder));
}
