// What an event is on a path: a page, a screen, or something that happened.
import type { EventsSql } from '../../sql/events-sql.ts';
import { allSql } from '../entity.ts';
import type { PathsPlan } from './plan.ts';

/** SQL: the name of the event's place, and whether it counts at all. */
export function placesSql(plan: PathsPlan, events: EventsSql): { place: string; where: string } {
  const place = placeSql(plan, events);
  const conditions = [
    events.within(plan.range),
    typesSql(plan, events),
    events.filters(plan.filters),
    events.testAccounts(plan.filterTestAccounts),
    plan.excluded.length === 0
      ? `${place} != ''`
      : `NOT has(${events.bound.texts(['', ...plan.excluded.map(withoutSlash)])}, ${place})`,
  ];
  return { place, where: allSql(conditions) };
}

const withoutSlash = (text: string): string => text.replace(/(.)\/$/s, '$1');

/** Bool: the event is of a type that was asked for. An expression gives any event a name. */
function typesSql({ types }: PathsPlan, { alias }: EventsSql): string {
  if (types.size === 0 || types.has('hogql')) return 'true';
  const any = [
    ...(types.has('$pageview') ? [`${alias}.event = '$pageview'`] : []),
    ...(types.has('$screen') ? [`${alias}.event = '$screen'`] : []),
    ...(types.has('custom_event') ? [`NOT startsWith(${alias}.event, '$')`] : []),
  ];
  return `(${any.join(' OR ')})`;
}

/** String: '' for what has no name. */
function placeSql(plan: PathsPlan, events: EventsSql): string {
  const { bound } = events;
  const replaced = plan.replacements.reduce(
    (name, { regex, alias }) => `replaceRegexpAll(${name}, ${bound.text(regex)}, ${bound.text(alias)})`,
    nameSql(plan, events),
  );
  if (plan.groupings.length === 0) return replaced;
  const groups = plan.groupings.map(
    (pattern) => `match(${replaced}, ${bound.text(toRegex(pattern))}), ${bound.text(pattern)}`,
  );
  return `multiIf(${groups.join(', ')}, ${replaced})`;
}

/** `/item/*` fits any name in which that stands, whatever is in the place of the star. */
const toRegex = (pattern: string): string =>
  pattern
    .split('*')
    .map((part) => part.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'))
    .join('.*');

function nameSql({ types, expression }: PathsPlan, events: EventsSql): string {
  const { alias } = events;
  const other =
    types.has('hogql') && expression ? `ifNull(toString(${events.hogql(expression)}), '')` : `toString(${alias}.event)`;
  // With an expression, pages and screens keep their own names only when they were asked for as such.
  const isOwn = (type: '$pageview' | '$screen') => !expression || !types.has('hogql') || types.has(type);
  const page = `replaceRegexpOne(toString(${events.property('event', '$current_url').text}), '(.)/$', '\\\\1')`;
  const screen = `toString(${events.property('event', '$screen_name').text})`;
  const cases = [
    ...(isOwn('$pageview') ? [`${alias}.event = '$pageview', ${page}`] : []),
    ...(isOwn('$screen') ? [`${alias}.event = '$screen', ${screen}`] : []),
  ];
  if (types.size === 1 && types.has('$pageview')) return page;
  if (types.size === 1 && types.has('$screen')) return screen;
  return cases.length === 0 ? other : `multiIf(${cases.join(', ')}, ${other})`;
}
