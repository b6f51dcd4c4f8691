// `npm run bench flags`: flags over HTTP beside a bare server that answers as many bytes, and evaluation alone beside the
// evaluators of two other products.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { evaluateFlags } from '../src/flags/evaluation/evaluate.ts';
import { prepareProject } from '../src/flags/evaluation/prepare.ts';
import { PropertyLayers } from '../src/flags/evaluation/properties.ts';
import { distinctIdOf, FLAGS, flagFilters, PERSONS, propertiesOf } from './flags/definitions.ts';
import { evaluateByGrowthBook, evaluateByUnleash, mostPersons } from './flags/peers.ts';
import type { Figure } from './measure/figure.ts';

const CONNECTIONS = 32;
const WARM_SECONDS = 3;
const SECONDS = 8;
const SERVER = fileURLToPath(new URL('flags/server.ts', import.meta.url));

interface Server extends AsyncDisposable {
  url: string;
  token: string;
}

async function start(...args: string[]): Promise<Server> {
  const child: ChildProcess = fork(SERVER, args, { execArgv: [] });
  const [{ url, token }] = (await once(child, 'message')) as [{ url: string; token: string }];
  const stop = async () => {
    child.disconnect();
    await once(child, 'exit');
  };
  return { url, token, [Symbol.asyncDispose]: stop };
}

/** Random people who are stored, the same for every server. */
const requests = (path: string, token: string) =>
  Array.from({ length: 2_000 }, (_, at) => ({
    method: 'POST' as const,
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, distinct_id: distinctIdOf((at * 7_919) % PERSONS) }),
  }));

async function load({ url, token }: Server, path: string) {
  const options = { url, connections: CONNECTIONS, requests: requests(path, token) };
  await autocannon({ ...options, duration: WARM_SECONDS });
  const { requests: counted, latency, non2xx, errors } = await autocannon({ ...options, duration: SECONDS });
  if (non2xx + errors > 0) throw new Error(`${path}: ${non2xx} refused, ${errors} failed`);
  return { perSecond: counted.average, p99Ms: latency.p99 };
}

async function answerBytes({ url, token }: Server, path: string): Promise<number> {
  const body = JSON.stringify({ token, distinct_id: distinctIdOf(1) });
  return (await (await fetch(url + path, { method: 'POST', body })).text()).length;
}

function evaluateAlone(): number {
  const flags = Array.from({ length: FLAGS }, (_, at) => ({
    id: at + 1,
    key: `flag-${at}`,
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

export async function run(): Promise<Figure[]> {
  const alone = evaluateAlone();
  const growthBook = evaluateByGrowthBook();
  const unleash = await evaluateByUnleash();
  await using ours = await start('ours');
  const figures: Figure[] = [
    { name: `evaluation alone, ${FLAGS} flags`, value: alone, unit: 'users/s' },
    { name: 'evaluation alone: 10,000 users/s ÷ ours', value: 10_000 / alone, unit: '×', max: 1 },
    { name: 'the same by the GrowthBook SDK', value: growthBook, unit: 'users/s' },
    { name: 'the same by the Unleash SDK', value: unleash, unit: 'users/s' },
  ];
  for (const path of ['/decide?v=3', '/flags/?v=2']) {
    await using bare = await start('bare', String(await answerBytes(ours, path)));
    const reference = await load(bare, path);
    const measured = await load(ours, path);
    figures.push(
      { name: `${path}: a bare server`, value: reference.perSecond, unit: 'requests/s' },
      { name: path, value: measured.perSecond, unit: 'requests/s' },
      { name: `${path}: bare ÷ ours`, value: reference.perSecond / measured.perSecond, unit: '×', max: 1 / 0.35 },
      { name: `${path}: p99`, value: measured.p99Ms, unit: 'ms', max: 15 },
    );
  }
  return figures;
}
