// Node can keep what it compiled for the next time, which halves the time that the program takes to load. Kept in the
// data folder, the one place we write to; the first start begins with a copy of what the installation compiled. It is
// only a matter of speed: whatever goes wrong here is passed over in silence, and what is wrong with the folder is told
// by those who need it.
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

/** Filled by `npm ci` through scripts/compile.ts. */
export const INSTALLED = join(import.meta.dirname, '../../node_modules/.cache/tenrec/compiled');

const folderIn = (dataFolder: string) => join(dataFolder, 'compiled');

/** From here on, what is loaded is kept, and taken from there when it is the same as last time. */
export function keepCompiled(dataFolder: string): { save(): void } {
  const folder = folderIn(dataFolder);
  try {
    // Node would make the data folder too, but open to everybody.
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    if (!existsSync(folder)) takeInstalled(folder);
  } catch {}
  try {
    enableCompileCache(folder);
  } catch {}
  // Node saves by itself at a regular end; a program that is killed later has saved already.
  return { save: () => flushCompileCache() };
}

/** Node replaces these files and never writes into one, so a link is as good as a copy and forty times as fast. */
export function takeInstalled(folder: string): void {
  for (const version of readdirSync(INSTALLED)) {
    mkdirSync(join(folder, version), { recursive: true });
    for (const file of readdirSync(join(INSTALLED, version))) {
      linkOrCopy(join(INSTALLED, version, file), join(folder, version, file));
    }
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
