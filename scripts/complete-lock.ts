// Adds to package-lock.json the packages for other platforms that an incomplete mirror left out of it.
// Without them `npm ci` refuses the lock file, although this platform needs none of them.
import { readFileSync, writeFileSync } from 'node:fs';

interface Entry {
  version?: string;
  dev?: boolean;
  optionalDependencies?: Record<string, string>;
}

const PATH = 'package-lock.json';
const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync(PATH, 'utf8'));

for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const at = `node_modules/${name}`;
    if (lock.packages[at] || lock.packages[`${path}/${at}`]) continue;
    lock.packages[at] = { version, ...(entry.dev && { dev: true }), optional: true, ...platformOf(name) } as Entry;
    console.log(`added ${name} ${version}`);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(PATH, `${JSON.stringify(lock, null, 2)}\n`);

/** What such packages say of themselves stands in their names: `@biomejs/cli-linux-x64-musl`. */
function platformOf(name: string) {
  const words = name.split(/[-/]/);
  const os = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'].filter((word) => words.includes(word));
  const cpu = ['arm', 'arm64', 'ia32', 'ppc64', 's390x', 'wasm32', 'x64'].filter((word) => words.includes(word));
  // WebAssembly runs on every system.
  if ((os.length === 0 && !cpu.includes('wasm32')) || cpu.length === 0)
    throw new Error(`${name}: its name does not tell its platform`);
  const libc = words.includes('musl') ? 'musl' : words.includes('gnu') ? 'glibc' : undefined;
  return { ...(os.length > 0 && { os }), cpu, ...(libc && { libc: [libc] }) };
}
