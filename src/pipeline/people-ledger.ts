// The people that a batch of events concerns, changed event by event in memory and written once at the end.
//
// The ledger does no I/O. Whoever uses it loads every id that `mentionedIds` names, applies the events in order, and
// writes `changes()` in one transaction. When another batch changed the same people meanwhile, load and apply again:
// the same events on the same people always give the same changes.
import type { JsonObject } from '../capture/exact-json.ts';
import { decideLink, type Link, mergePersons, type Person, readLink } from './merge-persons.ts';
import type { Micros } from './parse-timestamp.ts';
import { fitsPerson, PERSON_BYTES_MAX } from './person-size.ts';
import { applyPersonUpdate, firstProperties, type PersonUpdate } from './person-update.ts';
import { personUuid } from './person-uuid.ts';
import type { Warning } from './warnings.ts';

export interface DistinctId {
  distinct_id: string;
  person_uuid: string;
  /** 0 when its events always carried this person's uuid; more when older ones carry another and need an override. */
  version: number;
}

/** What is stored about the ids of a batch: their rows, the persons of those rows, and ids seen without a person. */
export interface StoredPeople {
  persons: Person[];
  /** For an id that an event links to another, all ids of its person: they may have to move together. */
  distinct_ids: DistinctId[];
  personless: string[];
  /** Uuids that ids without a row would get, but that somebody has, or had up to this version. */
  uuids?: { uuid: string; version: number; taken: boolean }[];
  /** Ids without a row that had one once, up to this version. */
  former_ids?: { distinct_id: string; version: number }[];
}

export interface PersonEvent {
  uuid: string;
  event: string;
  distinct_id: string;
  timestamp: Micros;
  properties: JsonObject;
  update: PersonUpdate;
}

/** The person columns of an event's row. */
export interface PersonOnEvent {
  person_id: string;
  person_created_at: Micros;
  person_properties: JsonObject;
  person_mode: 'full' | 'propertyless' | 'force_upgrade';
  warnings: Warning[];
}

/** In the order in which they must be written. */
export interface PeopleChanges {
  persons: Person[];
  deleted: { uuid: string; version: number }[];
  /** New rows and moved ones, as they stand after the batch. */
  distinct_ids: DistinctId[];
  personless: string[];
}

/** An event without a person shows this time as its person's beginning. */
const NO_PERSON_CREATED_AT: Micros = 5_000_000;
/** Time for the event that makes a person to overtake those sent just before it. */
const FORCE_UPGRADE_AFTER: Micros = 60_000_000;
/** A deleted person's version is far above any that a late update may still carry. */
const TOMBSTONE_VERSION = 100;

export function mentionedIds({ event, distinct_id, properties }: PersonEvent): string[] {
  const link = readLink(event, distinct_id, properties);
  return link ? [link.source, link.target] : [distinct_id];
}

export class PeopleLedger {
  readonly #team_id: number;
  readonly #projectOptsOut: boolean;
  readonly #persons: Map<string, Person>;
  readonly #ids: Map<string, DistinctId>;
  readonly #personless: Set<string>;
  readonly #changed = { persons: new Set<string>(), ids: new Set<string>(), personless: new Set<string>() };
  readonly #deleted = new Map<string, number>();
  readonly #idsOfPerson = new Map<string, Set<string>>();
  readonly #uuids: Map<string, { version: number; taken: boolean }>;
  readonly #formerIds: Map<string, number>;

  constructor(team_id: number, stored: StoredPeople, projectOptsOut = false) {
    this.#team_id = team_id;
    this.#projectOptsOut = projectOptsOut;
    this.#persons = new Map(stored.persons.map((person) => [person.uuid, person]));
    this.#ids = new Map(stored.distinct_ids.map((row) => [row.distinct_id, row]));
    this.#personless = new Set(stored.personless);
    this.#uuids = new Map(stored.uuids?.map(({ uuid, ...rest }) => [uuid, rest]));
    this.#formerIds = new Map(stored.former_ids?.map(({ distinct_id, version }) => [distinct_id, version]));
    for (const { distinct_id, person_uuid } of stored.distinct_ids) this.#own(person_uuid, distinct_id);
  }

  /** An event with a person: makes, links and updates people as it says. */
  apply(event: PersonEvent): PersonOnEvent {
    const link = readLink(event.event, event.distinct_id, event.properties);
    const warnings: Warning[] = [];
    const linked = link ? this.#link(link, event, warnings) : false;
    const person = this.#find(event.distinct_id);
    if (!person) return show(this.#create(event, event.distinct_id, false, warnings), warnings);
    if (linked === 'created') return show(person, warnings);
    return this.#update(person, event, linked, warnings);
  }

  /** An event that makes no person and changes none. */
  passBy({ distinct_id, timestamp }: Pick<PersonEvent, 'distinct_id' | 'timestamp'>): PersonOnEvent {
    const person = this.#find(distinct_id);
    if (!person) {
      if (!this.#personless.has(distinct_id)) this.#changed.personless.add(distinct_id);
      this.#personless.add(distinct_id);
    }
    const known = person && !this.#projectOptsOut && timestamp > person.created_at + FORCE_UPGRADE_AFTER;
    return {
      person_id: person?.uuid ?? personUuid(this.#team_id, distinct_id),
      person_created_at: person?.created_at ?? NO_PERSON_CREATED_AT,
      person_properties: {},
      person_mode: known ? 'force_upgrade' : 'propertyless',
      warnings: [],
    };
  }

  changes(): PeopleChanges {
    return {
      persons: [...this.#changed.persons].flatMap((uuid) => this.#persons.get(uuid) ?? []),
      deleted: [...this.#deleted].map(([uuid, version]) => ({ uuid, version })),
      distinct_ids: [...this.#changed.ids].map((id) => this.#ids.get(id)!),
      personless: [...this.#changed.personless],
    };
  }

  /** Makes the link if it may be made; false when it was not, and the event is an ordinary one. */
  #link(link: Link, event: PersonEvent, warnings: Warning[]): 'created' | 'merged' | 'linked' | false {
    const source = this.#find(link.source);
    const target = this.#find(link.target);
    const decision = decideLink(link, source, target);
    switch (decision.do) {
      case 'nothing':
        return false;
      case 'refuse':
        decision.warning.details.eventUuid = event.uuid;
        warnings.push(decision.warning);
        // Whoever was the target of an identification has signed in, even if the source stays someone else.
        return decision.warning.type === 'cannot_merge_already_identified' ? 'linked' : false;
      case 'create':
        this.#createForBoth(link, event, warnings);
        return 'created';
      case 'add_source':
        this.#addId(link.source, target!);
        return 'linked';
      case 'add_target':
        this.#addId(link.target, source!);
        return 'linked';
      case 'identify':
        return 'linked';
      case 'merge':
        this.#merge(source!, target!, event, warnings);
        return 'merged';
    }
  }

  /** The new person takes the uuid that the events of a personless id already carry; if both ids were, the target's. */
  #createForBoth({ source, target }: Link, event: PersonEvent, warnings: Warning[]): void {
    const fromSource = this.#personless.has(source) && !this.#personless.has(target);
    const person = this.#create(event, fromSource ? source : target, true, warnings);
    this.#addId(fromSource ? target : source, person);
  }

  #create(event: PersonEvent, distinct_id: string, is_identified: boolean, warnings: Warning[]): Person {
    const { uuid, version } = this.#newUuid(distinct_id);
    const first = firstProperties(event.update, event.uuid);
    const properties = fitsPerson(first) ? first : { $creator_event_uuid: event.uuid };
    if (properties !== first) warnings.push(tooLarge(uuid, event));
    const person: Person = { uuid, created_at: event.timestamp, properties, is_identified, version };
    this.#put(person);
    this.#addId(distinct_id, person, 0);
    return person;
  }

  /** The uuid that belongs to this id; another one when a person who once had the id has kept it. */
  #newUuid(distinct_id: string): { uuid: string; version: number } {
    for (let turn = 0; ; turn += 1) {
      const uuid = personUuid(this.#team_id, turn === 0 ? distinct_id : `${distinct_id}\0${turn}`);
      const former = this.#uuids.get(uuid);
      if (!former?.taken && !this.#persons.has(uuid)) return { uuid, version: former ? former.version + 1 : 0 };
    }
  }

  /** Events of a personless id carry another uuid than this person's, so the new row must override them. */
  #addId(distinct_id: string, person: Person, version = this.#personless.has(distinct_id) ? 1 : 0): void {
    const former = this.#formerIds.get(distinct_id);
    this.#putId({ distinct_id, person_uuid: person.uuid, version: former === undefined ? version : former + 1 });
  }

  #merge(source: Person, target: Person, event: PersonEvent, warnings: Warning[]): void {
    const merged = mergePersons(source, target);
    if (fitsPerson(merged.properties)) {
      this.#put(merged);
    } else {
      this.#put({ ...merged, properties: target.properties });
      warnings.push(tooLarge(target.uuid, event));
    }
    this.#persons.delete(source.uuid);
    this.#changed.persons.delete(source.uuid);
    this.#deleted.set(source.uuid, source.version + TOMBSTONE_VERSION);
    for (const distinct_id of this.#idsOfPerson.get(source.uuid) ?? []) {
      this.#putId({ distinct_id, person_uuid: target.uuid, version: this.#ids.get(distinct_id)!.version + 1 });
    }
    this.#idsOfPerson.delete(source.uuid);
  }

  /** Applies the event's own properties. A merge has counted the version up already. */
  #update(person: Person, event: PersonEvent, linked: 'merged' | 'linked' | false, warnings: Warning[]): PersonOnEvent {
    const after = applyPersonUpdate(person.properties, event.update, event.event);
    const fits = !after.worthWriting || fitsPerson(after.properties);
    if (!fits) warnings.push(tooLarge(person.uuid, event));
    const { properties, worthWriting } = fits ? after : { properties: person.properties, worthWriting: false };
    const is_identified = person.is_identified || linked !== false;
    const write = worthWriting || is_identified !== person.is_identified;
    if (!write) return { ...show(person, warnings), person_properties: properties };
    const version = linked === 'merged' ? person.version : person.version + 1;
    const updated: Person = { ...person, is_identified, version, properties };
    this.#put(updated);
    return show(updated, warnings);
  }

  #find(distinct_id: string): Person | undefined {
    const row = this.#ids.get(distinct_id);
    return row && this.#persons.get(row.person_uuid);
  }

  #put(person: Person): void {
    this.#persons.set(person.uuid, person);
    this.#changed.persons.add(person.uuid);
    this.#deleted.delete(person.uuid);
  }

  #putId(row: DistinctId): void {
    this.#ids.set(row.distinct_id, row);
    this.#changed.ids.add(row.distinct_id);
    this.#own(row.person_uuid, row.distinct_id);
  }

  #own(person_uuid: string, distinct_id: string): void {
    const own = this.#idsOfPerson.get(person_uuid);
    if (own) own.add(distinct_id);
    else this.#idsOfPerson.set(person_uuid, new Set([distinct_id]));
  }
}

function tooLarge(personId: string, { uuid, distinct_id }: PersonEvent): Warning {
  return {
    type: 'person_properties_size_violation',
    details: { personId, distinctId: distinct_id, eventUuid: uuid, maxBytes: PERSON_BYTES_MAX },
  };
}

function show({ uuid, created_at, properties }: Person, warnings: Warning[]): PersonOnEvent {
  return {
    person_id: uuid,
    person_created_at: created_at,
    person_properties: properties,
    person_mode: 'full',
    warnings,
  };
}
