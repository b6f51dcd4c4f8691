// Answers to requests for flags, in every shape that some SDK still reads.
import type { Evaluation, FlagAnswer, Reason } from './evaluation/evaluate.ts';

const DESCRIPTIONS: Readonly<Record<Exclude<Reason, 'condition_match'>, string>> = {
  super_condition_value: 'Super condition value',
  holdout_condition_value: 'Holdout condition value',
  out_of_rollout_bound: 'Out of rollout bound',
  no_condition_match: 'No matching condition set',
  no_group_type: 'No group type',
  missing_dependency: 'Flag cannot be evaluated due to missing dependency',
};

/** What a payload that is kept encrypted looks like to the public: JSON in a text, as any other. */
const ENCRYPTED_PAYLOAD = '"********* (encrypted)"';

const describe = (reason: Reason, condition_index: number | null) =>
  reason === 'condition_match' ? `Matched condition set ${(condition_index ?? 0) + 1}` : DESCRIPTIONS[reason];

export const toValue = ({ enabled, variant }: FlagAnswer): boolean | string => enabled && (variant ?? true);

function toPayload({ flag, payload }: FlagAnswer): unknown {
  return payload !== null && flag.definition.has_encrypted_payloads ? ENCRYPTED_PAYLOAD : payload;
}

function toDetail(answer: FlagAnswer) {
  const { flag, enabled, variant, reason, condition_index } = answer;
  const { id, key, version } = flag.definition;
  return {
    key,
    enabled,
    variant,
    reason: { code: reason, condition_index, description: describe(reason, condition_index) },
    metadata: { id, version: version ?? 1, description: null, payload: toPayload(answer) },
  };
}

const byKey = <T>(answers: readonly FlagAnswer[], to: (answer: FlagAnswer) => T): Record<string, T> =>
  Object.fromEntries(answers.map((answer) => [answer.flag.definition.key, to(answer)]));

/** `/decide` without `v`, and v=1: the keys of flags that are on. */
export const toKeyList = ({ answers }: Evaluation) => ({
  featureFlags: answers.filter(({ enabled }) => enabled).map(({ flag }) => flag.definition.key),
});

/** `/decide?v=2`: flags that are on, with their values. */
export const toActiveValues = ({ answers }: Evaluation) => ({
  featureFlags: byKey(
    answers.filter(({ enabled }) => enabled),
    toValue,
  ),
});

/** `/decide?v=3` and `/flags?v=1`: all values, and the payloads beside them. */
export function toValues({ answers, failed }: Evaluation) {
  const withPayload = answers.filter(({ payload }) => payload !== null);
  return {
    featureFlags: byKey(answers, toValue),
    errorsWhileComputingFlags: failed.length > 0,
    featureFlagPayloads: byKey(withPayload, toPayload),
  };
}

/** `/decide?v=4` and `/flags?v=2`: every flag with its reason. */
export const toDetails = ({ answers, failed }: Evaluation) => ({
  flags: byKey(answers, toDetail),
  errorsWhileComputingFlags: failed.length > 0,
});
