import type { Evaluation } from '../../api/use-flags.ts';

const setName = (index: number | null) => (index === null ? 'a condition' : `condition ${index + 1}`);

/** Why a flag is what it is, in words. */
export function reasonText({ reason, condition_index }: Evaluation): string {
  switch (reason) {
    case 'condition_match':
      return `${capitalize(setName(condition_index))} holds, and the rollout lets them in.`;
    case 'out_of_rollout_bound':
      return `${capitalize(setName(condition_index))} holds, but the rollout leaves them out.`;
    case 'no_condition_match':
      return 'No condition holds.';
    case 'super_condition_value':
      return 'They chose it themselves: early access.';
    case 'holdout_condition_value':
      return 'They are in a holdout.';
    case 'no_group_type':
      return 'They belong to no group of the type that the flag goes by.';
    case 'missing_dependency':
      return 'A flag that it depends on is missing.';
    case 'disabled':
      return 'The flag is switched off.';
    default:
      return reason.replaceAll('_', ' ');
  }
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
