// The groups and group types that a batch concerns, changed in memory and written once at the end.
import type { JsonObject } from '../capture/exact-json.ts';
import {
  applyGroupUpdate,
  type Group,
  type GroupTypes,
  type GroupUpdate,
  groupTypeIndex,
  readEventGroups,
} from './groups.ts';
import type { Micros } from './parse-timestamp.ts';

export interface StoredGroup extends Group {
  group_type_index: number;
  group_key: string;
}

export interface GroupChanges {
  /** Types that the batch was the first to name. */
  types: { group_type: string; group_type_index: number }[];
  groups: StoredGroup[];
}

/** The groups of one project. */
export class GroupLedger {
  readonly #known: GroupTypes;
  readonly #groups: Map<string, StoredGroup>;
  readonly #changed = new Set<string>();
  #types: GroupTypes;

  constructor(types: GroupTypes, stored: readonly StoredGroup[]) {
    this.#known = types;
    this.#types = types;
    this.#groups = new Map(stored.map((group) => [keyOf(group.group_type_index, group.group_key), group]));
  }

  get types(): GroupTypes {
    return this.#types;
  }

  /** `$group_0` … of an event that names groups; a type that it names is known from now on. */
  name(properties: JsonObject): JsonObject {
    const { properties: named, types } = readEventGroups(properties, this.#types);
    this.#types = types;
    return named;
  }

  update({ group_type, group_key, $group_set }: GroupUpdate, timestamp: Micros, now: Micros): void {
    const group_type_index = groupTypeIndex(this.#types, group_type);
    if (group_type_index === undefined) return;
    if (!this.#types.has(group_type)) this.#types = new Map(this.#types).set(group_type, group_type_index);
    const key = keyOf(group_type_index, group_key);
    const stored = this.#groups.get(key);
    const group = applyGroupUpdate(stored, $group_set, timestamp, now);
    if (group === stored) return;
    this.#groups.set(key, { ...group, group_type_index, group_key });
    this.#changed.add(key);
  }

  changes(): GroupChanges {
    const types = [...this.#types]
      .filter(([group_type]) => !this.#known.has(group_type))
      .map(([group_type, group_type_index]) => ({ group_type, group_type_index }));
    return { types, groups: [...this.#changed].map((key) => this.#groups.get(key)!) };
  }
}

const keyOf = (index: number, key: string): string => `${index} ${key}`;
