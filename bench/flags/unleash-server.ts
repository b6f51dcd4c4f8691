// Unleash's own server with the same fifty flags. It is no dependency of ours: the benchmark fetches it when it runs.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openTestDatabase } from '../../test/db.ts';
import { eventually } from '../../test/eventually.ts';
import { distinctIdOf, flagKeys, hasVariants, propertiesOf } from './definitions.ts';
import type { Started } from './server.ts';
import { strategyOf, variants } from './unleash-flags.ts';

const VERSION = '8.2.0';
/** The one that requests without a token are about. */
const ENVIRONMENT = 'development';
const INSTALL_MS_MAX = 5 * 60_000;

export const FRONTEND_PATH = '/api/frontend';

/** What its clients send: it stores nobody, so the request tells what ours looks up. */
export const frontendBody = (person: number) => ({
  context: { userId: distinctIdOf(person), properties: propertiesOf(person) },
});

/** The file that an installed server starts from; it is kept for the next run. Throws when npm cannot get it. */
export async function installUnleashServer(): Promise<string> {
  const folder = join(tmpdir(), `tenrec-bench-unleash-server-${VERSION}`);
  const entry = join(folder, 'node_modules/unleash-server/dist/lib/server-impl.js');
  if (existsSync(entry)) return entry;
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  const args = ['install', '--prefix', folder, ...quiet, `unleash-server@${VERSION}`];
  await promisify(execFile)('npm', args, { timeout: INSTALL_MS_MAX, cwd: tmpdir() });
  return entry;
}

interface UnleashModule {
  start(options: object): Promise<{ server: import('node:http').Server; stop(): Promise<void> }>;
}

/** On an embedded PostgreSQL, without accounts and without asking anybody elsewhere. */
export async function startUnleash(entry: string): Promise<Started> {
  const database = await openTestDatabase();
  const name = `unleash_${process.pid}`;
  await database.pool.query(`create database ${name}`);
  const { username, searchParams, port } = new URL(database.url);
  const { start } = (await import(pathToFileURL(entry).href)) as UnleashModule;
  const unleash = await start({
    db: { host: searchParams.get('host'), port: Number(port), user: username, database: name, ssl: false },
    authentication: { type: 'none' },
    server: { host: '127.0.0.1', port: 0 },
    logLevel: 'error',
    versionCheck: { enable: false },
    telemetry: false,
  });
  const address = unleash.server.address() as import('node:net').AddressInfo;
  const url = `http://127.0.0.1:${address.port}`;
  for (const [at, key] of flagKeys.entries()) await addFlag(url, key, at);
  await eventually('the flags are served', async () => (await countFlags(url)) > 0, 30_000);
  return {
    url,
    token: '',
    async close() {
      await unleash.stop();
      await database.close();
    },
  };
}

async function post(url: string, body?: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body ?? {}) });
  if (!answer.ok) throw new Error(`unleash-server answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

async function addFlag(url: string, key: string, at: number): Promise<void> {
  const features = `${url}/api/admin/projects/default/features`;
  await post(features, { name: key, type: 'release' });
  const environment = `${features}/${key}/environments/${ENVIRONMENT}`;
  await post(`${environment}/strategies`, { ...strategyOf(at), ...(hasVariants(at) && { variants }) });
  await post(`${environment}/on`);
}

async function countFlags(url: string): Promise<number> {
  const { toggles } = (await (await post(url + FRONTEND_PATH, frontendBody(1))).json()) as { toggles: unknown[] };
  return toggles.length;
}
