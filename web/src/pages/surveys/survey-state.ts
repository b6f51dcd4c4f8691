import type { Survey } from '../../api/use-surveys.ts';

export type SurveyState = 'draft' | 'running' | 'ended' | 'archived';

export function stateOf({
  start_date,
  end_date,
  archived,
}: Pick<Survey, 'start_date' | 'end_date' | 'archived'>): SurveyState {
  if (archived) return 'archived';
  if (!start_date) return 'draft';
  return end_date ? 'ended' : 'running';
}

export const stateColors: Record<SurveyState, string> = {
  draft: 'gray',
  running: 'teal',
  ended: 'blue',
  archived: 'gray',
};
