// FunnelsQuery: who went how far.
import type { QueryContext, QueryKind } from '../../kind.ts';
import { toResolvedRange } from '../periods.ts';
import { funnelActors } from './actors.ts';
import { type FunnelPlan, planFunnel } from './plan.ts';
import { type FunnelsQuery, readFunnelsQuery } from './read.ts';
import { toSteps } from './shape.ts';
import { askSteps } from './steps.ts';
import { askTimeToConvert } from './time-to-convert.ts';
import { askTrends } from './trends.ts';

export const funnels: QueryKind<FunnelsQuery> = {
  kind: 'FunnelsQuery',
  read: readFunnelsQuery,
  async run(context, query) {
    const plan = await planFunnel(query, context);
    return {
      results: await ask(plan, query, context),
      resolved_date_range: toResolvedRange(plan.range, context.project.timezone),
    };
  },
  async actors(context, query, point) {
    return funnelActors(await planFunnel(query, context), point, context);
  },
};

async function ask(plan: FunnelPlan, query: FunnelsQuery, context: QueryContext): Promise<unknown> {
  const { funnelVizType = 'steps', binCount } = query.funnelsFilter ?? {};
  if (funnelVizType === 'trends') return askTrends(plan, context);
  if (funnelVizType === 'time_to_convert') {
    // A histogram is one for everybody.
    return askTimeToConvert({ ...plan, breakdown: undefined }, Number(binCount) || undefined, context);
  }
  return toSteps(await askSteps(plan, context), plan, query, context);
}
