import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STAMP } from './layout.ts';
import { digestSources, hasSources } from './sources.ts';

/** The first of these folders that holds a build of the sources as they are; without sources, any build will do. */
export function findBuild(folders: readonly string[]): string | undefined {
  const wanted = hasSources() ? digestSources() : undefined;
  return folders.find((folder) => {
    const stamp = join(folder, STAMP);
    return existsSync(stamp) && (wanted === undefined || readFileSync(stamp, 'utf8') === wanted);
  });
}
