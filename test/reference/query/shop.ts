// A small shop for worked examples: three people, four days, numbers that can be counted by hand.
//
//              Mon 3 March 2025      Tue 4     Wed 5             Thu 6
// Ann (new)    view view buy 10      view                        view              Chrome
// Bob          view                            view buy 20                         Firefox, test account
// Cy                                                             view buy 5 buy 15 unknown browser
//
// Ann was created on that Monday, Bob on 1 March, Cy on 20 February, when Cy viewed for the first time. Ann's three events
// of Monday are one session of ten minutes, Bob's view of Monday is a session of its own; Ann and Cy belong to `acme`.
import { randomUUID } from 'node:crypto';
import type { QueryContext } from '../../../src/query/kind.ts';
import { insertEvents, insertRows } from '../../../src/store/tables/insert.ts';
import { makeEvent, openTestTables, type TestTables } from '../../tables.ts';
import { openTestContext } from './context.ts';

export const ANN = '00000000-0000-4000-8000-00000000000a';
export const BOB = '00000000-0000-4000-8000-00000000000b';
export const CY = '00000000-0000-4000-8000-00000000000c';

const people = [
  { id: ANN, created: '2025-03-03T09:00:00Z', email: 'ann@a.example', event: { $browser: 'Chrome', $group_0: 'acme' } },
  { id: BOB, created: '2025-03-01T12:00:00Z', email: 'bob@ours.example', event: { $browser: 'Firefox' } },
  { id: CY, created: '2025-02-20T12:00:00Z', email: 'cy@c.example', event: { $group_0: 'acme' } },
];

const ANNS_SESSION = '01955b1e-0000-7000-8000-00000000000a';
const BOBS_SESSION = '01955b1e-0000-7000-8000-00000000000b';

const history: readonly [time: string, who: string, event: string, properties?: object][] = [
  ['2025-02-20T12:00:00Z', CY, 'view'],
  ['2025-03-03T09:00:00Z', ANN, 'view', { $session_id: ANNS_SESSION }],
  ['2025-03-03T09:05:00Z', ANN, 'view', { $session_id: ANNS_SESSION }],
  ['2025-03-03T09:10:00Z', ANN, 'buy', { $session_id: ANNS_SESSION, amount: 10 }],
  ['2025-03-03T23:59:59.999Z', BOB, 'view', { $session_id: BOBS_SESSION }],
  ['2025-03-04T00:00:00Z', ANN, 'view'],
  ['2025-03-05T10:00:00Z', BOB, 'view'],
  ['2025-03-05T10:00:00Z', BOB, 'buy', { amount: '20' }],
  ['2025-03-06T08:00:00Z', ANN, 'view'],
  ['2025-03-06T09:00:00Z', CY, 'view'],
  ['2025-03-06T09:30:00Z', CY, 'buy', { amount: 5 }],
  ['2025-03-06T09:40:00Z', CY, 'buy', { amount: 15 }],
];

export const FOUR_DAYS = { date_from: '2025-03-03', date_to: '2025-03-06' };
export const DAYS = ['2025-03-03', '2025-03-04', '2025-03-05', '2025-03-06'];

export const series = (event: string | null, more: object = {}) => ({ kind: 'EventsNode', event, ...more });

export interface Shop extends AsyncDisposable {
  tables: TestTables;
  /** A context in which the query can be run, at noon of 6 March. Cohort 1 is Ann, cohort 2 Ann and Bob; action 7 is to view or buy. */
  contextFor(query: unknown): Promise<QueryContext>;
}

export async function openShop(): Promise<Shop> {
  const tables = await openTestTables();
  const rows = history.map(([time, who, event, properties = {}], n) => {
    const person = people.find(({ id }) => id === who)!;
    return makeEvent(n, {
      event,
      timestamp: Date.parse(time) * 1_000,
      distinct_id: who,
      person_id: who,
      person_created_at: Date.parse(person.created),
      person_properties: JSON.stringify({ email: person.email }),
      properties: JSON.stringify({ ...person.event, ...properties }),
    });
  });
  await insertEvents(tables.client, rows, randomUUID());
  const persons = people.map(({ id, created, email }) => ({
    id,
    created_at: Date.parse(created),
    team_id: 1,
    properties: JSON.stringify({ email }),
    is_identified: true,
    is_deleted: false,
    version: 0,
    inserted_at: 0,
  }));
  await insertRows(tables.client, 'person', persons, randomUUID());
  return {
    tables,
    contextFor: (query) =>
      openTestContext(tables, {
        query,
        now: Date.parse('2025-03-06T12:00:00Z'),
        project: {
          weekStartDay: 1,
          testAccountFilters: [{ key: 'email', type: 'person', operator: 'not_icontains', value: 'ours.example' }],
        },
        facts: {
          actions: [{ id: 7, name: 'Busy', steps: [{ event: 'view' }, { event: 'buy' }] }],
          cohorts: new Map([
            [1, [ANN]],
            [2, [ANN, BOB]],
          ]),
        },
      }),
    [Symbol.asyncDispose]: () => tables[Symbol.asyncDispose](),
  };
}
