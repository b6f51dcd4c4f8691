// The whole way, through the real program: events come in, an export ships them, and the command line recounts them. And
// the way in: a project moves here from another installation.
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { httpDestination } from '../../src/exports/destinations/http/destination.ts';
import { openGuard } from '../../src/exports/network/guard.ts';
import { openTestDatabase, programOn, type TestDatabase } from '../db.ts';
import { eventually } from '../eventually.ts';
import { hostileProperties, hostileTexts } from '../exports/hostile.ts';
import { eventInHour, openSource } from '../exports/source.ts';
import { KEY, type Program, startProgram, stopProgram, TOKEN } from '../program.ts';
import { openTempFolder, type TempFolder } from '../temp-folder.ts';
import { runHere, runTenrec } from '../tenrec.ts';

const EVENTS = 50;

let folder: TempFolder;
let database: TestDatabase;
let program: Program;
before(async () => {
  [folder, database] = await Promise.all([openTempFolder(), openTestDatabase()]);
  program = await startProgram({ data: folder.path, env: programOn(database) });
});
after(async () => {
  await stopProgram(program);
  await database.close();
  await folder[Symbol.asyncDispose]();
});

const send = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(program.url + path, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const json: any = response.status === 204 ? undefined : await response.json();
  assert.ok(response.ok, JSON.stringify(json));
  return json;
};

const here = '/api/projects/@current/batch_exports';
const verify = (id: string, run = runHere) => {
  const { hostname, port } = new URL(program.url);
  const env = { ...programOn(database), TENREC_DATA: folder.path, HOST: hostname, PORT: port };
  return run(['export', 'verify', id], env);
};

test('what was captured is shipped once, and `tenrec export verify` can tell', async () => {
  const config = { prefix: 'lake/{year}' };
  const { id } = await send('POST', `${here}/`, {
    name: 'lake',
    interval: 'every 1 seconds',
    destination: { type: 'File', config },
  });
  const batch = Array.from({ length: EVENTS }, (_, n) => ({
    event: 'bought',
    distinct_id: `person ${n % 5}`,
    properties: { n, text: 'line\nbreak "quote" \u2028 ☃', nested: { deep: [null, 1e300] } },
  }));
  await send('POST', '/batch/', { api_key: TOKEN, batch });

  const lake = join(folder.path, 'exports', 'lake');
  const read = async () => {
    const names = await readdir(lake, { recursive: true }).catch(() => []);
    const files = names.filter((name) => name.endsWith('.jsonl')).map((name) => join(lake, name));
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    return {
      files,
      rows: texts.flatMap((text) =>
        text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
    };
  };
  await eventually('all are shipped', async () => (await read()).rows.length >= EVENTS, 60_000);
  await send('POST', `${here}/${id}/pause/`).catch(() => {});
  await eventually('no run is under way', async () => {
    const { results } = await send('GET', `${here}/${id}/runs/?ordering=-created_at`);
    return results.every(({ status }: { status: string }) => status === 'Completed');
  });

  const { files, rows } = await read();
  assert.deepEqual(
    rows.map(({ properties }) => properties.n).sort((a, b) => a - b),
    batch.map(({ properties }) => properties.n),
  );
  for (const { properties } of rows) assert.deepEqual(properties.nested, { deep: [null, 1e300] });
  const good = await verify(id, runTenrec);
  assert.equal(good.code, 0, good.stderr);

  const [file = ''] = files;
  const [first = '', ...others] = (await readFile(file, 'utf8')).trim().split('\n');
  await writeFile(file, `${[...others, others[0] ?? first, others[0] ?? first].join('\n')}\n`);
  const bad = await verify(id);
  assert.equal(bad.code, 1, bad.stdout + bad.stderr);
  const { uuid } = JSON.parse(first);
  assert.match(bad.stdout, new RegExp(`differs\\n  missing ${uuid}\\n`));
  assert.match(bad.stdout, /\n {2}repeated [0-9a-f-]{36}\n/);
  assert.match(bad.stdout, /: 1 intervals differ\.\n$/);
});

test('verify says what it cannot do', async () => {
  const unknown = await verify('0195a1c2-7f00-7000-8000-000000000001');
  assert.equal(unknown.code, 3);
  assert.equal((await verify('nonsense')).code, 2);
});

interface Stored {
  id: string;
  event: string;
  distinct_id: string;
  properties: Record<string, unknown>;
  timestamp: string;
}

const moved = Object.values(hostileProperties).map((properties, n) => {
  // White space around an id and an event's name is the receiver's to judge; what is in the middle is not.
  const text = hostileTexts[n % hostileTexts.length]!.trim();
  return eventInHour(n, { event: text, distinct_id: text, properties });
});
moved.push(eventInHour(100, { event: '$autocapture', elements_chain: 'button:text="buy"nth-child="1"' }));

test('another installation holds every event once, as it was captured, however often it is shipped', async () => {
  await using source = await openSource();
  await source.insert(moved);
  const destination = httpDestination(openGuard({ privateNetworksAllowed: true }));
  const config = { url: `${program.url}/batch/`, token: TOKEN };
  // Only what was moved: all of it happened long ago.
  const list = async () =>
    (await send('GET', '/api/projects/1/events/?limit=100&after=2020-01-01&before=2026-01-01')).results;

  await destination.ship(await source.shipment({ teamId: 1, config }));
  await eventually('every event is stored', async () => (await list()).length === moved.length);
  await destination.ship(await source.shipment({ teamId: 1, config }));
  await eventually('nothing waits', async () => (await send('GET', '/api/projects/1/ingestion/')).totals.waiting === 0);

  const stored: Stored[] = await list();
  assert.equal(stored.length, moved.length);
  for (const row of moved) {
    const { event, distinct_id, properties, timestamp } = stored.find(({ id }) => id === row.uuid)!;
    const { $geoip_disable: _, $ip: _ip, $elements_chain: _chain, ...kept } = properties;
    const sent = { event: row.event, distinct_id: row.distinct_id, kept: JSON.parse(String(row.properties)) };
    assert.deepEqual({ event, distinct_id, kept }, sent);
    assert.equal(Date.parse(timestamp), Math.floor(row.timestamp / 1_000));
  }
});
