// Nothing missing, nothing twice, whatever happens on the way.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { forward, type Line, listen } from '../exports/line.ts';
import { openWarehouse, type Warehouse } from '../exports/postgres-server.ts';
import { type S3Server, startS3Server } from '../exports/s3-server.ts';
import { type FaultResult, runFaults, type Target } from '../load/export-faults.ts';
import { type LoadedProgram, startLoadedProgram } from '../load/program.ts';
import { KEY, TOKEN } from '../program.ts';
import { isLong, type Random, seededRandom, seedOfRun } from '../random.ts';
import { openTempFolder } from '../temp-folder.ts';

const FAULTS_EACH = isLong ? 100 : 2;

const uuidsOf = (text: string): string[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).uuid);

const someTime = (random: Random) => delay(50 + random.int(300));

async function cutLine(line: Line, random: Random): Promise<void> {
  line.cutAfterBytes = random.int(20_000);
  await someTime(random);
  line.cutAfterBytes = undefined;
}

const filesIn = (folder: string): Target => ({
  type: 'File',
  config: { prefix: 'once' },
  isVerifiable: true,
  async list() {
    const root = join(folder, 'exports', 'once');
    const names = (await readdir(root)).filter((name) => name.endsWith('.jsonl'));
    const texts = await Promise.all(names.map((name) => readFile(join(root, name), 'utf8')));
    return texts.flatMap(uuidsOf);
  },
});

const bucketOn = (s3: S3Server): Target => ({
  type: 'S3',
  config: { ...s3.access, prefix: 'once' },
  isVerifiable: true,
  async cut(random) {
    s3.intercept = () => {
      if (random.chance(0.5)) return 'cut';
      return random.chance(0.3) ? { status: 503, body: '<Error><Code>SlowDown</Code></Error>' } : undefined;
    };
    await someTime(random);
    s3.intercept = undefined;
  },
  async list() {
    const keys = (await s3.keys('once')).filter((key) => key.endsWith('.jsonl'));
    const texts = await Promise.all(keys.map(async (key) => (await s3.read(key)).toString()));
    return texts.flatMap(uuidsOf);
  },
});

const tableOn = (warehouse: Warehouse): Target => ({
  type: 'Postgres',
  config: warehouse.access,
  isVerifiable: true,
  cut: (random) => cutLine(warehouse, random),
  list: async () => (await warehouse.query<{ uuid: string }>('select uuid from events')).map(({ uuid }) => uuid),
});

/** A second Tenrec, reached over a line that can be cut. */
const tenrecOn = (program: LoadedProgram, port: number, line: Line): Target => ({
  type: 'HTTP',
  config: { url: `http://127.0.0.1:${port}/batch/`, token: TOKEN },
  isVerifiable: false,
  cut: (random) => cutLine(line, random),
  async list() {
    await eventually('the second Tenrec has stored what it accepted', async () => {
      const headers = { authorization: `Bearer ${KEY}` };
      const answer = await fetch(`${program.url}/api/projects/1/ingestion/`, { headers });
      const { totals } = (await answer.json()) as { totals: { waiting: number } };
      return totals.waiting === 0;
    });
    return (await program.ask<{ uuid: string }>('SELECT toString(uuid) AS uuid FROM events')).map(({ uuid }) => uuid);
  },
});

function check({ type, stored, found, distinct, missing, verified, statuses, faults }: FaultResult): void {
  const told = `${type}: ${JSON.stringify({ stored, found, distinct, missing, verified, statuses, faults })}`;
  assert.ok(stored > 0 && faults >= FAULTS_EACH, told);
  assert.deepEqual([distinct, missing], [stored, 0], told);
  // Over HTTP an event may come again, under the same id.
  assert.ok(type === 'HTTP' ? found >= stored : found === stored, told);
  if (type === 'HTTP') return;
  assert.ok(verified?.kind === 'end' && verified.differing === 0 && verified.found === stored, told);
}

test(`every event is at each destination once, over ${FAULTS_EACH} faults each (seed ${seedOfRun})`, async () => {
  await using folder = await openTempFolder();
  await using s3 = await startS3Server();
  await using warehouse = await openWarehouse();
  const targets = [filesIn(folder.path), bucketOn(s3), tableOn(warehouse)];
  await using stack = new AsyncDisposableStack();
  if (isLong) {
    const program = await startLoadedProgram({ data: join(folder.path, 'second') });
    stack.defer(() => program.stop());
    const line: Line = { cutAfterBytes: undefined };
    const { server, close } = await listen((socket) => forward(socket, connect(program.port, '127.0.0.1'), line));
    stack.defer(close);
    targets.push(tenrecOn(program, (server.address() as AddressInfo).port, line));
  }

  const { results, faults } = await runFaults({
    ...{ targets, faultsEach: FAULTS_EACH, folder: folder.path },
    random: seededRandom(seedOfRun),
  });
  if (isLong) console.log(JSON.stringify({ faults, results }, null, 1));
  for (const result of results) check(result);
});
