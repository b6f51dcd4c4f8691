#!/usr/bin/env node
// Runs on any Node that can start it, and hands over to the Node 24 that npm installed beside Tenrec when this one is older.
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR_MIN = 24;

if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN) {
  reuseCompiled();
  await import('../src/cli/main.ts');
} else {
  const pinned = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
  if (!existsSync(pinned)) {
    console.error(
      `Tenrec needs Node ${NODE_MAJOR_MIN}; this is ${process.version} and npm has installed no other. Run: npm ci`,
    );
    process.exit(1);
  }
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

/**
 * Loads the program from what an earlier start of this user compiled; see src/cli/compile-cache.ts. Here and not there,
 * because whoever loads a single file of TypeScript has loaded the parser for it: 25 MB.
 */
function reuseCompiled() {
  const folder = join(process.env.TENREC_DATA || './data', 'compiled');
  const kept = statSync(folder, { throwIfNoEntry: false });
  if (kept && kept.uid === process.getuid?.()) module.enableCompileCache(folder);
}
