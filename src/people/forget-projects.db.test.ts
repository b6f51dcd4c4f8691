import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { insertTestProject, openTestPipeline } from '../../test/pipeline.ts';
import { parts as tables } from '../store/tables/all.ts';
import { forgetNext } from './forget-projects.ts';

const log = pino({ level: 'silent' });

test('a deleted project takes its people and its events with it, and nobody else’s', async () => {
  await using pipeline = await openTestPipeline();
  const { database, store, pool, team_id } = pipeline;
  const other = await insertTestProject(pool);
  const visit = [
    { event: '$groupidentify', distinct_id: 'ann', properties: { $group_type: 'team', $group_key: 'a' } },
    { event: '$identify', distinct_id: 'ann', properties: { $anon_distinct_id: 'anon', $session_id: SESSION } },
    { event: 'seen', distinct_id: 'bob', properties: { $process_person_profile: false } },
  ];
  await pipeline.send(visit);
  await pipeline.send(visit, { team_id: other });

  const left = async (id: number): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const name of ['person', 'person_distinct_id', 'personless_id', 'groups', 'event_property']) {
      const { rows } = await pool.query(`select count(*)::int as rows from ${name} where team_id = $1`, [id]);
      counts[name] = rows[0].rows;
    }
    for (const table of tables.filter(({ kind }) => kind === 'table')) {
      const [row] = await pipeline.rows<{ rows: string }>(
        `SELECT count() AS rows FROM ${table.name} WHERE team_id = {id:Int64}`,
        { id },
      );
      counts[`${table.name} in the event store`] = Number(row!.rows);
    }
    return counts;
  };
  const before = await left(other);
  assert.ok(before.person === 1 && before['events in the event store'] === 3 && before.groups === 1);

  await pool.query('delete from project where id = $1', [team_id]);
  const parts = { db: database.db, store, cluster: '', log };
  assert.equal(await forgetNext(parts, 60_000), false, 'what is on its way is waited for');
  assert.equal(await forgetNext(parts, 0), true);
  assert.equal(await forgetNext(parts, 0), false, 'once is enough');

  assert.deepEqual(new Set(Object.values(await left(team_id))), new Set([0]));
  assert.deepEqual(await left(other), before);
});

const SESSION = '0190a5d0-0000-7000-8000-0000000000aa';
