// What paths mean, said a second time: one actor and one session after the other, slowly, without SQL.
import type { Dataset, RawEvent } from './dataset.ts';
import { toText } from './funnels.ts';
import { xxHash64 } from './xxhash64.ts';

export interface PathsQuestion {
  types: readonly ('$pageview' | '$screen' | 'custom_event')[];
  /** Both included. */
  fromMicros: number;
  toMicros: number;
  startPoint?: string;
  endPoint?: string;
  stepsMax: number;
  edgesMax: number;
  weightMin?: number;
  weightMax?: number;
  groupings: readonly string[];
  excluded: readonly string[];
  replacements: readonly { regex: string; alias: string }[];
  groupTypeIndex?: number;
}

interface Visit {
  micros: number;
  place: string;
}

export interface Edge {
  source: string;
  target: string;
  value: number;
  average_conversion_time: number;
}

const PAUSE_MICROS = 30 * 60_000_000;

export function countEdges(dataset: Dataset, question: PathsQuestion): Edge[] {
  const edges = new Map<string, { source: string; target: string; took: number[] }>();
  for (const visits of listVisits(dataset, question)) {
    for (const session of split(visits)) {
      const path = cut(collapse(session), question);
      for (const [at, { place, micros }] of path.entries()) {
        const next = path[at + 1];
        if (!next) break;
        const [source, target] = [`${at + 1}_${place}`, `${at + 2}_${next.place}`];
        const known = edges.get(JSON.stringify([source, target])) ?? { source, target, took: [] };
        known.took.push(next.micros - micros);
        edges.set(JSON.stringify([source, target]), known);
      }
    }
  }
  const counted = [...edges.values()].map(({ source, target, took }) => ({
    source,
    target,
    value: took.length,
    average_conversion_time: took.reduce((sum, each) => sum + each, 0) / took.length / 1_000,
  }));
  const { weightMin = 0, weightMax = Number.POSITIVE_INFINITY } = question;
  const shown = counted
    .filter(({ value }) => value >= weightMin && value <= weightMax)
    .sort(
      (one, other) => other.value - one.value || compare(one.source, other.source) || compare(one.target, other.target),
    )
    .slice(0, question.edgesMax);
  return shown.filter((edge) => isReachable(edge, shown));
}

const compare = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** A path leads to it that was not cut off. */
function isReachable({ source }: Edge, edges: readonly Edge[]): boolean {
  return source.startsWith('1_') || edges.some((edge) => edge.target === source && isReachable(edge, edges));
}

function listVisits({ events }: Dataset, question: PathsQuestion): Visit[][] {
  const { groupTypeIndex } = question;
  const actor = (event: RawEvent) =>
    groupTypeIndex === undefined ? event.person.uuid : toText(event.properties[`$group_${groupTypeIndex}`]);
  const counting = events.filter(
    (event) =>
      event.micros >= question.fromMicros &&
      event.micros <= question.toMicros &&
      isOfType(event, question) &&
      actor(event) !== '',
  );
  return [...Map.groupBy(counting, actor).values()].map((own) =>
    own
      .map((event) => ({ micros: event.micros, place: placeOf(event, question) }))
      .filter(({ place }) => place !== '' && !question.excluded.includes(place))
      .sort((one, other) => one.micros - other.micros || (xxHash64(one.place) < xxHash64(other.place) ? -1 : 1)),
  );
}

function isOfType({ event }: RawEvent, { types }: PathsQuestion): boolean {
  if (types.length === 0) return true;
  return types.some((type) => (type === 'custom_event' ? !event.startsWith('$') : event === type));
}

function placeOf({ event, properties }: RawEvent, { groupings, replacements }: PathsQuestion): string {
  const name =
    event === '$pageview'
      ? withoutSlash(toText(properties.$current_url))
      : event === '$screen'
        ? toText(properties.$screen_name)
        : event;
  const replaced = replacements.reduce(
    (text, { regex, alias }) => text.replaceAll(new RegExp(regex, 'g'), alias),
    name,
  );
  return groupings.find((grouping) => fits(replaced, grouping)) ?? replaced;
}

const withoutSlash = (text: string) => (text.length > 1 && text.endsWith('/') ? text.slice(0, -1) : text);

/** The parts between the stars stand in the text, one after the other. */
function fits(text: string, grouping: string): boolean {
  let from = 0;
  for (const part of grouping.split('*')) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

function split(visits: readonly Visit[]): Visit[][] {
  const sessions: Visit[][] = [];
  for (const [at, visit] of visits.entries()) {
    const before = visits[at - 1];
    if (!before || visit.micros - before.micros > PAUSE_MICROS) sessions.push([]);
    sessions.at(-1)!.push(visit);
  }
  return sessions;
}

const collapse = (session: readonly Visit[]): Visit[] =>
  session.filter(({ place }, at) => session[at - 1]?.place !== place);

function cut(session: readonly Visit[], { startPoint, endPoint, stepsMax }: PathsQuestion): readonly Visit[] {
  const start = startPoint === undefined ? 0 : session.findIndex(({ place }) => place === startPoint);
  if (start < 0) return [];
  const path = session.slice(start);
  if (endPoint === undefined) return path.slice(0, stepsMax);
  const end = path.findIndex(({ place }) => place === endPoint);
  if (end < 0) return [];
  const whole = path.slice(0, end + 1);
  if (whole.length <= stepsMax) return whole;
  if (startPoint === undefined) return whole.slice(-stepsMax);
  const half = Math.max(1, Math.floor(stepsMax / 2));
  return [...whole.slice(0, half), { ...whole[half]!, place: '...' }, ...whole.slice(-half)];
}
