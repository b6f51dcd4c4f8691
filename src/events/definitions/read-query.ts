// What a query asks of the lists of definitions.
import { invalid } from '../../http/errors.ts';
import { type EventDefinitionFilter, type EventOrder, isEventOrder, type PropertyDefinitionFilter } from './sql.ts';

const EVENT_KINDS = {
  event: 'all',
  all: 'all',
  action_event: 'all',
  event_custom: 'own',
  event_posthog: 'standard',
} as const;

export function readEventFilter(query: URLSearchParams): EventDefinitionFilter {
  const type = query.get('event_type') || 'event';
  if (!Object.hasOwn(EVENT_KINDS, type)) {
    throw invalid('Not a valid event type. Use one of: event, event_custom, event_posthog.', 'event_type');
  }
  return {
    search: query.get('search') ?? '',
    names: readNames(query, 'names'),
    excluded: readTexts(query, 'excluded_properties') ?? [],
    excludeHidden: isYes(query, 'exclude_hidden') === true,
    kind: EVENT_KINDS[type as keyof typeof EVENT_KINDS],
    verified: isYes(query, 'verified'),
    tags: readTexts(query, 'tags') ?? [],
  };
}

/** Orders that are not known are passed over. */
export function readEventOrder(query: URLSearchParams): EventOrder[] {
  return query
    .getAll('ordering')
    .flatMap((text) => text.split(','))
    .flatMap((text): EventOrder[] => {
      const by = text.replace(/^-/, '');
      return isEventOrder(by) ? [{ by, direction: text.startsWith('-') ? 'desc' : 'asc' }] : [];
    });
}

const PROPERTY_KINDS = { event: 1, person: 2, group: 3 } as const;

/** Sent with events to tell something else than what happened; nobody would filter by them. */
const NOT_SHOWN = [
  'distinct_id',
  '$set',
  '$set_once',
  '$unset',
  '$groups',
  '$group_type',
  '$group_key',
  '$group_set',
  ...[0, 1, 2, 3, 4].map((index) => `$group_${index}`),
];

/** Undefined: there can be none. */
export function readPropertyFilter(query: URLSearchParams): PropertyDefinitionFilter | undefined {
  const type = query.get('type') || 'event';
  // Sessions have properties, but these are the same for all projects and not defined by what was seen.
  if (type === 'session') return undefined;
  if (!Object.hasOwn(PROPERTY_KINDS, type)) throw invalid(`"${type}" is not a valid choice.`, 'type', 'invalid_choice');
  const kind = PROPERTY_KINDS[type as keyof typeof PROPERTY_KINDS];
  const group_type_index = readGroupType(query, type);
  const event_names = readTexts(query, 'event_names');
  if (event_names && type !== 'event') throw invalid('`event_names` can only be set for `event` type');
  return {
    kind,
    group_type_index,
    search: query.get('search') ?? '',
    names: readNames(query, 'properties'),
    excluded: [...(readTexts(query, 'excluded_properties') ?? []), ...(type === 'event' ? NOT_SHOWN : [])],
    excludeHidden: isYes(query, 'exclude_hidden') === true,
    onlyNumerical: isYes(query, 'is_numerical') === true,
    isFeatureFlag: isYes(query, 'is_feature_flag'),
    event_names: event_names?.length ? event_names : undefined,
    onlySeen: isYes(query, 'filter_by_event_names') === true,
  };
}

function readGroupType(query: URLSearchParams, type: string): number {
  const text = query.get('group_type_index');
  if (type !== 'group') {
    if (text) throw invalid('`group_type_index` can only set for `group` type');
    return -1;
  }
  if (!text) throw invalid('`group_type_index` must be set for `group` type');
  if (!/^[0-4]$/.test(text)) throw invalid('Invalid value for `group_type_index`');
  return Number(text);
}

/** Names separated by commas, in one parameter or several; undefined when there are none. */
function readNames(query: URLSearchParams, name: string): string[] | undefined {
  const names = query
    .getAll(name)
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '');
  return names.length > 0 ? names : undefined;
}

/** A parameter that holds a JSON list of texts; undefined when it is not there. */
export function readTexts(query: URLSearchParams, name: string): string[] | undefined {
  const text = query.get(name);
  if (!text) return undefined;
  const given = parseOrUndefined(text);
  if (Array.isArray(given) && given.every((each) => typeof each === 'string')) return given;
  throw invalid('This must be a JSON list of texts, such as ["$pageview"].', name);
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True, false, or undefined when nobody said. */
export function isYes(query: URLSearchParams, name: string): boolean | undefined {
  const word = query.get(name)?.toLowerCase();
  if (!word) return undefined;
  return word === 'true' || word === '1' || word === 'yes' || word === 't';
}
