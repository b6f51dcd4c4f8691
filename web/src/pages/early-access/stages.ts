import { STAGES, type Stage } from '../../api/use-early-access.ts';

export const stageNames: Record<Stage, string> = {
  draft: 'Draft',
  concept: 'Concept',
  alpha: 'Alpha',
  beta: 'Beta',
  'general-availability': 'Released',
  archived: 'Archived',
};

export const stageOptions = STAGES.map((value) => ({ value, label: stageNames[value] }));
