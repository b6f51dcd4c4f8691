// Texts made to reach what is not theirs: rows of another project, tables of the system, files, addresses, settings.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isLong, type Random, seededRandom, seedOfRun } from '../../../test/random.ts';
import { doEach } from '../../../test/reference/query/at-a-time.ts';
import { openTestContext } from '../../../test/reference/query/context.ts';
import { makeEvent, openTestTables } from '../../../test/tables.ts';
import { ApiError } from '../../http/errors.ts';
import { insertEvents, insertRows } from '../../store/tables/insert.ts';

const SECRET = `secret-${randomUUID()}`;
const tables = await openTestTables();
const folder = await mkdtemp(join(tmpdir(), 'tenrec-secret-'));
await writeFile(join(folder, 'secret.csv'), `${SECRET}\n`);
let visits = 0;
const server = createServer((_, response) => {
  visits += 1;
  response.end(SECRET);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
after(async () => {
  server.close();

  await tables[Symbol.asyncDispose]();

  await rm(folder, { recursive: true });
});

const SESSION = '01950000-0000-7000-8000-000000000001';
const rowsOf = (team_id: number, word: string) =>
  [1, 2].map((n) =>
    makeEvent(team_id * 10 + n, {
      team_id,
      event: `event ${word}`,
      distinct_id: `id ${word}`,
      elements_chain: `a:text="${word}"`,
      properties: JSON.stringify({
        plan: word,
        $group_0: 'acme',
        $session_id: SESSION,
        $current_url: `https://${word}`,
      }),
      person_properties: JSON.stringify({ email: word }),
    }),
  );
await insertEvents(tables.client, [...rowsOf(1, 'mine'), ...rowsOf(2, SECRET)], randomUUID());
const mirrored = { is_deleted: false, version: 1, inserted_at: 0 };
for (const [team_id, word] of [
  [1, 'mine'],
  [2, SECRET],
] as const) {
  const id = rowsOf(team_id, word)[0]!.person_id;
  const properties = JSON.stringify({ email: word });
  await insertRows(
    tables.client,
    'person',
    [{ ...mirrored, team_id, id, properties, created_at: 0, is_identified: true }],
    randomUUID(),
  );
  await insertRows(
    tables.client,
    'person_distinct_id',
    [{ ...mirrored, team_id, distinct_id: `id ${word}`, person_id: id }],
    randomUUID(),
  );
  await insertRows(
    tables.client,
    'person_distinct_id_overrides',
    [{ ...mirrored, team_id, distinct_id: `old ${word}`, person_id: id }],
    randomUUID(),
  );
  await insertRows(
    tables.client,
    'groups',
    [
      {
        team_id,
        group_type_index: 0,
        group_key: 'acme',
        group_properties: properties,
        created_at: 0,
        version: 1,
        inserted_at: 0,
      },
    ],
    randomUUID(),
  );
}

/** All that the printer may name after FROM or JOIN, in what it prints itself. */
const READABLE = new Set([
  'events',
  'person',
  'person_distinct_id',
  'person_distinct_id_overrides',
  'groups',
  'sessions',
]);

/** Texts are bound, so that whatever stands in the statement was written by the printer. */
function checkStatement(printed: string, params: Readonly<Record<string, unknown>>): void {
  // Names that the text gave are quoted: what is inside the quotes is a name, whatever it looks like.
  const sql = printed.replace(/`(?:[^`\\]|\\.)*`/g, '`name`');
  const names = [...sql.matchAll(/\b(?:FROM|JOIN)\s+(\(|`?[\w.$]+`?)(\s*\()?/gi)];
  for (const [whole, name, call] of names) {
    if (name === '(' || whole.startsWith('FROM person\n')) continue;
    assert.ok(READABLE.has(name!.replaceAll('`', '')), `reads ${whole}: ${sql}`);
    assert.equal(call, undefined, `calls a table function: ${sql}`);
  }
  const reads = names.filter(([, name]) => name !== '(').length;
  const guards = [...sql.matchAll(/team_id = \{(\w+):Int64\}/g)];
  assert.ok(guards.length >= reads, `${reads} tables, ${guards.length} guards: ${sql}`);
  for (const [, name] of guards) assert.equal(params[name!], 1);
  assert.doesNotMatch(sql, /\bSETTINGS\b|\bINTO\b|\bFORMAT\b|;/i);
}

const WORDS = {
  table: [
    'events',
    'persons',
    'groups',
    'sessions',
    'person_distinct_ids',
    'cohort_people',
    'static_cohort_people',
    'cte',
    'e',
    'system.tables',
    'system.processes',
    'information_schema.tables',
    'default.events',
    'person',
    'raw_sessions',
    'person_distinct_id_overrides',
    'events_shard',
    '`system`.`one`',
    '`events` as e, `system.tables`',
    'system',
    `url('${address}', 'CSV', 'x String')`,
    `file('${folder}/secret.csv')`,
    "remote('127.0.0.1', 'default.events')",
    "merge('default', '.*')",
    "s3('http://x/y')",
    'numbers(10)',
    "cluster('default', system.one)",
    'view(select 1)',
    "dictionary('x')",
    "executable('id', 'CSV', 'x String')",
    "mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
    'generateRandom()',
    '{table}',
    "values('x String', 'a')",
    '`events where 1 = 1 --`',
    '"events\\"; drop table events"',
  ],
  column: [
    'event',
    'uuid',
    'distinct_id',
    'team_id',
    'timestamp',
    'person_id',
    'properties',
    'properties.plan',
    'person.properties.email',
    'person.id',
    'group_0.properties.email',
    'session.$entry_current_url',
    'elements_chain',
    '*',
    'e.*',
    'cte.x',
    'x',
    'id',
    'key',
    '$session_id',
    'created_at',
    'pdi.person.properties.email',
    'poe.properties',
    'inserted_at',
    'batch_id',
    '_table',
    '_part',
    "properties.`'`",
    'properties.`a\\`b`',
    "properties['\\')) or 1=1 --']",
    '`team_id) or (1`',
    'persons.properties.email',
    'system.tables.name',
    '_t1.c1',
    'c1',
    '_t2',
    'properties_custom',
    'mat_$browser',
    '{value}',
    'team.id',
  ],
  call: [
    'count',
    'toString',
    'lower',
    'any',
    'groupArray',
    'max',
    'file',
    'getSetting',
    'currentUser',
    'hostName',
    'dictGet',
    'joinGet',
    'version',
    'currentDatabase',
    'sleep',
    'url',
    'getMacro',
    'hasColumnInTable',
    'arrayJoin',
    'in',
    'concat',
    'if',
    'cast',
    'JSONExtractRaw',
    'catboostEvaluate',
    'evalMLMethod',
    'initializeAggregation',
    'arrayReduce',
    'uptime',
    'tcpPort',
    'queryID',
    'filesystemAvailable',
    'demangle',
    'addressToLine',
    'globalVariable',
    'serverUUID',
    'materialize',
    'toTypeName',
    'throwIf',
  ],
  text: [
    "'mine'",
    "''",
    "'\\''",
    "'\\') union all select * from events --'",
    "'%'",
    "'default.events'",
    "'max_threads'",
    `'${SECRET}'`,
    '2',
    '1',
    'null',
    'true',
    '-1',
    "'{v1:Int64}'",
    "'`'",
    "'events'",
    '[1, 2]',
    "('a', 'b')",
    '{value}',
    "'2020-01-01'",
    "'/etc/passwd'",
  ],
  join: ['join', 'left join', 'cross join', 'full outer join', 'right join', 'any left join', 'asof join', ','],
  compare: ['=', '!=', '>', 'in', 'not in', 'like', 'ilike', '=~', 'is not'],
};

/** Texts that mean something, with places for something else: a column, a name, a condition, a join, a table, a function. */
const FRAMES = [
  'select §c, §c from events e where §b',
  'select §c as §n, count() from events e group by §n order by §n',
  'select §c from events e §j persons p on p.id = e.person_id where §b',
  'select §f(§c) from events e',
  'with cte as (select §c as §n from events e where §b) select * from cte',
  'select x from (select §c as x from events e) where x != §v',
  'select §c from events e where event in (select event from events e where §b)',
  'select §c from events e union all select §v from §t',
  'select §c from §t e',
  'select p.properties.§p, g.properties.§p from persons p §j groups g on 1 = 1',
  'select arrayMap(§n -> §v, [§c]) from events e',
  'select §c from events e join events f on e.uuid = f.uuid where §b',
  'select properties.§p from events e where properties.§p = §v or §b',
  'select §f(§v), §f(§c) from events e',
  'select §c from (select * from events) e where §b limit 5',
  'select (select §f(event) from §t), §v',
];
const FILL: Readonly<Record<string, readonly string[]>> = {
  c: [
    'e.event',
    'e.distinct_id',
    'e.properties',
    'e.person.properties.email',
    'e.properties.plan',
    'e.team_id',
    ...WORDS.column,
  ],
  n: ['x', '`a, (select 1)`', 'event', '`c1`', '`_t1`', "`') or 1=1 --`", '`x\\`', 'events'],
  b: [
    '1 = 1',
    "event != ''",
    'e.team_id = 2',
    'team_id != 1 or true',
    "e.properties.plan = '\\'",
    'not e.team_id = 1',
    "event like '%'",
  ],
  j: WORDS.join,
  t: WORDS.table,
  f: WORDS.call,
  v: WORDS.text,
  p: ['plan', 'email', '`a\\`b`', "`'`", '`\\`', '`{v1:String}`', '`) or (1`'],
};

const SENSIBLE = 6;

class Writer {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Now and then any word; mostly one of those at the front, which make sense, so that some texts get far. */
  #pick(words: readonly string[]): string {
    return words[this.#random.int(this.#chance(0.2) ? words.length : Math.min(words.length, SENSIBLE))]!;
  }

  #chance(share: number): boolean {
    return this.#random.int(1_000) < share * 1_000;
  }

  /** A frame whose places are filled, mostly with what makes sense there. */
  framed(): string {
    const frame = FRAMES[this.#random.int(FRAMES.length)]!;
    return frame.replace(/§(\w)/g, (_, slot: string) => this.#pick(FILL[slot]!));
  }

  text(): string {
    return this.#chance(0.75) ? this.framed() : this.select(2);
  }

  expression(depth: number): string {
    switch (this.#random.int(depth > 0 ? 10 : 3)) {
      case 0:
      case 1:
        return this.#pick(WORDS.column);
      case 2:
        return this.#pick(WORDS.text);
      case 3:
      case 4: {
        const args = Array.from({ length: this.#random.int(3) }, () => this.expression(depth - 1));
        return `${this.#pick(WORDS.call)}(${args.join(', ')})`;
      }
      case 5:
        return `(${this.expression(depth - 1)} ${this.#pick(WORDS.compare)} ${this.expression(depth - 1)})`;
      case 6:
        return `(${this.select(depth - 1)})`;
      case 7:
        return `${this.expression(depth - 1)} in (${this.select(depth - 1)})`;
      case 8:
        return `arrayMap(${this.#pick(['x', 'events', 'team_id', '_t1'])} -> ${this.expression(depth - 1)}, [1])`;
      default:
        return `(${this.expression(depth - 1)}) as ${this.#pick(['x', 'team_id', '`_t1`', '`a, (select 1)`', 'events', 'event', '`c1`'])}`;
    }
  }

  #source(depth: number): string {
    const table = depth > 0 && this.#chance(0.3) ? `(${this.select(depth - 1)})` : this.#pick(WORDS.table);
    return this.#chance(0.5) ? `${table} ${this.#pick(['e', 'cte', 'x', '`system.tables`', 'events'])}` : table;
  }

  select(depth: number): string {
    const columns = Array.from({ length: 1 + this.#random.int(2) }, () => this.expression(depth));
    const parts = [`select ${columns.join(', ')}`];
    if (this.#chance(0.9)) parts.push(`from ${this.#source(depth)}`);
    if (this.#chance(0.3))
      parts.push(`${this.#pick(WORDS.join)} ${this.#source(depth)} on ${this.expression(depth - 1)}`);
    if (this.#chance(0.4)) parts.push(`where ${this.expression(depth)}`);
    if (this.#chance(0.2)) parts.push(`group by ${this.expression(0)}`);
    if (this.#chance(0.2)) parts.push(`order by ${this.expression(0)}`);
    if (this.#chance(0.1))
      parts.push(this.#pick(['limit 5', 'settings max_threads = 1', 'format JSON', "into outfile 'x'", '; select 1']));
    const text = parts.join(' ');
    if (depth > 1 && this.#chance(0.2)) return `with cte as (${this.select(depth - 1)}) ${text}`;
    return depth > 1 && this.#chance(0.15) ? `${text} union all ${this.select(depth - 1)}` : text;
  }
}

/** What it came to: refused, or an answer in which nothing of the other project's may be. */
async function attempt(text: string): Promise<'refused' | 'answered'> {
  const context = await openTestContext(tables);
  const given: Record<string, unknown> = { value: "') or team_id = 2 --", table: 'system.tables' };
  try {
    const { sql, bound } = await context.select(text, {
      placeholder: ([name]) => (Object.hasOwn(given, String(name)) ? { value: given[String(name)] } : undefined),
    });
    checkStatement(sql, bound.params);
    const table = await context.askTable({ text: `SELECT * FROM (${sql}) LIMIT 1000`, params: bound.params });
    // The one who asks may have written the word down; whatever else has it was found.
    if (!text.includes(SECRET)) assert.ok(!JSON.stringify(table).includes(SECRET), `${text}\n${sql}`);
    return 'answered';
  } catch (error) {
    if (!(error instanceof ApiError)) throw new Error(`${text}: ${String(error)}`, { cause: error });
    if (!text.includes(SECRET)) assert.ok(!error.message.includes(SECRET), text);
    return 'refused';
  }
}

const TEXTS = isLong ? 5_000 : 25;

test(`${TEXTS} texts reach nothing that is not theirs`, async (context) => {
  context.diagnostic(`seed ${seedOfRun}`);
  const writer = new Writer(seededRandom(seedOfRun));
  const texts = Array.from({ length: TEXTS }, () => writer.text());
  let answered = 0;
  await doEach(texts, 4, async (text) => {
    if ((await attempt(text)) === 'answered') answered += 1;
  });
  context.diagnostic(`${answered} of ${TEXTS} were answered`);
  if (isLong) assert.ok(answered > TEXTS / 50, `only ${answered} were even answered`);
  assert.equal(visits, 0, 'an address was visited');
});

const READING = [
  'select * from events',
  'select properties, person.properties, elements_chain from events',
  'select * from persons',
  'select * from groups',
  'select * from sessions',
  'select * from cohort_people',
  'select * from static_cohort_people',
  'select * from person_distinct_ids',
  'select group_0.properties.email, session.$entry_current_url from events',
  'select e.event, p.properties, g.properties, s.$entry_current_url from events e left join persons p on 1 = 1 left join groups g on 1 = 1 left join sessions s on 1 = 1',
  'select * from events e full outer join persons p on p.id = e.person_id',
  'select * from events e right join groups g on g.key = e.$group_0',
  'select * from events where team_id = 2 or 1 = 1',
  'with a as (select * from events) select * from a union all select * from a',
];
for (const text of READING) {
  test(`reads one project's rows: ${text}`, async () => assert.equal(await attempt(text), 'answered'));
}
