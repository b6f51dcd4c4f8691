// Builds the app into a folder. Run by itself (`node src/web/build.ts <folder>`), so that the server's thread stays free.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { SERVER_FOLDER, STAMP } from './layout.ts';
import { digestSources, REPOSITORY } from './sources.ts';

const COMPRESSIBLE = /\.(html|js|css|svg|json|txt)$/;

/** Everything is made aside and then renamed, so that a build that is there is whole. */
export async function buildWeb(given: string): Promise<void> {
  const folder = resolve(given);
  const digest = digestSources();
  const aside = `${folder}.${process.pid}`;
  await mkdir(dirname(folder), { recursive: true });
  await buildWith('vite.config.ts', aside);
  await buildWith('vite.drawn.config.ts', join(aside, SERVER_FOLDER));
  compressFiles(aside);
  writeFileSync(join(aside, STAMP), digest);
  await rm(folder, { recursive: true, force: true });
  await rename(aside, folder);
}

async function buildWith(config: string, outDir: string): Promise<void> {
  const { build } = await import('vite');
  const root = join(REPOSITORY, 'web');
  await build({ root, configFile: join(root, config), logLevel: 'warn', build: { outDir, emptyOutDir: true } });
}

/** Compressed once, as well as it goes, rather than for every visitor. */
function compressFiles(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!COMPRESSIBLE.test(name) || name.startsWith(SERVER_FOLDER)) continue;
    const bytes = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
  }
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error('Name the folder to build into: node src/web/build.ts <folder>');
  await buildWeb(folder);
}
