// Which events and properties are defined already, so that only new ones are written. Nearly every event finds all its
// names here, and costs one look for each.
import type { Json, JsonObject } from '../capture/exact-json.ts';
import type { PreparedEvent } from './prepare-event.ts';
import { type PropertyDefinition, type PropertyType, readDefinitions } from './property-types.ts';

export interface NewDefinitions {
  events: { team_id: number; name: string }[];
  properties: {
    team_id: number;
    kind: PropertyDefinition['kind'];
    group_type_index: number;
    name: string;
    type: PropertyType | null;
  }[];
  event_properties: { team_id: number; event: string; property: string }[];
}

export interface DefinitionCollector {
  /** Takes one event of the batch, with the group types that its project has by then. */
  add(event: PreparedEvent, groupTypes: ReadonlyMap<string, number>): void;
  /** What the events so far define that was not known. */
  definitions(): NewDefinitions;
}

const HOUR_MS = 3_600_000;
const NAMES_MAX = 300_000;

type NameState = 'typed' | 'untyped';

/** What is known under one name of an event, or of all persons of a project. */
interface Known {
  writtenAt: number;
  names: Map<string, NameState>;
}

export class KnownDefinitions {
  readonly #known = new Map<string, Known>();
  #size = 0;

  /** Begins a batch. What it collects counts as known from then on: `clear` if it is not written. */
  collector(nowMs: number): DefinitionCollector {
    if (this.#size > NAMES_MAX) this.clear();
    const found = new Collected();
    return {
      add: (event, groupTypes) => this.#look(event, groupTypes, nowMs, found),
      definitions: () => found.definitions(),
    };
  }

  clear(): void {
    this.#known.clear();
    this.#size = 0;
  }

  #look(prepared: PreparedEvent, groupTypes: ReadonlyMap<string, number>, nowMs: number, found: Collected): void {
    const { team_id } = prepared.record;
    const group_type = prepared.groupUpdate?.group_type;
    const index = group_type === undefined ? undefined : groupTypes.get(group_type);
    const ofEvent = this.#at(`${team_id} ${index ?? ''} ${prepared.event}`);
    const ofPersons = this.#at(`${team_id}`);
    const { update } = prepared;
    const settled =
      nowMs - ofEvent.writtenAt < HOUR_MS &&
      allSettled(prepared.properties, ofEvent.names) &&
      (!update || (allSettled(update.$set, ofPersons.names) && allSettled(update.$set_once, ofPersons.names)));
    if (!settled) this.#define(prepared, index ?? -1, ofEvent, ofPersons, nowMs, found);
  }

  #define(
    { record, event, properties, update }: PreparedEvent,
    index: number,
    ofEvent: Known,
    ofPersons: Known,
    nowMs: number,
    found: Collected,
  ): void {
    const { team_id } = record;
    const nothing = { $set: {}, $set_once: {}, $unset: [] };
    const defined = readDefinitions({ event, properties, update: update ?? nothing }, Math.floor(nowMs / 1_000));
    if (defined.event !== undefined) {
      if (nowMs - ofEvent.writtenAt >= HOUR_MS) found.addEvent(team_id, defined.event);
      for (const property of defined.on_event) {
        if (!ofEvent.names.has(property)) found.addPair(team_id, defined.event, property);
      }
    }
    for (const { kind, name, type } of defined.properties) {
      const known = (kind === 'person' ? ofPersons : ofEvent).names.get(name);
      if (known === 'typed' || (known === 'untyped' && type === null)) continue;
      found.addProperty(team_id, kind, kind === 'group' ? index : -1, name, type);
    }
    ofEvent.writtenAt = nowMs;
    this.#settle(properties, ofEvent);
    if (update) for (const part of [update.$set_once, update.$set]) this.#settle(part, ofPersons);
  }

  /** Also names that get no definition: they need not be looked at again. */
  #settle(object: JsonObject, { names }: Known): void {
    const before = names.size;
    for (const key in object) if (names.get(key) !== 'typed') names.set(key, stateOf(object[key]!));
    this.#size += names.size - before;
  }

  #at(key: string): Known {
    let known = this.#known.get(key);
    if (!known) {
      known = { writtenAt: Number.NEGATIVE_INFINITY, names: new Map() };
      this.#known.set(key, known);
      this.#size += 1;
    }
    return known;
  }
}

const stateOf = (value: Json): NameState => (typeof value === 'object' ? 'untyped' : 'typed');

function allSettled(object: JsonObject, names: ReadonlyMap<string, NameState>): boolean {
  for (const key in object) {
    const state = names.get(key);
    if (state !== 'typed' && (state === undefined || stateOf(object[key]!) === 'typed')) return false;
  }
  return true;
}

/** Each thing once, however many events of the batch say it. */
class Collected {
  readonly #events = new Map<string, NewDefinitions['events'][number]>();
  readonly #properties = new Map<string, NewDefinitions['properties'][number]>();
  readonly #pairs = new Map<string, NewDefinitions['event_properties'][number]>();

  addEvent(team_id: number, name: string): void {
    this.#events.set(`${team_id} ${name}`, { team_id, name });
  }

  addPair(team_id: number, event: string, property: string): void {
    this.#pairs.set(`${team_id} ${event}\n${property}`, { team_id, event, property });
  }

  addProperty(
    team_id: number,
    kind: PropertyDefinition['kind'],
    group_type_index: number,
    name: string,
    type: PropertyType | null,
  ): void {
    const key = `${team_id} ${kind} ${group_type_index} ${name}`;
    const before = this.#properties.get(key);
    if (before?.type) return;
    this.#properties.set(key, { team_id, kind, group_type_index, name, type });
  }

  definitions(): NewDefinitions {
    return {
      events: sorted(this.#events),
      properties: sorted(this.#properties),
      event_properties: sorted(this.#pairs),
    };
  }
}

/** In one order everywhere, so that two pipelines that write the same rows do not wait for each other crosswise. */
function sorted<T>(entries: Map<string, T>): T[] {
  return [...entries].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
}
