#!/usr/bin/env node
// Runs on any Node that can start it, and hands over to the Node 24 that npm installed beside Tenrec when this one is older.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR_MIN = 24;
const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));

if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN) {
  await import(main);
} else {
  const pinned = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
  if (!existsSync(pinned)) {
    console.error(
      `Tenrec needs Node ${NODE_MAJOR_MIN}; this is ${process.version} and npm has installed no other. Run: npm ci`,
    );
    process.exit(1);
  }
  const child = spawn(pinned, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
