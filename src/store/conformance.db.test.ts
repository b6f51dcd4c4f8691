import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { configWith } from '../config.ts';
import { conformsToEventStore } from './conformance.ts';
import { openStore } from './open.ts';

const quiet = pino({ level: 'silent' });
const MB = 1024 * 1024;
const options = { longResultBytes: (process.env.TENREC_TEST_LONG === '1' ? 1024 : 64) * MB };

const { CLICKHOUSE_URL = '' } = process.env;
if (CLICKHOUSE_URL) {
  conformsToEventStore('server', () => openStore(configWith({ CLICKHOUSE_URL }), quiet), options);
} else {
  conformsToEventStore('embedded', openInOwnFolder, options);
}

async function openInOwnFolder() {
  const TENREC_DATA = await mkdtemp(join(tmpdir(), 'tenrec-store-'));
  const store = await openStore(configWith({ TENREC_DATA }), quiet);
  const close = async () => {
    await store.close();
    await rm(TENREC_DATA, { recursive: true });
  };
  return { ...store, close };
}
