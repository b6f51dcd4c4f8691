// Retention small enough to be counted on fingers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Told, tell } from '../../../../test/reference/query/story.ts';
import { openTestTables, type TestTables } from '../../../../test/tables.ts';
import { retention } from './retention.ts';

let tables: TestTables;
before(async () => {
  tables = await openTestTables();
});
after(() => tables[Symbol.asyncDispose]());

const visit = { id: 'visit', type: 'events' };

const makeQuery = (retentionFilter: object = {}, more: object = {}) => ({
  kind: 'RetentionQuery',
  dateRange: { date_from: '2025-03-01', date_to: '2025-03-03' },
  retentionFilter: {
    retentionType: 'retention_recurring',
    totalIntervals: 3,
    targetEntity: visit,
    returningEntity: visit,
    ...retentionFilter,
  },
  ...more,
});

interface Row {
  date: string;
  label: string;
  values: { count: number; label: string; aggregation_value?: number }[];
  breakdown_value?: string;
}

async function ask({ context }: Told, query: object): Promise<Row[]> {
  return (await retention.run(context, retention.read(query))).results as Row[];
}

const table = (rows: readonly Row[]) => rows.map(({ values }) => values.map(({ count }) => count));

const VISITS = `
  ann: 1 09:00 visit, 2 09:00 visit, 3 09:00 visit, 4 09:00 visit
  bob: 1 09:00 visit, 1 20:00 visit, 3 09:00 visit
  cyd: 2 09:00 visit, 5 09:00 visit`;

test('each row is a day, each column how many of its people came back so many days later', async () => {
  const told = await tell(tables, VISITS);

  const rows = await ask(told, makeQuery());

  assert.deepEqual(rows[0], {
    date: '2025-03-01T00:00:00Z',
    label: 'Day 0',
    values: [
      { count: 2, label: 'Day 0' },
      { count: 1, label: 'Day 1' },
      { count: 2, label: 'Day 2' },
    ],
  });
  // The columns of the last rows look beyond the range: Ann came on the fourth, Cyd on the fifth, too late for a column.
  assert.deepEqual(table(rows), [
    [2, 1, 2],
    [2, 1, 1],
    [2, 1, 0],
  ]);
});

test('a month that is longer than those before it is counted to its end', async () => {
  const told = await tell(tables, 'ann: -18 09:00 visit, 30 09:00 visit');
  const dateRange = { date_from: '2025-02-01', date_to: '2025-02-28' };

  const rows = await ask(told, makeQuery({ period: 'Month', totalIntervals: 2 }, { dateRange }));

  // Ann came on 10 February, and on 30 March, which is more than twice the length of February after its beginning.
  assert.deepEqual(table(rows), [[1, 1]]);
});

test('a table can be one day', async () => {
  const told = await tell(tables, 'ann: 1 09:00 visit, 1 17:30 visit');
  const dateRange = { date_from: '2025-03-01', date_to: '2025-03-01' };

  const rows = await ask(told, makeQuery({ totalIntervals: 1 }, { dateRange }));

  assert.deepEqual(table(rows), [[1]]);
});

test('a column can be several days', async () => {
  const told = await tell(tables, VISITS);

  const rows = await ask(told, makeQuery({ retentionCustomBrackets: [1, 2] }));

  // Of those who came on the first, Ann came the next day, and both on one of the two days after.
  assert.deepEqual(rows[0]?.values, [
    { count: 2, label: 'Day 0' },
    { count: 1, label: 'Day 1' },
    { count: 2, label: 'Day 2-3' },
  ]);
  assert.deepEqual(table(rows), [
    [2, 1, 2],
    [2, 1, 2],
    [2, 1, 0],
  ]);
  await assert.rejects(
    ask(told, makeQuery({ retentionCustomBrackets: [600, 600] })),
    /The brackets are 1200 intervals together; 1000 is the most/,
  );
});

test('for the first time means that nobody is in two rows', async () => {
  const told = await tell(tables, VISITS);

  const rows = await ask(told, makeQuery({ retentionType: 'retention_first_time' }));

  assert.deepEqual(table(rows), [
    [2, 1, 2],
    [1, 0, 0],
    [0, 0, 0],
  ]);
});

test('the first of all is looked for before the range as well', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 visit, 2 09:00 visit
     bob: 2 09:00 visit plan=free, 3 09:00 visit plan=pro`,
  );
  const dateRange = { date_from: '2025-03-02', date_to: '2025-03-03' };
  const pro = { ...visit, properties: [{ key: 'plan', value: 'pro', type: 'event' }] };

  const first = await ask(told, makeQuery({ retentionType: 'retention_first_time' }, { dateRange }));
  const firstPro = await ask(
    told,
    makeQuery({ retentionType: 'retention_first_time', targetEntity: pro }, { dateRange }),
  );
  const ever = { retentionType: 'retention_first_ever_occurrence', targetEntity: pro };
  const firstEver = await ask(told, makeQuery(ever, { dateRange }));

  const sizes = (rows: readonly Row[]) => table(rows).map(([size]) => size);
  // Ann began on the first, outside of the range. Bob's first visit was not a pro's, though his first as a pro was later.
  assert.deepEqual(sizes(first), [1, 0]);
  assert.deepEqual(sizes(firstPro), [0, 1]);
  assert.deepEqual(sizes(firstEver), [0, 0]);
});

test('cumulative: whoever comes back later was never lost in between', async () => {
  const told = await tell(tables, 'ann: 1 09:00 visit, 3 09:00 visit');

  const [first] = table(await ask(told, makeQuery({ cumulative: true })));

  assert.deepEqual(first, [1, 1, 1]);
});

test('a day counts as a return only when there was enough of it', async () => {
  const told = await tell(tables, 'ann: 1 09:00 visit, 2 09:00 visit, 3 09:00 visit, 3 10:00 visit');

  const [first] = table(await ask(told, makeQuery({ minimumOccurrences: 2 })));

  assert.deepEqual(first, [1, 0, 1]);
});

test('24-hour windows begin with the first visit of each, whatever the calendar says', async () => {
  const told = await tell(
    tables,
    `ann: 1 20:00 visit, 2 08:00 visit, 2 20:00 visit
     bob: 1 20:00 visit, 3 19:59 visit, 3 20:00 visit`,
  );

  const rows = await ask(told, makeQuery({ timeWindowMode: '24_hour_windows' }));

  // Ann's morning after is still her first day; her evening begins the second. Bob came in the last minute of his second.
  assert.deepEqual(table(rows), [
    [2, 2, 1],
    [0, 0, 0],
    [0, 0, 0],
  ]);
  const cumulative = { timeWindowMode: '24_hour_windows', cumulative: true };
  await assert.rejects(ask(told, makeQuery(cumulative)), /Neither 24-hour windows nor amounts can be cumulative/);
});

test('amounts are added up over those who came back, or shared among them', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 visit spent=5, 2 09:00 visit spent=10, 2 12:00 visit spent=2.5
     bob: 1 09:00 visit, 2 09:00 visit spent=nothing`,
  );
  const amounts = async (aggregationType: string) => {
    const [first] = await ask(told, makeQuery({ aggregationType, aggregationProperty: 'spent' }));
    return first?.values.map(({ count, aggregation_value }) => [count, aggregation_value]);
  };

  assert.deepEqual(await amounts('sum'), [
    [2, 5],
    [2, 12.5],
    [0, 0],
  ]);
  assert.deepEqual(await amounts('avg'), [
    [2, 2.5],
    [2, 6.25],
    [0, 0],
  ]);
});

test('broken down, the rows repeat for each value, the largest first and the rest together', async () => {
  const told = await tell(
    tables,
    `ann: 1 09:00 visit via=web, 2 09:00 visit via=app
     bob: 1 09:00 visit via=web
     cyd: 1 09:00 visit
     dan: 1 09:00 visit via=app`,
  );
  const dateRange = { date_from: '2025-03-01', date_to: '2025-03-01' };

  const rows = await ask(told, makeQuery({}, { dateRange, breakdownFilter: { breakdown: 'via', breakdown_limit: 2 } }));

  assert.deepEqual(
    rows.map(({ breakdown_value, values }) => [breakdown_value, ...values.map(({ count }) => count)]),
    [
      ['web', 2, 1, 0],
      ['$$_posthog_breakdown_null_$$', 1, 0, 0],
      ['$$_posthog_breakdown_other_$$', 1, 0, 0],
    ],
  );
});

test('without a beginning there are as many rows as columns, up to the end of the range', async () => {
  const told = await tell(tables, VISITS);

  const rows = await ask(told, makeQuery({}, { dateRange: { date_to: '2025-03-03' } }));

  assert.deepEqual(
    rows.map(({ date }) => date),
    ['2025-03-01T00:00:00Z', '2025-03-02T00:00:00Z', '2025-03-03T00:00:00Z'],
  );
});

test('behind a cell are those who came back', async () => {
  const told = await tell(tables, VISITS);
  const list = async (point: Record<string, unknown>) => {
    const { text, bound } = await retention.actors!(told.context, retention.read(makeQuery()), point);
    const rows = await told.context.ask<{ actor_id: string }>({ text, params: bound.params });
    return told.namesOf(rows.map(({ actor_id }) => actor_id));
  };

  assert.deepEqual(await list({ interval: 0 }), ['ann', 'bob']);
  assert.deepEqual(await list({ interval: 0, lag: 1 }), ['ann']);
  await assert.rejects(list({ interval: 3 }), /they go from 0 to 2/);
});
