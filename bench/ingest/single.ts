// One event a request, as browsers and most servers send them, beside a server that only parses them.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadedProgram } from '../../test/load/program.ts';
import { TOKEN } from '../../test/program.ts';
import { median } from '../measure/figure.ts';
import { readCpuMicros } from './cpu.ts';
import type { Goal } from './goal.ts';
import type { LoadGenerator, LoadResult } from './load.ts';

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
}

/** Program and bare server take turns, so that both see the same weather; each figure is the middle of its rounds. */
export async function measureSingle(
  generator: LoadGenerator,
  program: LoadedProgram,
  takeNumbers: (count: number) => number,
): Promise<Goal[]> {
  const bare = fork(BARE_SERVER, { execArgv: [] });
  const [{ port }] = (await once(bare, 'message')) as [{ port: number }];
  const measure = async (server: { port: number; pid: number }): Promise<Measured> => {
    const cpuBefore = await readCpuMicros(server.pid);
    const order = { kind, connections: CONNECTIONS, seconds: ROUND_SECONDS, firstEvent: takeNumbers(1_000_000) };
    const result = await generator.run({ port: server.port, ...order });
    if (result.statuses['200'] !== result.requests) throw new Error(`answers: ${JSON.stringify(result.statuses)}`);
    return {
      ...result,
      requestsPerSecond: result.requests / result.seconds,
      cpuMicros: ((await readCpuMicros(server.pid)) - cpuBefore) / result.requests,
    };
  };
  const bareServer = { port, pid: bare.pid! };
  await measure(bareServer);
  await measure(program);
  const rounds: { bare: Measured; own: Measured }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ bare: await measure(bareServer), own: await measure(program) });
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
    { name: 'the same of the bare server', value: middle(({ bare }) => bare.cpuMicros), unit: 'µs' },
    { name: 'body of a request', value: middle(({ own }) => own.bodyBytes), unit: 'bytes' },
  ];
}
