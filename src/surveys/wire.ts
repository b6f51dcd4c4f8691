// Public shapes of surveys for those who manage them. What SDKs see is in `flags/definitions.ts`.
import { z } from 'zod';
import { toMinimalFlag } from '../flags/local-evaluation.ts';
import { type Authors, toAuthor } from '../flags/management/wire.ts';
import { anything, bool, choice, datetime, dict, integer, nullable, optional, text } from '../http/fields.ts';
import type { FeatureFlagRow } from '../metadata/tables.ts';
import type { SurveyRow } from '../metadata/tables-flags.ts';
import { pagedOf, UserBasic } from '../projects/wire.ts';

const AnyObject = z.record(z.string(), z.unknown());
const MinimalFlag = AnyObject.nullable();
const moment = z.string().nullable();
const count = z.int().nullable();

export const Survey = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  type: z.string(),
  schedule: z.string().nullable(),
  linked_flag: MinimalFlag,
  linked_flag_id: count,
  targeting_flag: MinimalFlag,
  internal_targeting_flag: MinimalFlag,
  questions: z.array(AnyObject).nullable(),
  conditions: AnyObject.nullable(),
  appearance: AnyObject.nullable(),
  created_at: z.string(),
  created_by: UserBasic.nullable(),
  start_date: moment,
  end_date: moment,
  archived: z.boolean(),
  responses_limit: count,
  iteration_count: count,
  iteration_frequency_days: count,
  iteration_start_dates: z.array(z.string()).nullable(),
  current_iteration: count,
  current_iteration_start_date: moment,
  response_sampling_start_date: moment,
  response_sampling_interval_type: z.string().nullable(),
  response_sampling_interval: count,
  response_sampling_limit: count,
  response_sampling_daily_limits: z.unknown(),
  enable_partial_responses: z.boolean().nullable(),
  feature_flag_keys: z.array(z.strictObject({ key: z.string(), value: z.string().nullable() })),
});
export const SurveyPage = pagedOf(Survey);

const name = text({ max: 400 });
const type = choice(['popover', 'widget', 'external_survey', 'api']);
const fields = {
  description: optional(text({ blank: true })),
  schedule: optional(nullable(anything('once, recurring or always.'))),
  linked_flag_id: optional(nullable(integer({ about: 'A flag that must be on for the survey to be shown.' }))),
  targeting_flag_id: optional(nullable(integer())),
  targeting_flag_filters: optional(nullable(dict('Who is asked: conditions, as in a flag.'))),
  remove_targeting_flag: optional(nullable(bool())),
  questions: optional(anything('A list of questions.')),
  conditions: optional(anything('Where and when it is shown.')),
  appearance: optional(anything('How it looks.')),
  start_date: optional(nullable(datetime('Shown from then on.'))),
  end_date: optional(nullable(datetime('Shown until then.'))),
  archived: optional(bool()),
  responses_limit: optional(nullable(integer({ min: 1 }))),
  iteration_count: optional(nullable(integer({ min: 0, max: 500 }))),
  iteration_frequency_days: optional(nullable(integer({ min: 0, max: 3_650 }))),
  response_sampling_start_date: optional(nullable(datetime())),
  response_sampling_interval_type: optional(nullable(choice(['day', 'week', 'month']))),
  response_sampling_interval: optional(nullable(integer({ min: 0 }))),
  response_sampling_limit: optional(nullable(integer({ min: 0 }))),
  response_sampling_daily_limits: optional(anything()),
  enable_partial_responses: optional(nullable(bool())),
};

export const NewSurvey = z.object({ name, type, ...fields });
export const SurveyChange = z.object({ name: optional(name), type: optional(type), ...fields });

export interface SurveySurroundings {
  authors: Authors;
  flags: ReadonlyMap<number, FeatureFlagRow>;
}

export function toSurvey(survey: SurveyRow, { authors, flags }: SurveySurroundings): z.output<typeof Survey> {
  const flagOf = (id: number | null) => (id === null ? undefined : flags.get(id));
  const [linked, targeting, internal, sampling] = [
    flagOf(survey.linked_flag_id),
    flagOf(survey.targeting_flag_id),
    flagOf(survey.internal_targeting_flag_id),
    flagOf(survey.internal_response_sampling_flag_id),
  ];
  const minimal = (flag: FeatureFlagRow | undefined) => (flag ? toMinimalFlag(flag) : null);
  const {
    team_id: _,
    targeting_flag_id,
    internal_targeting_flag_id,
    internal_response_sampling_flag_id,
    created_by_id,
    ...columns
  } = survey;
  return {
    ...columns,
    response_sampling_daily_limits: columns.response_sampling_daily_limits ?? null,
    created_by: toAuthor(authors, created_by_id),
    linked_flag: minimal(linked),
    targeting_flag: minimal(targeting),
    internal_targeting_flag: minimal(internal),
    feature_flag_keys: [
      { key: 'linked_flag_key', value: linked?.key ?? null },
      { key: 'targeting_flag_key', value: targeting?.key ?? null },
      { key: 'internal_targeting_flag_key', value: internal?.key ?? null },
      { key: 'internal_response_sampling_flag_key', value: sampling?.key ?? null },
    ],
  };
}
