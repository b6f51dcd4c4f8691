import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { pino } from 'pino';
import { forwardLog, levelOf } from './log-lines.ts';

const levels = [
  ['LOG:  database system is ready to accept connections', 'debug'],
  ['LOG:  received fast shutdown request', 'debug'],
  ['LOG:  server process (PID 12) was terminated by signal 9: Killed', 'warn'],
  ['LOG:  database system was not properly shut down; automatic recovery in progress', 'warn'],
  ['LOG:  could not write temporary statistics file', 'warn'],
  ['WARNING:  page verification failed', 'warn'],
  ['ERROR:  could not read blocks 1..1', 'error'],
  ['FATAL:  the database system is starting up', 'debug'],
  ['FATAL:  terminating connection due to administrator command', 'debug'],
  ['FATAL:  sorry, too many clients already', 'warn'],
  ['PANIC:  could not locate a valid checkpoint record', 'error'],
] as const;

for (const [line, level] of levels) {
  test(`"${line}" is logged as ${level}`, () => {
    assert.equal(levelOf(line, 'debug'), level);
  });
}

test('a line comes out whole however it was cut, and its detail at its level', () => {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const stderr = new PassThrough();
  forwardLog(stderr, log);
  for (const piece of ['LOG:  hel', 'lo\nPANIC:  disk\nDETA', 'IL:  full\n\n']) stderr.write(piece);
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [
      [20, 'PostgreSQL: LOG: hello'],
      [50, 'PostgreSQL: PANIC: disk'],
      [50, 'PostgreSQL: DETAIL: full'],
    ],
  );
});
