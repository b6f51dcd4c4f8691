// Companies, teams, whatever a project groups people by: at most five types a project, each with a number.
import { isJsonObject, type Json, type JsonObject, ownValue, setOwnValue } from '../capture/exact-json.ts';
import type { Micros } from './parse-timestamp.ts';
import { toStorable, toStorableText } from './storable-json.ts';
import type { Warning } from './warnings.ts';

export const GROUP_TYPES_MAX = 5;
export const GROUP_KEY_CHARACTERS_MAX = 400;

/** Group types by name, with their numbers. */
export type GroupTypes = ReadonlyMap<string, number>;

/** The number of this type: its own, or the lowest free one; undefined when all five are taken. */
export function groupTypeIndex(types: GroupTypes, group_type: string): number | undefined {
  const known = types.get(group_type);
  if (known !== undefined) return known;
  const taken = new Set(types.values());
  return [...Array(GROUP_TYPES_MAX).keys()].find((index) => !taken.has(index));
}

export interface EventGroups {
  /** `$group_0` … `$group_4`, as the event's `$groups` names them. */
  properties: JsonObject;
  /** The project's types, with those that this event is the first to name. */
  types: GroupTypes;
}

/** Naming a group makes its type known, but no group. A sixth type is passed over. PHP sends `[]` for none. */
export function readEventGroups(properties: JsonObject, types: GroupTypes): EventGroups {
  const groups = ownValue(properties, '$groups');
  if (!isJsonObject(groups)) return { properties: {}, types };
  const named: JsonObject = {};
  let known = types;
  for (const [name, key] of Object.entries(groups)) {
    const group_type = toStorableText(name);
    const index = groupTypeIndex(known, group_type);
    if (index === undefined) continue;
    if (!known.has(group_type)) known = new Map(known).set(group_type, index);
    setOwnValue(named, `$group_${index}`, key);
  }
  return { properties: named, types: known };
}

export interface Group {
  properties: JsonObject;
  created_at: Micros;
  version: number;
}

export interface GroupUpdate {
  group_type: string;
  group_key: string;
  $group_set: JsonObject;
}

export type GroupReading = GroupUpdate | { dropped: 'group_key_too_long' | 'invalid_group_set'; warning: Warning };

/** What a `$groupidentify` says; undefined when it names no group, which makes it an ordinary event. */
export function readGroupUpdate(properties: JsonObject): GroupReading | undefined {
  const type = ownValue(properties, '$group_type');
  const key = ownValue(properties, '$group_key');
  if (!type || !key) return undefined;
  const group_type = toText(type);
  const group_key = toText(key);
  if ([...group_key].length > GROUP_KEY_CHARACTERS_MAX) {
    const details = { groupType: group_type, groupKeyLength: group_key.length, maxLength: GROUP_KEY_CHARACTERS_MAX };
    return { dropped: 'group_key_too_long', warning: { type: 'group_key_too_long', details } };
  }
  const $group_set = ownValue(properties, '$group_set') ?? {};
  if (isEmptyArray($group_set)) return { group_type, group_key, $group_set: {} };
  if (!isJsonObject($group_set)) {
    const details = { groupType: group_type, groupKey: group_key };
    return { dropped: 'invalid_group_set', warning: { type: 'invalid_group_set', details } };
  }
  return { group_type, group_key, $group_set: toStorable($group_set) };
}

/** The group after this update; the very same object when nothing changed. */
export function applyGroupUpdate(
  stored: Group | undefined,
  $group_set: JsonObject,
  timestamp: Micros,
  now: Micros,
): Group {
  if (!stored) return { properties: $group_set, created_at: Math.min(now, timestamp), version: 1 };
  const properties = { ...stored.properties, ...$group_set };
  const created_at = Math.min(stored.created_at, timestamp);
  const changed = created_at !== stored.created_at || JSON.stringify(properties) !== JSON.stringify(stored.properties);
  return changed ? { properties, created_at, version: stored.version + 1 } : stored;
}

const toText = (value: Json): string => toStorableText(typeof value === 'string' ? value : JSON.stringify(value));
const isEmptyArray = (value: Json): boolean => Array.isArray(value) && value.length === 0;
