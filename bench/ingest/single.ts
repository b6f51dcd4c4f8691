// One event a request, as browsers and most servers send them, beside a server that only parses them.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadedProgram } from '../../test/load/program.ts';
import { TOKEN } from '../../test/program.ts';
import { median } from '../measure/figure.ts';
import { readCpuMicros, readMainThreadMicros } from './cpu.ts';
import type { Goal } from './goal.ts';
import type { LoadGenerator, LoadResult } from './load.ts';
import { waitUntilStored } from './stored.ts';

const CONNECTIONS = 32;
const ROUNDS = 5;
const ROUND_SECONDS = 2;
const RATIO_MIN = 0.45;
const BARE_SERVER = fileURLToPath(new URL('../../test/load/bare-server.ts', import.meta.url));

const kind = { path: '/capture/', token: TOKEN, eventsPerRequest: 1, requests: 1_000, people: 2_000 };

interface Measured extends LoadResult {
  requestsPerSecond: number;
  /** Processor time of the whole server process. Neighbours on the machine change it less than they change the rate. */
  cpuMicros: number;
  /** Of its event loop alone: of the doors, where the rest is what happens behind them. */
  doorMicros: number;
  /** Of ClickHouse, which shares the machine; 0 for the bare server. */
  engineMicros: number;
}

interface Server {
  port: number;
  pid: number;
  engine: number | undefined;
}

/** Program and bare server take turns, so that both see the same weather; each figure is the middle of its rounds. */
export async function measureSingle(
  generator: LoadGenerator,
  program: LoadedProgram,
  takeNumbers: (count: number) => number,
): Promise<Goal[]> {
  const bare = fork(BARE_SERVER, { execArgv: [] });
  const [{ port }] = (await once(bare, 'message')) as [{ port: number }];
  const readTimes = async ({ pid, engine }: Server) => ({
    cpuMicros: await readCpuMicros(pid),
    doorMicros: await readMainThreadMicros(pid),
    engineMicros: engine === undefined ? 0 : await readCpuMicros(engine),
  });
  const measure = async (server: Server): Promise<Measured> => {
    const before = await readTimes(server);
    const order = { kind, connections: CONNECTIONS, seconds: ROUND_SECONDS, firstEvent: takeNumbers(1_000_000) };
    const result = await generator.run({ port: server.port, ...order });
    if (result.statuses['200'] !== result.requests) throw new Error(`answers: ${JSON.stringify(result.statuses)}`);
    const after = await readTimes(server);
    return {
      ...result,
      requestsPerSecond: result.requests / result.seconds,
      cpuMicros: (after.cpuMicros - before.cpuMicros) / result.requests,
      doorMicros: (after.doorMicros - before.doorMicros) / result.requests,
      engineMicros: (after.engineMicros - before.engineMicros) / result.requests,
    };
  };
  const bareServer = { port, pid: bare.pid!, engine: undefined };
  const own = { port: program.port, pid: program.pid, engine: program.findEngine('ClickHouse') };
  let accepted = 0;
  /** Until everything is stored, so that what is left to be done does not slow the bare server down. */
  const measureOwn = async (): Promise<Measured> => {
    const measured = await measure(own);
    accepted += measured.events;
    await waitUntilStored(program, accepted);
    return measured;
  };
  await measure(bareServer);
  await measureOwn();
  const rounds: { bare: Measured; own: Measured }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ bare: await measure(bareServer), own: await measureOwn() });
  }
  bare.disconnect();
  const middle = (of: (round: { bare: Measured; own: Measured }) => number) => median(rounds.map(of));
  return [
    {
      name: `/capture/, ${CONNECTIONS} connections, fsynced, beside a bare server`,
      value: middle(({ own, bare }) => own.requestsPerSecond / bare.requestsPerSecond),
      unit: 'of it',
      min: RATIO_MIN,
    },
    { name: '/capture/', value: middle(({ own }) => own.requestsPerSecond), unit: 'events/s' },
    { name: 'the bare server', value: middle(({ bare }) => bare.requestsPerSecond), unit: 'requests/s' },
    { name: '/capture/, time to answer, p50', value: middle(({ own }) => own.p50Ms), unit: 'ms' },
    { name: '/capture/, time to answer, p99', value: middle(({ own }) => own.p99Ms), unit: 'ms' },
    {
      name: '/capture/, processor time of a request, all of the process',
      value: middle(({ own }) => own.cpuMicros),
      unit: 'µs',
    },
    { name: 'the same of its event loop alone', value: middle(({ own }) => own.doorMicros), unit: 'µs' },
    { name: 'the same of the bare server', value: middle(({ bare }) => bare.cpuMicros), unit: 'µs' },
    { name: 'ClickHouse, meanwhile, for each request', value: middle(({ own }) => own.engineMicros), unit: 'µs' },
    { name: 'body of a request', value: middle(({ own }) => own.bodyBytes), unit: 'bytes' },
  ];
}
