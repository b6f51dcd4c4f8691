// Ends a child process when this process is gone, however it went.
import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Waits for the pipe to its parent to close, which the operating system does even after `kill -9`. Then it asks the
 * child to end (SIGINT: PostgreSQL's fast shutdown), and after ten seconds tells it to (SIGQUIT: at once, with recovery).
 */
const SCRIPT = `
read -r _
kill -INT "$1" || exit 0
n=0
while [ $n -lt 100 ]; do
  kill -0 "$1" || exit 0
  sleep 0.1
  n=$((n + 1))
done
kill -QUIT "$1"`;

/** Watches over the child until it exits. In a session of its own, so that Ctrl-C in the terminal does not reach it. */
export function guard(child: ChildProcess): void {
  if (child.pid === undefined) return; // it never started, and its `error` event says why
  const guardian = spawn('/bin/sh', ['-c', SCRIPT, 'tenrec-guardian', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
  });
  // Without a guardian the next start finds and ends what was left; nothing breaks today.
  guardian.on('error', () => {});
  guardian.stdin.on('error', () => {});
  guardian.unref();
  (guardian.stdin as unknown as { unref(): void }).unref();
  child.once('exit', () => guardian.kill('SIGKILL'));
}
