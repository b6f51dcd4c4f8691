// The `tenrec` command, which bin/tenrec.js leads to.
import { runCli } from './run.ts';

// A reader that has seen enough (`tenrec user list | head -1`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await runCli(process.argv.slice(2), process);
