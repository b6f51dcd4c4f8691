// PostgreSQL's log on its standard error, line by line into ours.
import type { Readable } from 'node:stream';
import type { Logger } from '../../platform/logger.ts';

type Level = 'debug' | 'warn' | 'error';

/** LOG lines that someone who operates the program would want to know of; the others tell of every start and stop. */
const REMARKABLE =
  /terminated by signal|terminating any other active|not properly shut down|could not|checkpoints are occurring too/;
/** FATAL lines that tell nothing new: a client asked too early, or was still there at the end, which is told elsewhere. */
const ORDINARY =
  /the database system is (starting up|shutting down|not yet accepting)|due to administrator command|due to unexpected postmaster exit/;

/**
 * The level of a line, given that of the line before, which its DETAIL, HINT and further lines share. FATAL ends one
 * connection and is told to its client, or ends the start and is part of that error; PANIC ends the server.
 */
export function levelOf(line: string, before: Level): Level {
  const [, severity] = /^(LOG|INFO|NOTICE|DEBUG\d?|WARNING|ERROR|FATAL|PANIC):/.exec(line) ?? [];
  if (severity === undefined) return before;
  if (severity === 'PANIC' || severity === 'ERROR') return 'error';
  if (severity === 'FATAL') return ORDINARY.test(line) ? 'debug' : 'warn';
  return severity === 'WARNING' || REMARKABLE.test(line) ? 'warn' : 'debug';
}

export function forwardLog(stderr: Readable, log: Logger): void {
  let rest = '';
  let level: Level = 'debug';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines.filter((each) => each !== '')) {
      level = levelOf(line, level);
      log[level]({ engine: 'PostgreSQL' }, line.replace(/^(\w+): +/, 'PostgreSQL: $1: '));
    }
  });
}
