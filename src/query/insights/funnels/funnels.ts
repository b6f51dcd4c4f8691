// FunnelsQuery: who went how far.

import { toIso } from '../../dates/text.ts';
import type { QueryKind } from '../../kind.ts';
import { planFunnel } from './plan.ts';
import { type FunnelsQuery, readFunnelsQuery } from './read.ts';
import { toSteps } from './shape.ts';
import { askSteps } from './steps.ts';

export const funnels: QueryKind<FunnelsQuery> = {
  kind: 'FunnelsQuery',
  read: readFunnelsQuery,
  async run(context, query) {
    const plan = await planFunnel(query, context);
    const { timezone } = context.project;
    return {
      results: toSteps(await askSteps(plan, context), plan, query, context),
      resolved_date_range: {
        date_from: toIso(plan.range.fromMicros, timezone),
        date_to: toIso(plan.range.toMicros - 1, timezone),
      },
    };
  },
};
