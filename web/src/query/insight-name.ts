import type { Insight } from '../api/use-insights.ts';

export const insightName = ({ name, derived_name }: Pick<Insight, 'name' | 'derived_name'>) =>
  name || derived_name || 'Untitled';
