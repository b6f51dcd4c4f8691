// PathsQuery: how people went from place to place.
import { invalid } from '../../../http/errors.ts';
import type { ActorsSql, QueryContext, QueryKind } from '../../kind.ts';
import { toResolvedRange } from '../periods.ts';
import { type PathsPlan, planPaths } from './plan.ts';
import { keepReachable } from './reachable.ts';
import { type PathsQuery, readPathsQuery } from './read.ts';
import { askPaths, pathsSql } from './sql.ts';

export const paths: QueryKind<PathsQuery> = {
  kind: 'PathsQuery',
  read: readPathsQuery,
  async run(context, query) {
    const plan = await planPaths(query, context);
    const edges = keepReachable(await askPaths(plan, context));
    const { samplingFactor = 1 } = plan;
    return {
      results: edges.map((edge) => ({ ...edge, value: Math.round(edge.value / samplingFactor) })),
      resolved_date_range: toResolvedRange(plan.range, context.project.timezone),
    };
  },
  async actors(context, query, point) {
    const keys = { ...query.pathsFilter, ...point } as Keys;
    return pathActors(await planPaths(query, context), keys, context);
  },
};

/** Points of the chart as edges name them, `2_https://a.example`: a path passes one, then the other, or ends there. */
interface Keys {
  readonly pathStartKey?: string | null;
  readonly pathEndKey?: string | null;
  readonly pathDropoffKey?: string | null;
}

function pathActors(
  plan: PathsPlan,
  { pathStartKey, pathEndKey, pathDropoffKey }: Keys,
  context: QueryContext,
): ActorsSql {
  const events = context.events();
  const passes = (key: string) => {
    const { step, place } = readKey(key);
    return `hashes[${step}] = xxHash64(${events.bound.text(place)})`;
  };
  const conditions = [
    ...[pathStartKey, pathEndKey].flatMap((key) => (key ? [passes(key)] : [])),
    ...(pathDropoffKey ? [passes(pathDropoffKey), `length(hashes) = ${readKey(pathDropoffKey).step}`] : []),
  ];
  return {
    text: `
      SELECT actor AS actor_id, count() AS event_count
        FROM (${pathsSql(plan, events, context)})
       WHERE ${conditions.join(' AND ') || 'true'}
       GROUP BY actor`,
    bound: events.bound,
    groupTypeIndex: plan.groupTypeIndex,
  };
}

function readKey(key: string): { step: number; place: string } {
  const [, step, place] = /^([1-9]\d?)_(.*)$/s.exec(key) ?? [];
  if (step === undefined || place === undefined) {
    throw invalid(
      `"${key}" is no point of a path; it begins with the step, as in 2_https://a.example.`,
      'pathStartKey',
    );
  }
  return { step: Number(step), place };
}
