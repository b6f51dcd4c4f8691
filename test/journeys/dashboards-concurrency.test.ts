// People who do things at the same moment: one clear winner, no failure, nothing lost and nothing twice.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Answer } from '../app.ts';
import { startDashboardsApp } from '../model/dashboards-app.ts';

const people = await startDashboardsApp();
after(() => people[Symbol.asyncDispose]());
const { app, ask, get, make, makeInsight, read, users } = people;

const ROUNDS = 10;
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

/** Every tile shows something that exists, and no dashboard shows the same thing twice. */
async function requireSoundTiles(): Promise<void> {
  const tiles = await app.db.selectFrom('dashboard_tile').selectAll().execute();
  const shown = tiles.map(({ dashboard_id, insight_id, text_id }) => `${dashboard_id} ${insight_id} ${text_id}`);
  assert.equal(new Set(shown).size, shown.length);
  const unused = await app.db
    .selectFrom('dashboard_text')
    .leftJoin('dashboard_tile', 'dashboard_tile.text_id', 'dashboard_text.id')
    .select('dashboard_text.id')
    .where('dashboard_tile.id', 'is', null)
    .execute();
  assert.deepEqual(unused, []);
  assert.deepEqual(people.failures(), []);
}

test('two people change one dashboard: both are heard, and one name wins', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id } = await make('ada', { name: 'Before', pinned: false });
    const answers = await Promise.all([
      ask('ada', 'PATCH', `/dashboards/${id}/`, { name: 'From Ada', pinned: true }),
      ask('bob', 'PATCH', `/dashboards/${id}/`, { name: 'From Bob', description: 'Described' }),
    ]);
    assert.deepEqual(statusesOf(answers), [200, 200]);
    const { name, pinned, description } = await read('ada', id);
    assert.ok(['From Ada', 'From Bob'].includes(name));
    assert.deepEqual([pinned, description], [true, 'Described']);

    // The log tells the same story: the second change begins where the first one ended.
    const { results } = await get('ada', 'GET', `/dashboards/${id}/activity/`);
    const [second, first] = results.map(({ detail }: { detail: { changes: { field: string }[] } }) =>
      detail.changes.find(({ field }) => field === 'name'),
    );
    assert.deepEqual([first.before, first.after, second.after], ['Before', second.before, name]);
  }
  await requireSoundTiles();
});

test('one tile moved to two places arrives at one of them', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [from, left, right] = [await make('ada'), await make('ada'), await make('ada')];
    await makeInsight('ada', `Moved ${round}`, [from.id]);
    const [tile] = (await read('ada', from.id)).tiles;
    const move = (to: { id: number }) =>
      ask('ada', 'PATCH', `/dashboards/${from.id}/move_tile/`, { tile: { id: tile.id }, toDashboard: to.id });
    const answers = await Promise.all([move(left), move(right)]);
    assert.deepEqual(statusesOf(answers), [200, 404]);
    const counts = [];
    for (const { id } of [from, left, right]) counts.push((await read('ada', id)).tiles.length);
    assert.deepEqual([counts[0], counts[1] + counts[2]], [0, 1]);
  }
  await requireSoundTiles();
});

test('two tiles of one insight moved to one place: the second is refused', async () => {
  const [left, right, to] = [await make('ada'), await make('ada'), await make('ada')];
  await makeInsight('ada', 'Both', [left.id, right.id]);
  const move = async ({ id }: { id: number }) =>
    ask('ada', 'PATCH', `/dashboards/${id}/move_tile/`, {
      tile: { id: (await read('ada', id)).tiles[0].id },
      toDashboard: to.id,
    });
  assert.deepEqual(statusesOf(await Promise.all([move(left), move(right)])), [200, 400]);
  assert.equal((await read('ada', to.id)).tiles.length, 1);
  await requireSoundTiles();
});

test('tiles that swap places do not wait for each other for ever', async () => {
  const [left, right] = [await make('ada'), await make('ada')];
  for (const [name, { id }] of [
    ['L', left],
    ['R', right],
  ] as const)
    await makeInsight('ada', name, [id]);
  const swap = async () => {
    const [l, r] = [(await read('ada', left.id)).tiles[0], (await read('ada', right.id)).tiles[0]];
    const answers = await Promise.all([
      ask('ada', 'PATCH', `/dashboards/${left.id}/move_tile/`, { tile: l, toDashboard: right.id }),
      ask('bob', 'PATCH', `/dashboards/${right.id}/move_tile/`, { tile: r, toDashboard: left.id }),
    ]);
    assert.deepEqual(statusesOf(answers), [200, 200]);
  };
  for (let round = 0; round < ROUNDS; round += 1) await swap();
  await requireSoundTiles();
});

test('one collaborator added many times at once is added once', async () => {
  const { id } = await make('ada', { restriction_level: 37 });
  const add = () => ask('ada', 'POST', `/dashboards/${id}/collaborators/`, { user_uuid: users.bob.uuid, level: 37 });
  const answers = await Promise.all(Array.from({ length: 8 }, add));
  assert.deepEqual(statusesOf(answers), [201, ...Array(7).fill(400)]);
  assert.ok(answers.every(({ status, body }) => status === 201 || body.detail === 'User already is a collaborator.'));
  assert.equal((await get('ada', 'GET', `/dashboards/${id}/collaborators/`)).length, 1);
  const remove = () => ask('ada', 'DELETE', `/dashboards/${id}/collaborators/${users.bob.uuid}/`);
  assert.deepEqual(statusesOf(await Promise.all([remove(), remove()])), [204, 404]);
});

test('a share asked for many times at once is made once', async () => {
  const { id } = await make('ada');
  const tokens = await Promise.all(
    Array.from({ length: 8 }, async () => (await get('ada', 'GET', `/dashboards/${id}/sharing/`)).access_token),
  );
  assert.equal(new Set(tokens).size, 1);
});

test('a dashboard deleted while tiles come and go ends without any', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, two] = [await make('ada'), await make('ada')];
    const insight = await makeInsight('ada', 'Busy', [one.id]);
    const answers = await Promise.all([
      ask('ada', 'PATCH', `/dashboards/${one.id}/`, { deleted: true, delete_insights: true }),
      ask('bob', 'PATCH', `/insights/${insight.id}/`, { dashboards: [one.id, two.id] }),
      ask('admin', 'PATCH', `/dashboards/${one.id}/`, { tiles: [{ text: { body: 'Late' } }] }),
      ask('owner', 'POST', '/insights/', { name: 'New', dashboards: [one.id] }),
    ]);
    assert.ok(
      answers.every(({ status }) => status < 500),
      JSON.stringify(statusesOf(answers)),
    );
    assert.equal(answers[0]?.status, 200);
    const live = await app.db
      .selectFrom('dashboard_tile')
      .select('id')
      .where('dashboard_id', '=', one.id)
      .where('deleted', '=', false)
      .execute();
    assert.deepEqual(live, []);
  }
  await requireSoundTiles();
});

test('the same change asked for by many at once fails for none', async () => {
  const { id } = await make('ada');
  const other = await make('ada');
  const insights = await Promise.all(Array.from({ length: 4 }, (_, n) => makeInsight('ada', `Crowd ${n}`, [id])));
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) => {
      const who = (['ada', 'bob', 'admin'] as const)[n % 3]!;
      if (n % 4 === 0)
        return ask(who, 'PATCH', `/dashboards/${id}/`, { tags: [`t${n}`], tiles: [{ text: { body: `${n}` } }] });
      const dashboards = n % 2 === 0 ? [id, other.id] : [other.id];
      return ask(who, 'PATCH', `/insights/${insights[n % 4]!.id}/`, { dashboards });
    }),
  );
  assert.deepEqual([...new Set(statusesOf(answers))], [200]);
  await requireSoundTiles();
});
