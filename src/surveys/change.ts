// Creating, changing and ending surveys, together with the flags that are made for them.
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { recordActivity } from '../flags/activity.ts';
import { type Actor, changeFlag, createFlag } from '../flags/management/change.ts';
import { findFlag } from '../flags/management/sql.ts';
import { invalid, notFound } from '../http/errors.ts';
import type { FeatureFlagRow } from '../metadata/tables.ts';
import type { SurveyRow } from '../metadata/tables-flags.ts';
import { inTransaction } from '../metadata/transaction.ts';
import { checkAppearance, checkConditions, checkQuestions, checkTargeting } from './check.ts';
import { iterationsOf } from './iterations.ts';
import {
  planSampling,
  SAMPLING_DAYS_MAX,
  type SamplingDay,
  samplingDaysOf,
  samplingFilters,
  shareOf,
} from './sampling.ts';
import {
  type Db,
  insertSurvey,
  isNameTaken,
  listRecurring,
  lockSurvey,
  madeFlagsOf,
  optIn,
  type SurveyDraft,
  updateSurvey,
} from './sql.ts';
import type { NewSurvey, SurveyChange } from './wire.ts';

type Draft = z.output<typeof NewSurvey>;
type Change = z.output<typeof SurveyChange>;

const SCHEDULES = ['once', 'recurring', 'always'] as const;
const UNIQUE_VIOLATION = '23505';
const nameTaken = () => invalid('There is already a survey with this name.', 'name', 'unique');

const LOGGED_FIELDS = [
  'name',
  'description',
  'type',
  'schedule',
  'linked_flag_id',
  'targeting_flag_id',
  'questions',
  'conditions',
  'appearance',
  'start_date',
  'end_date',
  'archived',
  'responses_limit',
  'iteration_count',
  'iteration_frequency_days',
];

export function createSurvey(db: Db, team_id: number, user: Actor, draft: Draft): Promise<SurveyRow> {
  return withUniqueName(
    inTransaction(db, async (tx) => {
      if (await isNameTaken(tx, team_id, draft.name, undefined)) throw nameTaken();
      const columns = await toColumns(tx, team_id, draft);
      const { name, type } = draft;
      const survey = await insertSurvey(tx, {
        schedule: 'once',
        response_sampling_interval_type: 'week',
        ...columns,
        team_id,
        name,
        type,
        created_by_id: user?.id ?? null,
      });
      return settle(tx, user, undefined, survey, draft);
    }),
  );
}

export function changeSurvey(db: Db, { id, team_id }: SurveyRow, user: Actor, change: Change): Promise<SurveyRow> {
  return withUniqueName(
    inTransaction(db, async (tx) => {
      const before = await lockSurvey(tx, id);
      if (!before) throw notFound();
      if (change.name !== undefined && (await isNameTaken(tx, team_id, change.name, id))) throw nameTaken();
      const survey = await updateSurvey(tx, id, await toColumns(tx, team_id, change));
      return settle(tx, user, before, survey, change);
    }),
  );
}

/** The flags that were made for it go with it. */
export function deleteSurvey(db: Db, { id, team_id }: SurveyRow, user: Actor): Promise<void> {
  return inTransaction(db, async (tx) => {
    const survey = await lockSurvey(tx, id);
    if (!survey) return;
    await tx.deleteFrom('survey').where('id', '=', id).execute();
    for (const flag_id of madeFlagsOf(survey)) {
      if (flag_id !== null) await changeFlag(tx, { team_id, id: flag_id }, user, { deleted: true });
    }
    await record(tx, user, survey, undefined);
  });
}

/** Moves surveys whose next round has begun: those who answered in the last one are asked again. */
export async function advanceRounds(db: Db): Promise<void> {
  for (const survey of await listRecurring(db)) {
    const { current_iteration } = iterationsOf(survey, Date.now());
    if (current_iteration === survey.current_iteration) continue;
    await inTransaction(db, async (tx) => {
      const before = await lockSurvey(tx, survey.id);
      if (before && isRunning(before)) await settle(tx, undefined, before, before, {});
    });
  }
}

/** Two requests at once may both find the name free; the database lets one through. */
async function withUniqueName<T>(changing: Promise<T>): Promise<T> {
  try {
    return await changing;
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    throw code === UNIQUE_VIOLATION && constraint === 'survey_name' ? nameTaken() : error;
  }
}

/** What of a body are columns, judged. */
async function toColumns(tx: Db, team_id: number, given: Change): Promise<SurveyDraft> {
  const { targeting_flag_filters, remove_targeting_flag, questions, conditions, appearance, schedule, ...rest } = given;
  if (schedule !== undefined && schedule !== null && !SCHEDULES.includes(schedule as never)) {
    throw invalid('Schedule must be one of: once, recurring, always', 'schedule');
  }
  for (const id of [given.linked_flag_id, given.targeting_flag_id]) {
    const flag = id === undefined || id === null ? undefined : await findFlag(tx, team_id, id);
    if (id !== undefined && id !== null && (!flag || flag.deleted)) {
      throw invalid('Feature Flag with this ID does not exist');
    }
  }
  if (targeting_flag_filters) checkTargeting(targeting_flag_filters);
  const columns = {
    ...rest,
    ...(schedule !== undefined && { schedule: schedule as SurveyRow['schedule'] }),
    ...(questions !== undefined && { questions: checkQuestions(questions) }),
    ...(conditions !== undefined && { conditions: checkConditions(conditions) }),
    ...(appearance !== undefined && { appearance: checkAppearance(appearance) }),
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

/** Brings everything that hangs on a survey in line with it: its rounds, its flags, and whether surveys are shown at all. */
async function settle(
  tx: Db,
  user: Actor,
  before: SurveyRow | undefined,
  survey: SurveyRow,
  given: Change,
): Promise<SurveyRow> {
  const settled = { ...survey, ...iterationsOf(survey, Date.now()) };
  const plan = planAnswers(survey);
  const after = await updateSurvey(tx, survey.id, {
    iteration_start_dates: settled.iteration_start_dates,
    current_iteration: settled.current_iteration,
    current_iteration_start_date: settled.current_iteration_start_date,
    targeting_flag_id: await settleTargeting(tx, user, settled, given),
    internal_targeting_flag_id: await settleInternal(tx, user, settled),
    internal_response_sampling_flag_id: await settleSampling(tx, user, settled, plan),
    ...(plan && { response_sampling_daily_limits: plan }),
  });
  if (isRunning(after) && after.type !== 'api') await optIn(tx, after.team_id);
  await record(tx, user, before, after);
  return after;
}

export const isRunning = ({ start_date, end_date, archived }: SurveyRow) =>
  start_date !== null && end_date === null && !archived;

const newFlagKey = (suffix: string) => `survey-targeting-${randomBytes(5).toString('hex')}${suffix}`;

/** Who is asked; switched off when the survey ends. */
async function settleTargeting(
  tx: Db,
  user: Actor,
  survey: SurveyRow,
  { targeting_flag_filters: filters, remove_targeting_flag }: Change,
): Promise<number | null> {
  const { team_id, targeting_flag_id: id } = survey;
  if (id !== null && remove_targeting_flag) {
    await changeFlag(tx, { team_id, id }, user, { deleted: true });
    return null;
  }
  return settleFlag(tx, user, survey, { id, suffix: '', filters: filters ?? undefined });
}

/** Nobody is asked again who has answered or has closed it; in a survey that comes again, in this round. */
function settleInternal(tx: Db, user: Actor, survey: SurveyRow): Promise<number | null> {
  const round = survey.current_iteration ? `/${survey.current_iteration}` : '';
  const isNotSet = (name: string) => ({
    key: `$survey_${name}/${survey.id}${round}`,
    type: 'person',
    operator: 'is_not_set',
    value: 'is_not_set',
  });
  const groups = [
    { variant: null, rollout_percentage: 100, properties: [isNotSet('dismissed'), isNotSet('responded')] },
  ];
  return settleFlag(tx, user, survey, {
    id: survey.internal_targeting_flag_id,
    suffix: '-custom',
    filters: { groups },
  });
}

function planAnswers(survey: SurveyRow): SamplingDay[] | undefined {
  if (samplingDaysOf(survey) > SAMPLING_DAYS_MAX) {
    throw invalid(`Answers are spread over ${SAMPLING_DAYS_MAX} days at most.`, 'response_sampling_interval');
  }
  return planSampling(survey);
}

/** Which share of the people is asked. As long as the plan is the same, it follows the answers (`spread-answers.ts`). */
async function settleSampling(
  tx: Db,
  user: Actor,
  survey: SurveyRow,
  plan: SamplingDay[] | undefined,
): Promise<number | null> {
  const { team_id, internal_response_sampling_flag_id: id, response_sampling_daily_limits: planned } = survey;
  if (!plan) {
    if (id !== null) await changeFlag(tx, { team_id, id }, user, { deleted: true });
    return null;
  }
  const isPlanned = id !== null && isDeepStrictEqual(plan, planned);
  const filters = isPlanned ? undefined : samplingFilters(shareOf(plan, 0, Date.now()));
  return settleFlag(tx, user, survey, { id, suffix: '-sampling', filters });
}

interface FlagOfSurvey {
  id: number | null;
  suffix: string;
  /** Undefined: they stay as they are, and without a flag none is made. */
  filters: Record<string, unknown> | undefined;
}

async function settleFlag(
  tx: Db,
  user: Actor,
  survey: SurveyRow,
  { id, suffix, filters }: FlagOfSurvey,
): Promise<number | null> {
  const { team_id, name } = survey;
  const active = isRunning(survey);
  if (id === null) {
    if (!filters) return null;
    const draft = { key: newFlagKey(suffix), name: `Targeting flag for survey ${name}`, filters, active };
    return (await createFlag(tx, team_id, user, { ...draft, creation_context: 'surveys' })).id;
  }
  const flag = await findFlag(tx, team_id, id);
  if (flag && differs(flag, active, filters)) await changeFlag(tx, flag, user, { active, ...(filters && { filters }) });
  return id;
}

/** A version that changes nothing is not worth keeping. */
const differs = (flag: FeatureFlagRow, active: boolean, filters: Record<string, unknown> | undefined) =>
  flag.active !== active || (filters !== undefined && !isDeepStrictEqual(flag.filters.groups, filters.groups));

const record = (tx: Db, user: Actor, before: SurveyRow | undefined, after: SurveyRow | undefined) => {
  const { id, team_id, name } = (after ?? before) as SurveyRow;
  return recordActivity(tx, {
    scope: 'Survey',
    team_id,
    user_id: user?.id ?? null,
    id,
    name,
    before,
    after,
    fields: LOGGED_FIELDS,
  });
};
