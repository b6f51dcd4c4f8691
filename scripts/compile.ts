// Compiles the program at install, so that the first start need not: see src/cli/compile-cache.ts.
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { INSTALLED } from '../src/cli/compile-cache.ts';

rmSync(INSTALLED, { recursive: true, force: true });
enableCompileCache(INSTALLED);
// All that `tenrec start` loads: in its process, in the engine's, and in the pipeline's thread. Loading starts nothing.
await Promise.all([
  import('../src/cli/run.ts'),
  import('../src/cli/log.ts'),
  import('../src/cli/start.ts'),
  import('../src/main.ts'),
  import('../src/app.ts'),
  import('../src/store/embedded/child.ts'),
]);
const { loadPipelineThread } = await import('../src/pipeline/worker.ts');
const thread = loadPipelineThread();
thread.postMessage({ type: 'stop' });
await once(thread, 'exit');
process.exit();
