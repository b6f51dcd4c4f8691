// The program as `tenrec start` runs it, with a door for questions to its event store.
import { readConfig } from '../../src/config.ts';
import { startTenrec } from '../../src/main.ts';
import { openLogger } from '../../src/platform/logger.ts';
import type { Question } from './program.ts';

const config = readConfig();
const log = await openLogger({ level: config.TENREC_LOG_LEVEL, format: 'json' });
const tenrec = await startTenrec(config, log);

process.on('message', async ({ id, query, params }: Question) => {
  try {
    const result = await tenrec.store.client.query({ query, query_params: params, format: 'JSONEachRow' });
    process.send?.({ id, rows: await result.json() });
  } catch (error) {
    process.send?.({ id, error: (error as Error).message });
  }
});
process.on('SIGTERM', async () => {
  await tenrec.close();
  process.disconnect?.();
});
process.send?.({ address: tenrec.address });
