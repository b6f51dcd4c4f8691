// How many of a project's people, or groups, a condition is about. The share that a rollout lets in does not matter.
import type { Pool } from 'pg';
import type { ProjectFlags } from '../definitions.ts';
import { evaluateFlags } from '../evaluation/evaluate.ts';
import { type PreparedFlag, prepareProject } from '../evaluation/prepare.ts';
import { type Properties, PropertyLayers } from '../evaluation/properties.ts';

export interface BlastRadius {
  users_affected: number;
  total_users: number;
}

const PAGE = 5_000;

export async function countAffected(
  pool: Pool,
  project: ProjectFlags,
  condition: Record<string, unknown>,
  group_type_index: number | null,
): Promise<BlastRadius> {
  const filters = {
    groups: [{ ...condition, rollout_percentage: 100, variant: null }],
    aggregation_group_type_index: group_type_index,
  };
  const flags = [{ id: 0, key: 'blast-radius', active: true, deleted: false, filters }];
  const prepared = prepareProject({ flags, cohorts: project.cohorts, timezone: project.timezone }).flags;
  return group_type_index === null
    ? countPersons(pool, project.team_id, prepared)
    : countGroups(pool, project.team_id, prepared, group_type_index);
}

async function countPersons(pool: Pool, team_id: number, flags: readonly PreparedFlag[]): Promise<BlastRadius> {
  const text = `
    select person.id, properties,
           array(select cohort_id from person_distinct_id as own join cohort_member using (team_id, distinct_id)
                  where own.team_id = $1 and own.person_uuid = person.uuid) as cohorts
      from person where team_id = $1 and id > $2 order by id limit $3`;
  const radius = { users_affected: 0, total_users: 0 };
  for (let after = 0; ; ) {
    const values = [team_id, after, PAGE];
    const { rows } = await pool.query<{ id: number; properties: Properties; cohorts: number[] }>({ text, values });
    for (const { properties, cohorts } of rows) {
      const person = new PropertyLayers([properties]);
      count(radius, flags, { person, cohorts: new Set(cohorts), groups: new Map() });
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return radius;
    after = last.id;
  }
}

async function countGroups(
  pool: Pool,
  team_id: number,
  flags: readonly PreparedFlag[],
  index: number,
): Promise<BlastRadius> {
  const text = `
    select group_key, properties from groups
     where team_id = $1 and group_type_index = $2 and group_key > $3 order by group_key limit $4`;
  const radius = { users_affected: 0, total_users: 0 };
  for (let after = ''; ; ) {
    const values = [team_id, index, after, PAGE];
    const { rows } = await pool.query<{ group_key: string; properties: Properties }>({ text, values });
    for (const { group_key: key, properties } of rows) {
      const group = { key, properties: new PropertyLayers([{ $group_key: key }, properties]) };
      count(radius, flags, { person: new PropertyLayers([]), cohorts: new Set(), groups: new Map([[index, group]]) });
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return radius;
    after = last.group_key;
  }
}

type Known = Pick<Parameters<typeof evaluateFlags>[1], 'person' | 'cohorts' | 'groups'>;

function count(radius: BlastRadius, flags: readonly PreparedFlag[], known: Known): void {
  const subject = { ...known, distinct_id: '', hashKeys: new Map(), nowMs: Date.now() };
  radius.total_users += 1;
  if (evaluateFlags(flags, subject).answers[0]?.enabled) radius.users_affected += 1;
}
