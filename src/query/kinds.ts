// All kinds of queries.
import { funnels } from './insights/funnels/funnels.ts';
import { lifecycle } from './insights/lifecycle/lifecycle.ts';
import { paths } from './insights/paths/paths.ts';
import { retention } from './insights/retention/retention.ts';
import { stickiness } from './insights/stickiness/stickiness.ts';
import { trends } from './insights/trends/trends.ts';
import type { QueryKind } from './kind.ts';
import { actorsQuery } from './kinds/actors-query.ts';
import { eventsQuery } from './kinds/events-query.ts';
import { hogqlQuery } from './kinds/hogql-query.ts';

function listKinds(): ReadonlyMap<string, QueryKind> {
  const kinds = new Map<string, QueryKind>();
  const all = [trends, funnels, retention, paths, stickiness, lifecycle, hogqlQuery, eventsQuery, actorsQuery(kinds)];
  for (const kind of all) kinds.set(kind.kind, kind as QueryKind);
  return kinds;
}

export const kinds = listKinds();
