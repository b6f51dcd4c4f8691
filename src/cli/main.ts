// The `tenrec` command, which bin/tenrec.js leads to.
import { readConfig } from '../config.ts';
import { reuseCompiled } from './compile-cache.ts';
import { runCli } from './run.ts';

// A reader that has seen enough (`tenrec user list | head -1`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
try {
  reuseCompiled(readConfig().TENREC_DATA);
} catch {
  // A wrong configuration is told by the commands that need it; help needs none.
}
process.exitCode = await runCli(process.argv.slice(2), process);
