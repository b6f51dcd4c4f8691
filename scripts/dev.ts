// `npm run dev`: the program, started again when its sources change, and the web app with hot reload in front of it.
// Pages are at the address that Vite prints; the API answers there too.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  spawn(process.execPath, [...args], { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });

const children = [
  // Vite hands requests on to this port.
  run(['--watch-path=src', 'bin/tenrec.js', 'start'], { PORT: '8000' }),
  run(['node_modules/vite/bin/vite.js', 'web']),
];
const endAll = () => {
  for (const child of children) child.kill();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, endAll);
for (const child of children) {
  child.on('exit', (code) => {
    process.exitCode ??= code ?? 1;
    endAll();
  });
}
