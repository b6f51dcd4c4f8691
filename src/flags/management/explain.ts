// Why somebody got a value at some moment: the flag as it was then, for the person as they were then.
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { ask } from '../../filters/ask.ts';
import { parseMoment } from '../../filters/moment.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { type ProjectContext, projectRoute, type Route } from '../../http/route.ts';
import type { Database, FeatureFlagRow } from '../../metadata/tables.ts';
import type { EventStore } from '../../store/open.ts';
import { overriddenIdsSql } from '../../store/tables/people.ts';
import type { Micros } from '../../store/tables/rows.ts';
import type { Definitions, StoredFlag } from '../definitions.ts';
import { evaluateFlags, withDependencies } from '../evaluation/evaluate.ts';
import { prepareProject } from '../evaluation/prepare.ts';
import { type Properties, PropertyLayers } from '../evaluation/properties.ts';
import { toValue } from '../response.ts';

type Db = Kysely<Database>;

export interface ExplainParts {
  db: Db;
  store: EventStore;
  definitions: Definitions;
}

const Explanation = z.strictObject({
  flag_key: z.string(),
  distinct_id: z.string(),
  at: z.string(),
  /** The version of the flag that was in force. */
  version: z.int(),
  /** Null: it could not be told, because it hangs on what is not kept. */
  value: z.union([z.boolean(), z.string()]).nullable(),
  reason: z.string().nullable(),
  condition_index: z.int().nullable(),
  /** The last event that shows the person, and what they were like; null when there is none. */
  person: z.strictObject({ seen_at: z.string(), properties: z.record(z.string(), z.unknown()) }).nullable(),
});

export const explainRoute = (
  { db, store, definitions }: ExplainParts,
  load: (context: Pick<ProjectContext, 'project' | 'params'>) => Promise<FeatureFlagRow>,
): Route =>
  projectRoute('GET', '/feature_flags/:id/explain/', {
    scope: 'feature_flag:read',
    summary: 'What a flag was for somebody at some moment, and why',
    query: { distinct_id: 'Whose flag.', at: 'When: a time, or `-7d`; now unless given.' },
    returns: Explanation,
    load,
    async handle({ found: { id, team_id, key: flag_key }, query }) {
      const distinct_id = query.get('distinct_id');
      if (!distinct_id) throw invalid('distinct_id is required', 'distinct_id');
      const moment = parseMoment(query.get('at') || '-0s', Date.now());
      if (!moment) throw invalid('Invalid at: give a time, or so long before now, such as -7d.', 'at');
      const at = new Date(moment.from / 1_000).toISOString();
      const flags = await listFlagsAt(db, team_id, at);
      const version = flags.find((flag) => flag.id === id)?.version;
      if (version === undefined) throw notFound('The flag did not exist then.');
      const person = await findPersonAt(store, { team_id, distinct_id, at: moment.from });
      const answer = await evaluateThen(
        { flags, id, team_id, distinct_id, person, nowMs: moment.from / 1_000 },
        definitions,
      );
      return {
        flag_key,
        distinct_id,
        at,
        version,
        value: answer ? toValue(answer) : null,
        reason: answer?.reason ?? null,
        condition_index: answer?.condition_index ?? null,
        person: person ?? null,
      };
    },
  });

/** All flags of the project as they were: a flag may depend on others. */
async function listFlagsAt(db: Db, team_id: number, at: string): Promise<StoredFlag[]> {
  const { rows } = await sql<{ flag: StoredFlag }>`
    select distinct on (flag_id) version.flag
      from feature_flag_version as version join feature_flag on feature_flag.id = flag_id
     where team_id = ${team_id} and changed_at <= ${at}::timestamptz
     order by flag_id, version.version desc`.execute(db);
  return rows.map(({ flag }) => flag);
}

interface PersonThen {
  seen_at: string;
  properties: Properties;
}

/** Every event carries its person as it left them, so the last one before a moment shows what they were like at it. */
async function findPersonAt(
  store: EventStore,
  { team_id, distinct_id, at }: { team_id: number; distinct_id: string; at: Micros },
): Promise<PersonThen | undefined> {
  const [row] = await ask<{ seen_ms: number; properties: string }>(store, {
    text: `
      SELECT toUnixTimestamp64Milli(toDateTime64(timestamp, 3)) AS seen_ms, person_properties AS properties
        FROM events
       WHERE team_id = {team_id:Int64} AND person_mode = 'full'
         AND timestamp <= fromUnixTimestamp64Micro({at:Int64}, 'UTC')
         AND (distinct_id = {distinct_id:String} OR distinct_id IN (
               SELECT distinct_id FROM (${overriddenIdsSql('{team_id:Int64}')}) AS moved
                WHERE moved.person_id IN (
                  SELECT argMax(person_id, version) FROM person_distinct_id
                   WHERE team_id = {team_id:Int64} AND distinct_id = {distinct_id:String})))
       ORDER BY timestamp DESC, log_position DESC
       LIMIT 1`,
    params: { team_id, distinct_id, at },
  });
  return row && { seen_at: new Date(row.seen_ms).toISOString(), properties: JSON.parse(row.properties) };
}

interface Then {
  flags: readonly StoredFlag[];
  id: number;
  team_id: number;
  distinct_id: string;
  person: PersonThen | undefined;
  nowMs: number;
}

/** Undefined when it cannot be told: cohorts go by who is in them now, and flags of groups by groups that nobody named. */
async function evaluateThen({ flags, id, team_id, distinct_id, person, nowMs }: Then, definitions: Definitions) {
  const project = await definitions.find(team_id);
  const { cohorts = [], timezone = 'UTC' } = project ?? {};
  const prepared = prepareProject({ flags, cohorts, timezone });
  const flag = prepared.byId.get(id);
  if (!flag) return undefined;
  const subject = {
    distinct_id,
    person: new PropertyLayers([{ distinct_id }, person?.properties]),
    groups: new Map(),
    cohorts: undefined,
    hashKeys: new Map(),
    nowMs,
  };
  return evaluateFlags(withDependencies(prepared, [flag]), subject, (one) => one === flag).answers[0];
}
