// Builds the web app into web/dist, unless what is there was built from these very sources. `--force` builds anyway.
import { join } from 'node:path';
import { buildWeb } from '../src/web/build.ts';
import { findBuild } from '../src/web/find-build.ts';
import { REPOSITORY } from '../src/web/sources.ts';

const folder = join(REPOSITORY, 'web', 'dist');
if (!process.argv.includes('--force') && findBuild([folder])) {
  console.log('The web app is up to date.');
} else {
  const since = performance.now();
  await buildWeb(folder);
  console.log(`The web app was built in ${((performance.now() - since) / 1000).toFixed(1)} s.`);
}
