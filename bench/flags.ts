// `npm run bench flags`: flags over HTTP beside a bare server that answers as many bytes and beside Unleash's own server,
// and evaluation alone beside the evaluators of two other products.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { evaluateFlags } from '../src/flags/evaluation/evaluate.ts';
import { prepareProject } from '../src/flags/evaluation/prepare.ts';
import { PropertyLayers } from '../src/flags/evaluation/properties.ts';
import { seededRandom } from '../test/random.ts';
import { distinctIdOf, FLAGS, flagFilters, flagKeys, PERSONS, propertiesOf } from './flags/definitions.ts';
import { evaluateByGrowthBook, evaluateByUnleash, mostPersons } from './flags/peers.ts';
import { FRONTEND_PATH, frontendBody, installUnleashServer } from './flags/unleash-server.ts';
import { readCpuMicros } from './ingest/cpu.ts';
import { type Figure, median } from './measure/figure.ts';

const CONNECTIONS = 32;
const WARM_SECONDS = 3;
/** The two servers take turns, since the machine's own speed changes from one second to the next. */
const ROUNDS = 5;
const ROUND_SECONDS = 3;
const SERVER = fileURLToPath(new URL('flags/server.ts', import.meta.url));

interface Server extends AsyncDisposable {
  pid: number;
  url: string;
  token: string;
}

async function start(...args: string[]): Promise<Server> {
  const child: ChildProcess = fork(SERVER, args, { execArgv: [] });
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the server of the benchmark ended with ${code}`);
  });
  const [{ url, token }] = (await Promise.race([once(child, 'message'), died])) as [{ url: string; token: string }];
  const stop = async () => {
    child.disconnect();
    await died.catch(() => {});
  };
  return { pid: child.pid!, url, token, [Symbol.asyncDispose]: stop };
}

/** Enough that those of one connection hardly come round while they are measured. */
const REQUESTS_A_CONNECTION = 2_000;

interface Loaded {
  perSecond: number;
  p99Ms: number;
  cpuMicros: number;
}

/** Random people who are stored, others on each connection, the same for every server. */
async function load(
  { pid, url }: Server,
  path: string,
  bodyOf: (person: number) => object,
  seconds: number,
): Promise<Loaded> {
  const random = seededRandom(1);
  const people = () => Array.from({ length: REQUESTS_A_CONNECTION }, () => random.int(PERSONS));
  const requestOf = (person: number) => ({
    method: 'POST' as const,
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(person)),
  });
  const cpuMicros = await readCpuMicros(pid);
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient: (client: { setRequests(requests: object[]): void }) => client.setRequests(people().map(requestOf)),
  });
  if (non2xx + errors > 0) throw new Error(`${path}: ${non2xx} refused, ${errors} failed`);
  return {
    perSecond: requests.average,
    p99Ms: latency.p99,
    cpuMicros: ((await readCpuMicros(pid)) - cpuMicros) / requests.total,
  };
}

async function answerBytes({ url, token }: Server, path: string): Promise<number> {
  const body = JSON.stringify({ token, distinct_id: distinctIdOf(1) });
  return (await (await fetch(url + path, { method: 'POST', body })).text()).length;
}

function evaluateAlone(): number {
  const flags = flagKeys.map((key, at) => ({
    id: at + 1,
    key,
    active: true,
    deleted: false,
    filters: flagFilters(at),
  }));
  const project = prepareProject({ flags, cohorts: [], timezone: 'UTC' });
  return mostPersons((at) => {
    const person = new PropertyLayers([propertiesOf(at)]);
    const known = { person, groups: new Map(), cohorts: new Set<number>(), hashKeys: new Map() };
    evaluateFlags(project.flags, { ...known, distinct_id: distinctIdOf(at), nowMs: 0 });
  }, PERSONS);
}

/** Undefined, and a line that says why, when it cannot be had here. */
async function loadUnleashServer(): Promise<number | undefined> {
  try {
    await using unleash = await start('unleash', await installUnleashServer());
    await load(unleash, FRONTEND_PATH, frontendBody, WARM_SECONDS);
    return (await load(unleash, FRONTEND_PATH, frontendBody, ROUND_SECONDS)).perSecond;
  } catch (error) {
    console.log(`unleash-server is left out: ${(error as Error).message.split('\n', 1)[0]}`);
    return undefined;
  }
}

async function measureEndpoint(ours: Server, path: string, unleash: number | undefined): Promise<Figure[]> {
  const bodyOf = (person: number) => ({ token: ours.token, distinct_id: distinctIdOf(person) });
  await using bare = await start('bare', String(await answerBytes(ours, path)));
  const rounds: { bare: Loaded; ours: Loaded }[] = [];
  for (const server of [bare, ours]) await load(server, path, bodyOf, WARM_SECONDS);
  while (rounds.length < ROUNDS) {
    rounds.push({
      bare: await load(bare, path, bodyOf, ROUND_SECONDS),
      ours: await load(ours, path, bodyOf, ROUND_SECONDS),
    });
  }
  const middle = (figure: (round: (typeof rounds)[number]) => number) => median(rounds.map(figure));
  const perSecond = middle((round) => round.ours.perSecond);
  const timesBare = middle((round) => round.bare.perSecond / round.ours.perSecond);
  return [
    { name: `${path}: a bare server`, value: middle((round) => round.bare.perSecond), unit: 'requests/s' },
    { name: path, value: perSecond, unit: 'requests/s' },
    { name: `${path}: bare ÷ ours`, value: timesBare, unit: '×', max: 1 / 0.35 },
    ...(unleash === undefined
      ? []
      : [{ name: `${path}: 4 × unleash-server ÷ ours`, value: (4 * unleash) / perSecond, unit: '×', max: 1 }]),
    { name: `${path}: p99`, value: middle((round) => round.ours.p99Ms), unit: 'ms', max: 15 },
    {
      name: `${path}: processor time of a bare server`,
      value: middle((round) => round.bare.cpuMicros),
      unit: 'µs a request',
    },
    { name: `${path}: processor time`, value: middle((round) => round.ours.cpuMicros), unit: 'µs a request' },
  ];
}

export async function run(): Promise<Figure[]> {
  const alone = evaluateAlone();
  const figures: Figure[] = [
    { name: `evaluation alone, ${FLAGS} flags`, value: alone, unit: 'users/s' },
    { name: 'evaluation alone: 10,000 users/s ÷ ours', value: 10_000 / alone, unit: '×', max: 1 },
    { name: 'the same by the GrowthBook SDK', value: evaluateByGrowthBook(), unit: 'users/s' },
    { name: 'the same by the Unleash SDK', value: await evaluateByUnleash(), unit: 'users/s' },
  ];
  const unleash = await loadUnleashServer();
  if (unleash !== undefined) figures.push({ name: 'unleash-server', value: unleash, unit: 'requests/s' });
  await using ours = await start('ours');
  for (const path of ['/decide?v=3', '/flags/?v=2']) figures.push(...(await measureEndpoint(ours, path, unleash)));
  return figures;
}
