// All persons of a project, a page at a time, as evaluation sees them.
import type { Pool } from 'pg';
import { type Properties, PropertyLayers } from './evaluation/properties.ts';
import type { Subject } from './evaluation/subject.ts';

export interface ScannedPerson {
  uuid: string;
  distinct_ids: readonly string[];
  /** Without an id: a person has several. */
  subject: Subject;
}

const PAGE = 5_000;

const PERSONS = `
  select person.id, uuid, properties,
         array(select distinct_id from person_distinct_id as own
                where own.team_id = $1 and own.person_uuid = person.uuid order by distinct_id) as distinct_ids,
         array(select cohort_id from person_distinct_id as own join cohort_member using (team_id, distinct_id)
                where own.team_id = $1 and own.person_uuid = person.uuid) as cohorts
    from person where team_id = $1 and id > $2 order by id limit $3`;

interface Row {
  id: number;
  uuid: string;
  properties: Properties;
  distinct_ids: string[];
  cohorts: number[];
}

export async function* scanPersons(pool: Pool, team_id: number): AsyncGenerator<ScannedPerson> {
  const nowMs = Date.now();
  for (let after = 0; ; ) {
    const { rows } = await pool.query<Row>({ text: PERSONS, values: [team_id, after, PAGE] });
    for (const { uuid, properties, distinct_ids, cohorts } of rows) {
      const known = { person: new PropertyLayers([properties]), cohorts: new Set(cohorts), groups: new Map() };
      yield { uuid, distinct_ids, subject: { ...known, distinct_id: '', hashKeys: new Map(), nowMs } };
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.id;
  }
}
