// What reading costs: as many statements for a hundred tiles as for one, and the last page of a long list like the first.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { startDashboardsApp } from '../model/dashboards-app.ts';

const people = await startDashboardsApp();
after(() => people[Symbol.asyncDispose]());
const { app, get, make, read, users } = people;

interface Statement {
  text: string;
  values: unknown[];
}

/** The statements that go to PostgreSQL meanwhile, from this whole process. */
async function statementsOf(run: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [text, values] = args as [string, unknown[] | undefined];
    seen.push({ text, values: Array.isArray(values) ? values : [] });
    return Reflect.apply(query, this, args);
  } as typeof query;
  await run().finally(() => {
    pg.Client.prototype.query = query;
  });
  return seen;
}

/** The same of the quietest of three times: now and then the program does something by itself. */
async function fewestOf(run: () => Promise<unknown>): Promise<Statement[]> {
  const times = [await statementsOf(run), await statementsOf(run), await statementsOf(run)];
  return times.sort((a, b) => a.length - b.length)[0]!;
}

const textsOf = (statements: readonly Statement[]) => statements.map(({ text }) => text);

/** A dashboard with that many tiles, one in four of them a text, by several people. */
async function fill(tiles: number): Promise<number> {
  const { id } = await make('ada', { name: `With ${tiles}` });
  const authors = [users.ada.id, users.bob.id, users.admin.id];
  for (let n = 0; n < tiles; n += 1) {
    const created_by_id = authors[n % authors.length]!;
    const place = { dashboard_id: id, layouts: JSON.stringify({ sm: { x: (n % 2) * 6, y: n * 5 } }) };
    if (n % 4 === 3) {
      const text = { team_id: app.project.id, body: `Text ${n}`, created_by_id };
      const { id: text_id } = await app.db
        .insertInto('dashboard_text')
        .values(text)
        .returning('id')
        .executeTakeFirstOrThrow();
      await app.db
        .insertInto('dashboard_tile')
        .values({ ...place, text_id })
        .execute();
    } else {
      const insight = { team_id: app.project.id, short_id: `c${id}x${n}`, name: `Insight ${n}`, created_by_id };
      const { id: insight_id } = await app.db
        .insertInto('insight')
        .values(insight)
        .returning('id')
        .executeTakeFirstOrThrow();
      await app.db
        .insertInto('dashboard_tile')
        .values({ ...place, insight_id })
        .execute();
    }
  }
  return id;
}

test('a dashboard of 100 tiles is read with as many statements as one of 5', async () => {
  const [few, many] = [await fill(5), await fill(100)];
  // The first read also notes that the key and the dashboard were used.
  for (const id of [few, many]) await read('owner', id);
  const forFew = await fewestOf(() => read('owner', few));
  const forMany = await fewestOf(async () => assert.equal((await read('owner', many)).tiles.length, 100));
  assert.deepEqual(textsOf(forMany), textsOf(forFew));
  assert.ok(forMany.length <= 8, `${forMany.length} statements`);
});

test('a change of a dashboard of 100 tiles, and its public page, cost the same as for one of 5', async () => {
  const [few, many] = [await fill(5), await fill(100)];
  let changes = 0;
  const change = (id: number) =>
    fewestOf(() => get('owner', 'PATCH', `/dashboards/${id}/`, { name: `Changed ${++changes}` }));
  assert.equal((await change(many)).length, (await change(few)).length);
  const visit = async (id: number) => {
    const { access_token } = await get('owner', 'PATCH', `/dashboards/${id}/sharing/`, { enabled: true });
    const page = () => app.send('GET', `/shared/${access_token}.json`);
    await page();
    return fewestOf(page);
  };
  assert.equal((await visit(many)).length, (await visit(few)).length);
});

const MANY = 10_000;

interface Cost {
  /** Pages that PostgreSQL touches to answer; unlike time, the same on every machine. */
  buffers: number;
  plan: string;
}

async function costOf({ text, values }: Statement): Promise<Cost> {
  const explain = CompiledQuery.raw(`explain (analyze, buffers, format json) ${text}`, values);
  const { rows } = await app.db.executeQuery<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(explain);
  const { Plan } = rows[0]!['QUERY PLAN'][0]!;
  return { buffers: Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!, plan: JSON.stringify(Plan) };
}

async function pageStatement(who: 'bob' | 'owner', offset: number): Promise<Statement> {
  const statements = await statementsOf(() => get(who, 'GET', `/dashboards/?limit=100&offset=${offset}`));
  return statements.find(({ text }) => text.startsWith('with "page"'))!;
}

test(`of ${MANY} dashboards, the last page is found in the index and costs hardly more than the first`, async () => {
  await sql`
    insert into dashboard (team_id, name, description, created_by_id)
    select ${app.project.id}::int, 'Bulk ' || n, repeat('words ', 100), ${users.ada.id}::int
      from generate_series(1, ${MANY}::int) n`.execute(app.db);
  await sql`vacuum analyze dashboard`.execute(app.db);
  for (const who of ['bob', 'owner'] as const) {
    const { buffers: first } = await costOf(await pageStatement(who, 0));
    const { buffers: last, plan } = await costOf(await pageStatement(who, MANY - 100));
    assert.match(plan, /"Index Only Scan"[^{}]*"dashboard_listed"/);
    const { pages } = (
      await sql<{ pages: number }>`select relpages as pages from pg_class where relname = 'dashboard'`.execute(app.db)
    ).rows[0]!;
    assert.ok(last < first + pages / 5, `${who}: ${first} pages for the first, ${last} for the last, ${pages} in all`);
  }
  const page = await get('bob', 'GET', `/dashboards/?search=&limit=100&offset=${MANY - 100}`);
  assert.ok(page.count >= MANY);
  assert.equal(page.results.length, 100);
  const counts = [];
  for (const offset of [0, MANY / 2, MANY - 100]) {
    counts.push((await fewestOf(() => get('bob', 'GET', `/dashboards/?limit=100&offset=${offset}`))).length);
  }
  assert.equal(new Set(counts).size, 1, `statements: ${counts}`);
});
