// How people went from place to place. A place is known by the hash of its name until the end, when the few that are
// shown get their names back: sorting and comparing numbers takes a fraction of the time.
import type { QueryContext } from '../../kind.ts';
import { IN_SMALL_BLOCKS } from '../../sql/blocks.ts';
import type { EventsSql } from '../../sql/events-sql.ts';
import { allSql } from '../entity.ts';
import { journeysSql } from '../funnels/journeys.ts';
import { markedTimeSql } from '../funnels/marks.ts';
import { walkSql } from '../funnels/walk.ts';
import { placesSql } from './places.ts';
import type { FunnelPart, PathsPlan } from './plan.ts';

export interface Edge {
  /** `1_https://a.example`: the step, and the place. */
  readonly source: string;
  readonly target: string;
  readonly value: number;
  /** Milliseconds. */
  readonly average_conversion_time: number;
}

/** A longer pause ends a session. */
const PAUSE_MICROS = 30 * 60 * 1_000_000;

/** What stands for the middle of a path that is too long to be shown whole. */
export const ELLIPSIS = '...';

export async function askPaths(plan: PathsPlan, context: QueryContext): Promise<Edge[]> {
  const events = context.events();
  const { bound } = events;
  const steps = `
    SELECT arrayJoin(arrayZip(arrayEnumerate(hashes), hashes, arrayPopFront(arrayPushBack(hashes, 0)),
                              arrayPopFront(arrayPushBack(times, 0)), times)) AS edge
      FROM (SELECT hashes, times FROM (${pathsSql(plan, events, context)}))`;
  const edges = `
    SELECT edge.1 AS step, edge.2 AS from_hash, edge.3 AS to_hash, count() AS n,
           sum(toInt64(edge.4) - toInt64(edge.5)) / n / 1000 AS took
      FROM (${steps})
     WHERE edge.4 > 0
     GROUP BY step, from_hash, to_hash
    HAVING ${allSql([
      plan.weightMin === undefined ? 'true' : `n >= ${bound.bind('Float64', plan.weightMin)}`,
      plan.weightMax === undefined ? 'true' : `n <= ${bound.bind('Float64', plan.weightMax)}`,
    ])}`;
  const nameOf = (hash: string) => `transform(${hash}, names.1, names.2, '')`;
  return context.ask<Edge>({
    text: `
      WITH (${namesSql(plan, context.events(bound))}) AS names
      SELECT concat(toString(step), '_', ${nameOf('from_hash')}) AS source,
             concat(toString(step + 1), '_', ${nameOf('to_hash')}) AS target,
             n AS value, took AS average_conversion_time
        FROM (${edges})
       ORDER BY value DESC, source, target
       LIMIT ${plan.edgesMax}
      ${IN_SMALL_BLOCKS}`,
    params: bound.params,
  });
}

/** SQL of one row: the hashes of all places, and their names in the same order. */
function namesSql(plan: PathsPlan, events: EventsSql): string {
  const { place, where } = placesSql(plan, events);
  return `
    SELECT (arrayPushBack(groupArray(xxHash64(name)), xxHash64('${ELLIPSIS}')), arrayPushBack(groupArray(name), '${ELLIPSIS}'))
      FROM (SELECT DISTINCT ${place} AS name FROM ${events.from(plan.samplingFactor)} WHERE ${where})`;
}

/**
 * SQL: for each path `actor`, `hashes` of its places and `times` (by the clock of a funnel's marks) at which it came to
 * them. Places of one moment are in an order that is arbitrary, but always the same: that of their hashes.
 */
export function pathsSql(plan: PathsPlan, events: EventsSql, context: QueryContext): string {
  const actor = plan.groupTypeIndex === undefined ? events.personId : events.groupKey(plan.groupTypeIndex);
  const { place, where } = placesSql(plan, events);
  const hash = `xxHash64(${place})`;
  const visits = `
    SELECT ${actor} AS actor,
           arraySort(groupArray(bitShiftLeft(toUInt128(${markedTimeSql(events)}), 64) + ${hash})) AS visits
      FROM ${events.from(plan.samplingFactor)}
     WHERE ${allSql([where, plan.groupTypeIndex === undefined ? 'true' : `${actor} != ''`])}
     GROUP BY actor`;
  const chosen = plan.funnel ? withinFunnelSql(plan.funnel, visits, events, context) : visits;
  const time = (visit: string) => `toUInt64(bitShiftRight(${visit}, 64))`;
  // A place that is visited again and again is one place, reached when it was first.
  const sessions = `
    SELECT actor, arrayCompact(visit -> toUInt64(visit), session) AS session
      FROM (
        SELECT actor,
               arrayJoin(arraySplit((visit, pause) -> pause > ${PAUSE_MICROS}, visits,
                                    arrayDifference(arrayMap(visit -> ${time('visit')}, visits)))) AS session
          FROM (${chosen}))`;
  return `
    SELECT actor, arrayMap(visit -> toUInt64(visit), path) AS hashes, arrayMap(visit -> ${time('visit')}, path) AS times
      FROM (${cutSql(plan, sessions, events)})`;
}

/** SQL: the part of each session that is shown, as `path`. */
function cutSql({ startPoint, endPoint, stepsMax }: PathsPlan, sessions: string, { bound }: EventsSql): string {
  const position = (point: string, path: string) =>
    `indexOf(arrayMap(visit -> toUInt64(visit), ${path}), xxHash64(${bound.text(point)}))`;
  const from = startPoint
    ? `SELECT actor, arraySlice(session, ${position(startPoint, 'session')}) AS path
         FROM (${sessions}) WHERE ${position(startPoint, 'session')} > 0`
    : `SELECT actor, session AS path FROM (${sessions})`;
  if (!endPoint) return `SELECT actor, arraySlice(path, 1, ${stepsMax}) AS path FROM (${from})`;
  const whole = `SELECT actor, arraySlice(path, 1, ${position(endPoint, 'path')}) AS path
                   FROM (${from}) WHERE ${position(endPoint, 'path')} > 0`;
  if (!startPoint) return `SELECT actor, arraySlice(path, -${stepsMax}) AS path FROM (${whole})`;
  // Both ends are shown; the time of what stands between them is that of the first place left out.
  const half = Math.max(1, Math.floor(stepsMax / 2));
  const middle = `bitShiftLeft(bitShiftRight(path[${half + 1}], 64), 64) + xxHash64('${ELLIPSIS}')`;
  const short = `arrayConcat(arraySlice(path, 1, ${half}), [${middle}], arraySlice(path, -${half}))`;
  return `SELECT actor, if(length(path) > ${stepsMax}, ${short}, path) AS path FROM (${whole})`;
}

/** SQL: the visits that lie where the funnel says, of those who reached its step. */
function withinFunnelSql(
  { plan, part, step }: FunnelPart,
  visits: string,
  events: EventsSql,
  context: QueryContext,
): string {
  const walked = walkSql(plan, journeysSql(plan, context.events(events.bound), context), ['actor']);
  const time = 'toUInt64(bitShiftRight(visit, 64))';
  const conditions = {
    before: `${time} <= until`,
    between: `${time} >= since AND ${time} <= until`,
    after: `${time} >= until`,
  };
  return `
    SELECT actor, arrayFilter(visit -> ${conditions[part]}, visits) AS visits
      FROM (${visits}) AS went
     INNER JOIN (
       SELECT actor, t${Math.max(step - 1, 0)} AS since, t${step} AS until
         FROM (${walked}) WHERE reached > ${step}) AS funnel USING (actor)
     WHERE notEmpty(visits)`;
}
