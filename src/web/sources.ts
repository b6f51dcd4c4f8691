// What the app is made from. Its digest tells whether a build is still the one of these sources.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const REPOSITORY = join(import.meta.dirname, '..', '..');

/** Below the repository: the app, what it shares with the server, and how it is built. */
const SOURCES = [
  'web/*.{html,ts,json}',
  'web/{src,public}/**/*.*',
  'src/start-page/snippets.ts',
  'src/web/{build,layout}.ts',
];

/** An installation may come with the built app alone. */
export const hasSources = () => existsSync(join(REPOSITORY, 'web', 'index.html'));

export function digestSources(): string {
  const digest = createHash('sha256');
  const { dependencies } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'));
  digest.update(JSON.stringify(dependencies));
  for (const file of globSync(SOURCES, { cwd: REPOSITORY }).sort()) {
    digest.update(`\0${file}\0`).update(readFileSync(join(REPOSITORY, file)));
  }
  return digest.digest('hex').slice(0, 16);
}
