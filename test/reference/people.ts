// What must be true of people and groups after some events, one at a time: slow, plain, and sharing no code with the
// pipeline. Tests compare the two. When they differ, one of them has misunderstood the rules.
import { createHash } from 'node:crypto';

type Value = unknown;
type Bag = Record<string, Value>;

/** An event as a client sent it, with its settled time in microseconds. */
export interface SentEvent {
  uuid: string;
  event: string;
  distinct_id: string;
  timestamp: number;
  properties: Bag;
  $set?: Bag;
  $set_once?: Bag;
}

export interface ReferencePerson {
  uuid: string;
  created_at: number;
  properties: Map<string, Value>;
  is_identified: boolean;
  version: number;
  /** Each id with the version of its row. */
  ids: Map<string, number>;
}

export interface ReferenceGroup {
  type: string;
  key: string;
  properties: Map<string, Value>;
  created_at: number;
}

const NOBODY_ANY_CASE = 'anonymous guest distinctid distinct_id id not_authenticated email undefined true false'.split(
  ' ',
);
const NOBODY = ['[object Object]', 'NaN', 'None', 'none', 'null', '0'];

const COPIED =
  `$app_build $app_name $app_namespace $app_version $browser $browser_version $device_type $current_url $pathname
$os $os_name $os_version $referring_domain $referrer $screen_height $screen_width $viewport_height $viewport_width
$raw_user_agent utm_source utm_medium utm_campaign utm_content utm_name utm_term gclid gad_source gclsrc dclid gbraid wbraid
fbclid msclkid twclid li_fat_id mc_cid igshid ttclid rdt_cid irclid _kx epik qclid sccid`.split(/\s/);
const FLEETING = `$current_url $pathname $referring_domain $referrer $screen_height $screen_width $viewport_height
$viewport_width $browser $browser_version $device_type $raw_user_agent $os $os_name $os_version`.split(/\s/);

export class ReferenceProject {
  readonly team_id: number;
  readonly persons: ReferencePerson[] = [];
  readonly groupTypes: string[] = [];
  readonly groups: ReferenceGroup[] = [];
  readonly personless = new Set<string>();
  readonly refusedMerges: string[] = [];

  constructor(team_id: number) {
    this.team_id = team_id;
  }

  personOf(id: string): ReferencePerson | undefined {
    return this.persons.find((person) => person.ids.has(id));
  }

  /** Takes one event. The answer is the uuid of the person it shows, or undefined when it is left out. */
  take(sent: SentEvent, now = sent.timestamp): string | undefined {
    if (sent.properties.$process_person_profile === false) return this.#takeWithoutPerson(sent);
    const outcome = this.#link(sent);
    let person = this.personOf(sent.distinct_id);
    if (!person) {
      person = this.#newPerson(sent, sent.distinct_id);
    } else if (outcome !== 'made a person') {
      const before = person.is_identified;
      if (outcome === 'joined' || outcome === 'merged') person.is_identified = true;
      const wrote = this.#updateProperties(person, sent);
      if (outcome !== 'merged' && (wrote || before !== person.is_identified)) person.version += 1;
    }
    this.#takeGroups(sent, now);
    return person.uuid;
  }

  #takeWithoutPerson({ event, distinct_id }: SentEvent): string | undefined {
    if (['$identify', '$create_alias', '$merge_dangerously', '$groupidentify'].includes(event)) return undefined;
    const person = this.personOf(distinct_id);
    if (person) return person.uuid;
    this.personless.add(distinct_id);
    return this.#uuidOf(distinct_id);
  }

  #link(sent: SentEvent): 'no link' | 'made a person' | 'joined' | 'merged' {
    let from: string;
    let into: string;
    if (sent.event === '$identify' && '$anon_distinct_id' in sent.properties) {
      from = String(sent.properties.$anon_distinct_id);
      into = sent.distinct_id;
    } else if (sent.event === '$create_alias' && sent.properties.alias) {
      from = sent.distinct_id;
      into = String(sent.properties.alias);
    } else if (sent.event === '$merge_dangerously' && sent.properties.alias) {
      from = String(sent.properties.alias);
      into = sent.distinct_id;
    } else {
      return 'no link';
    }
    if (from === into) return 'no link';
    if (isNobody(from) || isNobody(into)) {
      this.refusedMerges.push(sent.uuid);
      return 'no link';
    }
    const fromPerson = this.personOf(from);
    const intoPerson = this.personOf(into);
    if (!fromPerson && !intoPerson) {
      const first = this.personless.has(from) && !this.personless.has(into) ? from : into;
      const second = first === from ? into : from;
      const person = this.#newPerson(sent, first);
      person.is_identified = true;
      person.ids.set(second, this.personless.has(second) ? 1 : 0);
      return 'made a person';
    }
    if (intoPerson && !fromPerson) {
      intoPerson.ids.set(from, this.personless.has(from) ? 1 : 0);
      return 'joined';
    }
    if (fromPerson && !intoPerson) {
      fromPerson.ids.set(into, this.personless.has(into) ? 1 : 0);
      return 'joined';
    }
    if (fromPerson === intoPerson) return 'joined';
    const refused =
      (sent.event === '$identify' && fromPerson!.is_identified) ||
      (sent.event === '$create_alias' && fromPerson!.is_identified && intoPerson!.is_identified);
    if (refused) {
      this.refusedMerges.push(sent.uuid);
      return 'joined';
    }
    this.#absorb(fromPerson!, intoPerson!);
    return 'merged';
  }

  #absorb(from: ReferencePerson, into: ReferencePerson): void {
    for (const [key, value] of from.properties) if (!into.properties.has(key)) into.properties.set(key, value);
    for (const [id, version] of from.ids) into.ids.set(id, version + 1);
    into.created_at = Math.min(into.created_at, from.created_at);
    into.version = Math.max(into.version, from.version) + 1;
    into.is_identified = true;
    this.persons.splice(this.persons.indexOf(from), 1);
  }

  #newPerson(sent: SentEvent, id: string): ReferencePerson {
    const { set, setOnce, unset } = wishes(sent);
    const properties = new Map([...setOnce, ...set]);
    for (const name of unset) properties.delete(name);
    properties.set('$creator_event_uuid', sent.uuid);
    const person: ReferencePerson = {
      uuid: this.#uuidOf(id),
      created_at: sent.timestamp,
      properties,
      is_identified: false,
      version: 0,
      ids: new Map([[id, 0]]),
    };
    this.persons.push(person);
    return person;
  }

  /** True when something was written. */
  #updateProperties(person: ReferencePerson, sent: SentEvent): boolean {
    const { set, setOnce, unset } = wishes(sent);
    const after = new Map(person.properties);
    const changed: string[] = [];
    for (const [key, value] of setOnce) {
      if (after.has(key)) continue;
      after.set(key, value);
      changed.push(key);
    }
    for (const [key, value] of set) {
      if (after.has(key) && after.get(key) === value) continue;
      after.set(key, value);
      changed.push(key);
    }
    for (const name of unset) if (after.delete(name)) changed.push(name);
    const always = ['$identify', '$create_alias', '$merge_dangerously', '$set'].includes(sent.event);
    const matters = (key: string) => always || !person.properties.has(key) || !after.has(key) || !isFleeting(key);
    if (!changed.some(matters)) return false;
    person.properties = after;
    return true;
  }

  #takeGroups(sent: SentEvent, now: number): void {
    const named = sent.properties.$groups;
    if (isBag(named)) for (const type of Object.keys(named)) this.#groupType(type);
    const { $group_type: type, $group_key: key, $group_set: set } = sent.properties;
    if (sent.event !== '$groupidentify' || !type || !key || !this.#groupType(String(type))) return;
    let group = this.groups.find((known) => known.type === String(type) && known.key === String(key));
    if (!group) {
      group = { type: String(type), key: String(key), properties: new Map(), created_at: now };
      this.groups.push(group);
    }
    for (const [name, value] of Object.entries(isBag(set) ? set : {})) group.properties.set(name, value);
    group.created_at = Math.min(group.created_at, sent.timestamp);
  }

  /** False for a sixth type. */
  #groupType(type: string): boolean {
    if (!this.groupTypes.includes(type) && this.groupTypes.length < 5) this.groupTypes.push(type);
    return this.groupTypes.includes(type);
  }

  #uuidOf(id: string): string {
    const namespace = Buffer.from('932979b465c3442484670b66ec27bc22', 'hex');
    const bytes = createHash('sha1')
      .update(Buffer.concat([namespace, Buffer.from(`${this.team_id}:${id}`)]))
      .digest();
    bytes.writeUInt8((bytes.readUInt8(6) % 16) + 0x50, 6);
    bytes.writeUInt8((bytes.readUInt8(8) % 64) + 0x80, 8);
    return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
}

/** What the event says about its person: set by the client on either level, and copied from its own properties. */
function wishes(sent: SentEvent): { set: Map<string, Value>; setOnce: Map<string, Value>; unset: string[] } {
  const { properties } = sent;
  const entries = (value: Value) => (isBag(value) ? Object.entries(value) : []);
  if (sent.event === '$exception' || sent.event === '$$heatmap')
    return { set: new Map(), setOnce: new Map(), unset: [] };
  const set = new Map([...entries(properties.$set), ...entries(sent.$set)]);
  const setOnce = new Map([...entries(properties.$set_once), ...entries(sent.$set_once)]);
  for (const key of COPIED) {
    if (!Object.hasOwn(properties, key)) continue;
    if (!set.has(key)) set.set(key, properties[key]);
    const first = `$initial_${key.replace('$', '')}`;
    if (!setOnce.has(first)) setOnce.set(first, properties[key]);
  }
  for (const [bag, older, newer] of [
    [set, '$os_name', '$os'],
    [setOnce, '$initial_os_name', '$initial_os'],
  ] as const) {
    if (bag.has(older) && !bag.has(newer)) bag.set(newer, bag.get(older));
    bag.delete(older);
  }
  const { $unset } = properties;
  const unset = Array.isArray($unset)
    ? $unset.filter((name) => typeof name === 'string')
    : Object.keys(isBag($unset) ? $unset : {});
  return { set, setOnce, unset };
}

function isNobody(id: string): boolean {
  const bare = /^(['"])(.*)\1$/s.exec(id)?.[2] ?? id;
  return (
    id.trim() === '' || [bare, id].some((one) => NOBODY_ANY_CASE.includes(one.toLowerCase()) || NOBODY.includes(one))
  );
}

function isFleeting(key: string): boolean {
  if (key === '$geoip_country_name' || key === '$geoip_city_name') return false;
  return FLEETING.includes(key) || key.startsWith('$geoip_');
}

function isBag(value: Value): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
