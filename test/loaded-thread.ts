// For src/platform/thread.test.ts.
import { parentPort } from 'node:worker_threads';

const { moduleLoadList } = process as unknown as { moduleLoadList: string[] };
parentPort?.postMessage(moduleLoadList satisfies string[]);
