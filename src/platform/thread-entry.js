// Where threads begin: not in TypeScript, so that a thread whose modules are all compiled needs no parser for it, which
// takes 25 MB and a quarter of a second. `thread.ts` tells what to load.
import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

const { module, compiled } = workerData;
if (compiled) enableCompileCache(compiled);
await import(module);
