// Two ids, one human being: which person takes in the other, and when that must not happen.
import { cutCharacters, DISTINCT_ID_CHARACTERS_MAX } from '../capture/distinct-id.ts';
import { isRawNumber, type Json, type JsonObject, ownValue } from '../capture/exact-json.ts';
import { isIllegalId } from './illegal-ids.ts';
import type { Micros } from './parse-timestamp.ts';
import { toStorableText } from './storable-json.ts';
import type { Warning } from './warnings.ts';

export interface Person {
  uuid: string;
  created_at: Micros;
  properties: JsonObject;
  is_identified: boolean;
  /** Starts at 0 and grows with every change that is written. */
  version: number;
}

/** An event's wish that the person of `source` be taken into the person of `target`. */
export interface Link {
  event: '$identify' | '$create_alias' | '$merge_dangerously';
  source: string;
  target: string;
}

type LinkingEvent = Link['event'];

/** Whether events of this name link two ids, when they give them. */
export const isLinking = (event: string): event is LinkingEvent =>
  event === '$identify' || event === '$create_alias' || event === '$merge_dangerously';

/** The two ids that this event links, if it links any. */
export function readLink(event: string, distinct_id: string, properties: JsonObject): Link | undefined {
  if (!isLinking(event)) return undefined;
  if (event === '$identify') {
    const anonymous = ownValue(properties, '$anon_distinct_id');
    return anonymous === undefined ? undefined : { event, source: toId(anonymous), target: distinct_id };
  }
  const alias = ownValue(properties, 'alias');
  if (!alias) return undefined;
  // An alias becomes the main id, so the event's own person is taken in; a dangerous merge goes the other way.
  if (event === '$create_alias') return { event, source: distinct_id, target: toId(alias) };
  return { event, source: toId(alias), target: distinct_id };
}

/** Cut and cleaned as the ids of events are, so that both find the same person. */
function toId(value: Json): string {
  return cutCharacters(toStorableText(toText(value)), DISTINCT_ID_CHARACTERS_MAX);
}

/** As `String` would, which fails on exact numbers and on objects with a `toString` of their own. */
function toText(value: Json): string {
  if (isRawNumber(value)) return value.rawJSON;
  if (Array.isArray(value)) return value.map((item) => (item === null ? '' : toText(item))).join();
  // An illegal id.
  return typeof value === 'object' && value !== null ? '[object Object]' : String(value);
}

export type LinkDecision =
  /** Both ids are one and the same: there is nothing to link. */
  | { do: 'nothing' }
  /** The link is not made; the event goes on as an ordinary one. */
  | { do: 'refuse'; warning: Warning }
  /** Neither id has a person: a new one gets both. */
  | { do: 'create' }
  /** Only the target has a person: it gets the source id too. */
  | { do: 'add_source' }
  /** Only the source has a person: it keeps its uuid and gets the target id too. */
  | { do: 'add_target' }
  /** One person has both ids already. */
  | { do: 'identify' }
  /** The source person is taken into the target person. */
  | { do: 'merge' };

export function decideLink(link: Link, source: Person | undefined, target: Person | undefined): LinkDecision {
  if (link.source === link.target) return { do: 'nothing' };
  const illegal = [link.target, link.source].find(isIllegalId);
  if (illegal !== undefined) return { do: 'refuse', warning: illegalId(illegal, link) };
  if (!source && !target) return { do: 'create' };
  if (!source) return { do: 'add_source' };
  if (!target) return { do: 'add_target' };
  if (source.uuid === target.uuid) return { do: 'identify' };
  return mayTakeIn(link, source, target) ? { do: 'merge' } : { do: 'refuse', warning: alreadyIdentified(link) };
}

/** Someone who has signed in is not silently made someone else. */
function mayTakeIn({ event }: Link, source: Person, target: Person): boolean {
  if (event === '$merge_dangerously') return true;
  if (event === '$create_alias') return !(source.is_identified && target.is_identified);
  return !source.is_identified;
}

/** The person that remains: the target, whose properties win, as old as the older of the two. */
export function mergePersons(source: Person, target: Person): Person {
  return {
    uuid: target.uuid,
    created_at: Math.min(source.created_at, target.created_at),
    properties: { ...source.properties, ...target.properties },
    is_identified: true,
    version: Math.max(source.version, target.version) + 1,
  };
}

function illegalId(illegal: string, { source, target }: Link): Warning {
  const other = illegal === target ? source : target;
  return {
    type: 'cannot_merge_with_illegal_distinct_id',
    details: { illegalDistinctId: illegal, otherDistinctId: other },
  };
}

function alreadyIdentified({ source, target }: Link): Warning {
  return {
    type: 'cannot_merge_already_identified',
    details: { sourcePersonDistinctId: source, targetPersonDistinctId: target },
  };
}
