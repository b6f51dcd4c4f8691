// How many of a project's people, or groups, a condition is about. The share that a rollout lets in does not matter.
import type { Pool } from 'pg';
import type { ProjectFlags } from '../definitions.ts';
import { evaluateFlags } from '../evaluation/evaluate.ts';
import { type PreparedFlag, prepareProject } from '../evaluation/prepare.ts';
import { type Properties, PropertyLayers } from '../evaluation/properties.ts';
import type { Subject } from '../evaluation/subject.ts';
import { scanPersons } from '../scan-persons.ts';

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
  const radius = { users_affected: 0, total_users: 0 };
  for await (const { subject } of scanPersons(pool, team_id)) count(radius, flags, subject);
  return radius;
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
  const nobody: Subject = {
    distinct_id: '',
    person: new PropertyLayers([]),
    groups: new Map(),
    cohorts: new Set(),
    hashKeys: new Map(),
    nowMs: Date.now(),
  };
  for (let after = ''; ; ) {
    const values = [team_id, index, after, PAGE];
    const { rows } = await pool.query<{ group_key: string; properties: Properties }>({ text, values });
    for (const { group_key: key, properties } of rows) {
      const group = { key, properties: new PropertyLayers([{ $group_key: key }, properties]) };
      count(radius, flags, { ...nobody, groups: new Map([[index, group]]) });
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return radius;
    after = last.group_key;
  }
}

function count(radius: BlastRadius, flags: readonly PreparedFlag[], subject: Subject): void {
  radius.total_users += 1;
  if (evaluateFlags(flags, subject).answers[0]?.enabled) radius.users_affected += 1;
}
