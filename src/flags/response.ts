// Answers to requests for flags, in every shape that some SDK still reads: as the members of a JSON object, in text.
// A flag has few outcomes, and each is one object, so what it looks like is written once and then only joined.
import type { Evaluation } from './evaluation/evaluate.ts';
import type { FlagAnswer, Reason } from './evaluation/prepare.ts';
import { HIDDEN_PAYLOAD } from './secret-payloads.ts';

const DESCRIPTIONS: Readonly<Record<Exclude<Reason, 'condition_match'>, string>> = {
  super_condition_value: 'Super condition value',
  holdout_condition_value: 'Holdout condition value',
  out_of_rollout_bound: 'Out of rollout bound',
  no_condition_match: 'No matching condition set',
  no_group_type: 'No group type',
  missing_dependency: 'Flag cannot be evaluated due to missing dependency',
};

const describe = (reason: Reason, condition_index: number | null) =>
  reason === 'condition_match' ? `Matched condition set ${(condition_index ?? 0) + 1}` : DESCRIPTIONS[reason];

export const toValue = ({ enabled, variant }: FlagAnswer): boolean | string => enabled && (variant ?? true);

function toPayload({ flag, payload }: FlagAnswer): unknown {
  return payload !== null && flag.definition.has_encrypted_payloads ? HIDDEN_PAYLOAD : payload;
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

/** A text about an answer, written once for each. */
const kept =
  (name: keyof FlagAnswer['texts'], write: (answer: FlagAnswer) => string) =>
  (answer: FlagAnswer): string => {
    answer.texts[name] ??= write(answer);
    return answer.texts[name];
  };

const member = (answer: FlagAnswer, value: unknown) =>
  `${JSON.stringify(answer.flag.definition.key)}:${JSON.stringify(value)}`;

const keyText = kept('key', ({ flag }) => JSON.stringify(flag.definition.key));
const valueText = kept('value', (answer) => member(answer, toValue(answer)));
const payloadText = kept('payload', (answer) => member(answer, toPayload(answer)));
const detailText = kept('detail', (answer) => member(answer, toDetail(answer)));

const isOn = ({ enabled }: FlagAnswer) => enabled;
const errorBit = ({ failed }: Evaluation) => `"errorsWhileComputingFlags":${failed.length > 0}`;

/** `/decide` without `v`, and v=1: the keys of flags that are on. */
export const toKeyList = ({ answers }: Evaluation) => `"featureFlags":[${answers.filter(isOn).map(keyText).join()}]`;

/** `/decide?v=2`: flags that are on, with their values. */
export const toActiveValues = ({ answers }: Evaluation) =>
  `"featureFlags":{${answers.filter(isOn).map(valueText).join()}}`;

/** `/decide?v=3` and `/flags?v=1`: all values, and the payloads beside them. */
export function toValues(evaluation: Evaluation): string {
  const { answers } = evaluation;
  const payloads = answers.filter(({ payload }) => payload !== null).map(payloadText);
  return `"featureFlags":{${answers.map(valueText).join()}},${errorBit(evaluation)},"featureFlagPayloads":{${payloads.join()}}`;
}

/** `/decide?v=4` and `/flags?v=2`: every flag with its reason. */
export const toDetails = (evaluation: Evaluation) =>
  `"flags":{${evaluation.answers.map(detailText).join()}},${errorBit(evaluation)}`;
