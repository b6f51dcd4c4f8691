import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { conformsToEventLog, type LogHome, type LogSetup } from './conformance.ts';
import { openLmdbLog } from './lmdb.ts';

const quiet = pino({ level: 'silent' });

async function makeHome({ maxBytes = 64 * 1024 * 1024, ...setup }: LogSetup): Promise<LogHome> {
  const path = await mkdtemp(join(tmpdir(), 'tenrec-log-'));
  return {
    open: () => openLmdbLog({ path, maxBytes, ...setup }, quiet),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}

conformsToEventLog('LMDB', makeHome);
