// Statements about surveys.
import { type Kysely, sql } from 'kysely';
import type { Database, FeatureFlagRow } from '../metadata/tables.ts';
import type { SurveyRow, SurveyUpdate } from '../metadata/tables-flags.ts';

export type Db = Kysely<Database>;

const JSON_COLUMNS = ['questions', 'conditions', 'appearance', 'response_sampling_daily_limits'] as const;
type JsonColumn = (typeof JSON_COLUMNS)[number];

/** Columns as values; those that are kept as JSON are written down here. */
export type SurveyDraft = Omit<SurveyUpdate, JsonColumn> & { [Column in JsonColumn]?: unknown };

function toColumns(draft: SurveyDraft): SurveyUpdate {
  const written = JSON_COLUMNS.filter((name) => draft[name] !== undefined).map((name) => {
    const value = draft[name];
    return [name, value === null ? null : JSON.stringify(value)] as const;
  });
  return { ...draft, ...Object.fromEntries(written) } as SurveyUpdate;
}

export function findSurvey(db: Db, team_id: number, id: string): Promise<SurveyRow | undefined> {
  return db.selectFrom('survey').selectAll().where('team_id', '=', team_id).where('id', '=', id).executeTakeFirst();
}

/** The survey, which nobody else changes until the transaction ends. */
export function lockSurvey(tx: Db, id: string): Promise<SurveyRow | undefined> {
  return tx.selectFrom('survey').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export interface SurveyQuestion {
  search: string;
  archived: boolean | undefined;
  limit: number;
  offset: number;
}

/** Newest first. */
export async function listSurveys(db: Db, team_id: number, { search, archived, limit, offset }: SurveyQuestion) {
  const part = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const matching = db
    .selectFrom('survey')
    .where('team_id', '=', team_id)
    .$if(search !== '', (all) =>
      all.where((eb) => eb.or([eb('name', 'ilike', part), eb('description', 'ilike', part)])),
    )
    .$if(archived !== undefined, (all) => all.where('archived', '=', archived === true));
  const { count } = await matching.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  const surveys = await matching
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { count, surveys };
}

export function isNameTaken(db: Db, team_id: number, name: string, except: string | undefined): Promise<boolean> {
  return db
    .selectFrom('survey')
    .select('id')
    .where('team_id', '=', team_id)
    .where('name', '=', name)
    .$if(except !== undefined, (all) => all.where('id', '!=', except ?? ''))
    .executeTakeFirst()
    .then((found) => found !== undefined);
}

export function insertSurvey(
  tx: Db,
  draft: SurveyDraft & { team_id: number; name: string; type: SurveyRow['type'] },
): Promise<SurveyRow> {
  const { team_id, name, type } = draft;
  return tx
    .insertInto('survey')
    .values({ ...toColumns(draft), team_id, name, type })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function updateSurvey(tx: Db, id: string, changes: SurveyDraft): Promise<SurveyRow> {
  return tx
    .updateTable('survey')
    .set({ ...toColumns(changes), id })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Whoever starts a survey wants surveys to be shown. */
export async function optIn(tx: Db, team_id: number): Promise<void> {
  await sql`
    update project set settings = settings || '{"surveys_opt_in": true}'
     where id = ${team_id} and settings ->> 'surveys_opt_in' is distinct from 'true'`.execute(tx);
}

/** The flags that were made for it. */
export const madeFlagsOf = (survey: SurveyRow) => [
  survey.targeting_flag_id,
  survey.internal_targeting_flag_id,
  survey.internal_response_sampling_flag_id,
];

/** The flags of surveys, by id. */
export async function findFlags(db: Db, surveys: readonly SurveyRow[]): Promise<Map<number, FeatureFlagRow>> {
  const ids = surveys.flatMap((survey) => [survey.linked_flag_id, ...madeFlagsOf(survey)]).filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const flags = await db.selectFrom('feature_flag').selectAll().where('id', 'in', ids).execute();
  return new Map(flags.map((flag) => [flag.id, flag]));
}

const runningSurveys = (db: Db) =>
  db
    .selectFrom('survey')
    .selectAll()
    .where('start_date', 'is not', null)
    .where('end_date', 'is', null)
    .where('archived', '=', false);

/** Those that run and come again: their round may have changed. */
export const listRecurring = (db: Db): Promise<SurveyRow[]> =>
  runningSurveys(db).where('iteration_count', '>', 0).execute();

/** Those that run until they have enough answers. */
export const listLimited = (db: Db): Promise<SurveyRow[]> =>
  runningSurveys(db).where('responses_limit', 'is not', null).execute();

/** Those that run and spread their answers over days. */
export const listSampled = (db: Db): Promise<SurveyRow[]> =>
  runningSurveys(db).where('internal_response_sampling_flag_id', 'is not', null).execute();
