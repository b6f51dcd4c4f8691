// `npm test`: one PostgreSQL for the whole run, then every test file. `--long` runs the long forms; names pick files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { openEmbeddedPostgres } from '../src/metadata/embedded/open.ts';

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({ options: { long: { type: 'boolean' } }, allowPositionals: true });

const files = globSync(['src/**/*.test.ts', 'web/src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
  .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) {
  console.error(`No test file has ${positionals.join(' or ')} in its name.`);
  process.exit(2);
}

const folder = await mkdtemp(join(tmpdir(), 'tenrec-test-'));
// Its data ends with the run, so nothing waits for the disk.
const postgres = await openEmbeddedPostgres(folder, pino({ level: 'warn' }), {
  settings: { fsync: 'off', max_connections: '200' },
});

/** Tests of pure rules share a process, which spares each of them the loading; all others have one of their own. */
const isPure = (file: string) => !file.startsWith('test/') && !/\.(?:db|fuzz)\.test\.ts$/.test(file);
/** Tests of pages share one program and one browser, which cost more than most of the tests. */
const isPage = (file: string) => file.startsWith('test/web/');
const groups = [
  { files: files.filter(isPure), options: ['--test-isolation=none'] },
  { files: files.filter(isPage), options: ['--test-isolation=none'] },
  // One more at a time than the cores we plan for: a test that waits leaves its core to another.
  { files: files.filter((file) => !isPure(file) && !isPage(file)), options: ['--test-concurrency=3'] },
].filter((group) => group.files.length > 0);

const runs = groups.map(({ files, options }) =>
  spawn(
    process.execPath,
    [
      '--expose-gc',
      '--test',
      // A hang is a failure with a name, not a run that never ends.
      `--test-timeout=${values.long ? 3_600_000 : 240_000}`,
      ...options,
      ...files.map((file) => relative(process.cwd(), join(root, file))),
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        TENREC_TEST_DATABASE_URL: postgres.url,
        // Nearly every file loads the same modules: what one compiled, the others take.
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
        ...(values.long && { TENREC_TEST_LONG: '1' }),
      },
    },
  ),
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const run of runs) run.kill(signal);
  });
}
const codes = await Promise.all(runs.map(async (run) => (await once(run, 'exit'))[0] as number | null));
await postgres.close();
await rm(folder, { recursive: true, force: true });
process.exit(codes.every((code) => code === 0) ? 0 : 1);
