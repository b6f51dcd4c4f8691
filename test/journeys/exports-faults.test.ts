// Nothing missing, nothing twice, whatever happens on the way.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgresServer } from '../exports/postgres-server.ts';
import { startS3Server } from '../exports/s3-server.ts';
import { runFaults, type Target } from '../load/export-faults.ts';
import { isLong, type Random, seededRandom, seedOfRun } from '../random.ts';
import { openTempFolder } from '../temp-folder.ts';

/** Most of them concern all destinations at once. In short, `exports-processes` kills exporters, and `exports-runs` cuts. */
const FAULTS = 150;
const skip = isLong ? false : 'takes minutes: npm run test:long exports-faults';

const uuidsOf = (text: string): string[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).uuid);

const someTime = (random: Random) => delay(50 + random.int(300));

test(`every event is at each destination once, over ${FAULTS} faults (seed ${seedOfRun})`, { skip }, async () => {
  await using folder = await openTempFolder();
  await using s3 = await startS3Server();
  await using warehouse = await startPostgresServer();

  const files: Target = {
    type: 'File',
    config: { prefix: 'once' },
    async list() {
      const root = join(folder.path, 'exports', 'once');
      const names = (await readdir(root)).filter((name) => name.endsWith('.jsonl'));
      const texts = await Promise.all(names.map((name) => readFile(join(root, name), 'utf8')));
      return texts.flatMap(uuidsOf);
    },
  };
  const bucket: Target = {
    type: 'S3',
    config: { ...s3.access, prefix: 'once' },
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
  };
  const table: Target = {
    type: 'Postgres',
    config: warehouse.access,
    async cut(random) {
      warehouse.cutAfterBytes = random.int(20_000);
      await someTime(random);
      warehouse.cutAfterBytes = undefined;
    },
    list: async () => (await warehouse.query<{ uuid: string }>('select uuid from events')).map(({ uuid }) => uuid),
  };

  const random = seededRandom(seedOfRun);
  const { results, faults } = await runFaults({
    targets: [files, bucket, table],
    faults: FAULTS,
    folder: folder.path,
    random,
  });
  console.log(JSON.stringify({ faults, results }, null, 1));
  for (const { type, stored, found, distinct, missing, verified, statuses } of results) {
    const told = `${type}: ${JSON.stringify({ stored, found, distinct, missing, verified, statuses, faults })}`;
    assert.ok(stored > 0, told);
    assert.deepEqual([found, distinct, missing], [stored, stored, 0], told);
    assert.ok(verified.kind === 'end' && verified.differing === 0 && verified.found === stored, told);
  }
});
