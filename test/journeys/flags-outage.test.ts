// Flags while PostgreSQL is away: what can be known is answered, the rest is left out, and nobody waits.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Kysely, PostgresDialect } from 'kysely';
import { pino } from 'pino';
import { openEmbeddedPostgres } from '../../src/metadata/embedded/open.ts';
import { migrateMetadata } from '../../src/metadata/migrate.ts';
import { openPool } from '../../src/metadata/pool.ts';
import type { Database } from '../../src/metadata/tables.ts';
import { eventually } from '../eventually.ts';
import { isLong } from '../random.ts';
import { startFlagsApp } from './flags-app.ts';

const log = pino({ level: 'silent' });
const ASKERS = isLong ? 64 : 8;
const person = (key: string, value: unknown) => ({ key, value, type: 'person' });

test('flags that need nothing stored stay right, others are left out with the error bit, and all recovers by itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tenrec-flags-outage-'));
  let postgres = await openEmbeddedPostgres(folder, log, { settings: { fsync: 'off' } });
  const { url } = postgres;
  const pool = openPool(url, log);
  await migrateMetadata(pool, log);
  const close = () => pool.end();
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const app = await startFlagsApp({ url, db, pool, close, [Symbol.asyncDispose]: close });
  try {
    await app.addPerson({ distinct_ids: ['ann'], properties: { plan: 'pro' } });
    await app.addFlag('plain', { groups: [{ rollout_percentage: 100 }] });
    await app.addFlag('pro', { groups: [{ properties: [person('plan', 'pro')], rollout_percentage: 100 }] });
    const ask = async (body: object = {}) => {
      const answer = await app.post('/decide/?v=3', { distinct_id: 'ann', ...body });
      assert.equal(answer.status, 200, answer.text);
      return { flags: answer.body.featureFlags, isPartial: answer.body.errorsWhileComputingFlags };
    };
    assert.deepEqual(await ask(), { flags: { plain: true, pro: true }, isPartial: false });
    // Meanwhile others ask all the time; none of them is ever told that something is off which is on.
    let isOver = false;
    const others = Array.from({ length: ASKERS }, async () => {
      while (!isOver) {
        const { flags, isPartial } = await ask();
        assert.ok(flags.pro === true || (!('pro' in flags) && isPartial), JSON.stringify(flags));
      }
    });

    await postgres.close();
    // What was read a moment ago still holds; after that nothing is known of the person.
    await eventually('what was kept is too old', async () => (await ask()).isPartial);
    const begunAt = performance.now();
    for (let round = 0; round < 20; round += 1) {
      assert.deepEqual(await ask(), { flags: { plain: true }, isPartial: true });
      assert.deepEqual(await ask({ person_properties: { plan: 'pro' } }), {
        flags: { plain: true, pro: true },
        isPartial: false,
      });
    }
    assert.ok(performance.now() - begunAt < 10_000, 'nobody waits long for what does not come');

    postgres = await openEmbeddedPostgres(folder, log, { settings: { fsync: 'off' } });
    assert.equal(postgres.url, url);
    await eventually('the stored plan counts again', async () => (await ask()).flags.pro === true);
    isOver = true;
    await Promise.all(others);
    await db.updateTable('feature_flag').set({ active: false }).where('key', '=', 'plain').execute();
    await eventually('changes are heard of again', async () => !('plain' in (await ask()).flags));
  } finally {
    await app[Symbol.asyncDispose]();
    await postgres.close();
    await rm(folder, { recursive: true, force: true });
  }
});
