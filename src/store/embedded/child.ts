// The child process that owns chDB. It is told what to open by its parent, and lives exactly as long as the parent wants.
import type { AddressInfo } from 'node:net';
import { giveWay } from '../../platform/give-way.ts';
import { type Engine, openEngine } from './engine.ts';
import type { FromChild, ToChild } from './messages.ts';
import { createEngineServer } from './server.ts';

// A Ctrl-C in the terminal, or a service manager, signals every process of the group. Only the parent knows when the
// engine is no longer needed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

// The parent is gone. Nothing may keep the folder from the next one.
process.on('disconnect', endAtOnce);
process.on('uncaughtException', failAtOnce);

// Before the engine has threads: they inherit it.
giveWay();

let stop = (): Promise<void> | undefined => undefined;

process.on('message', (message: ToChild) => {
  if (message.type === 'start') start(message).catch(fail);
  else Promise.resolve(stop()).then(() => process.exit(0), failAtOnce);
});

async function start({ folder, password, queryMemoryBytes, querySeconds }: Extract<ToChild, { type: 'start' }>) {
  const engine: Engine = await openEngine({ folder, queryMemoryBytes, querySeconds });
  const server = createEngineServer(engine, password, failAtOnce);
  stop = async () => {
    server.close();
    await engine.close();
  };
  server.listen(0, '127.0.0.1', () => {
    tell({ type: 'ready', port: (server.address() as AddressInfo).port });
  });
}

function tell(message: FromChild): void {
  process.send?.(message);
}

/** The parent shows the last lines of a child that died. */
function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`, () => process.exit(1));
}

/** Fails while statements may be running. */
function failAtOnce(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`, endAtOnce);
}

/**
 * Ends without a way out for the engine, which cannot clean up beside running statements (see `engineRests`), and need
 * not: its files are safe at any moment.
 */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}
