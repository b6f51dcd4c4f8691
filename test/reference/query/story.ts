// A project told in a few lines, for examples that a person can check: who did what on which day of March 2025, in UTC.
//
//   ann: 1 09:00 signup, 1 09:10 buy plan=pro
//   bob: 2 12:30 signup
import { randomUUID } from 'node:crypto';
import type { QueryContext } from '../../../src/query/kind.ts';
import { insertEvents } from '../../../src/store/tables/insert.ts';
import { makeEvent, type TestTables } from '../../tables.ts';
import { openTestContext, type TestFacts } from './context.ts';

/** When the stories are told. */
export const TOLD_AT = Date.UTC(2025, 2, 10, 12);

export interface Told {
  readonly context: QueryContext;
  /** The names of those whom a statement finds, in order of the alphabet. */
  namesOf(actorIds: readonly string[]): string[];
}

let projects = 5_000;
let events = 0;

/** Stores the story as a project of its own. */
export async function tell(tables: TestTables, story: string, facts: TestFacts = {}): Promise<Told> {
  projects += 1;
  const team_id = projects;
  const people = story
    .trim()
    .split('\n')
    .map((line, n) => readLine(line, n));
  const rows = people.flatMap(({ name, person_id, deeds }) =>
    deeds.map((deed) => {
      events += 1;
      return makeEvent(events, {
        ...readDeed(deed),
        uuid: randomUUID(),
        team_id,
        distinct_id: name,
        person_id,
        inserted_at: TOLD_AT * 1_000,
      });
    }),
  );
  await insertEvents(tables.client, rows, randomUUID());
  const names = new Map(people.map(({ name, person_id }) => [person_id, name]));
  return {
    context: await openTestContext(tables, { project: { id: team_id }, now: TOLD_AT, facts }),
    namesOf: (actorIds) => actorIds.map((id) => names.get(id) ?? id).sort(),
  };
}

/** The uuid of the nth person of a story. */
export const personOf = (n: number): string => `22222222-2222-5222-8222-${String(n).padStart(12, '0')}`;

function readLine(line: string, n: number) {
  const [, name = '', deeds = ''] = /^\s*(\w+):\s*(.*)$/.exec(line) ?? [];
  return { name, person_id: personOf(n), deeds: deeds.split(',').map((deed) => deed.trim()) };
}

function readDeed(deed: string) {
  const [day, time = '', event = '', ...pairs] = deed.split(/\s+/);
  const [hour, minute] = time.split(':').map(Number);
  return {
    event,
    timestamp: Date.UTC(2025, 2, Number(day), hour, minute) * 1_000,
    properties: JSON.stringify(Object.fromEntries(pairs.map((pair) => pair.split('=')))),
  };
}
