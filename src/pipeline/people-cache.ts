// The people of recent batches, as they stand in PostgreSQL, so that most batches need not ask for most of theirs.
// Nobody else may change them unseen: whoever does counts `people_changes` up, and then everything here is forgotten.
import type { Person } from './merge-persons.ts';
import type { DistinctId, StoredPeople } from './people-ledger.ts';
import type { Mentioned, ProjectBefore, ProjectChanges } from './settle-batch.ts';

/** In characters of texts, which take one or two bytes each; there are two generations. */
const PERSONS_WEIGHT_MAX = 16 * 1024 * 1024;
const IDS_MAX = 100_000;
/** What a person takes beside texts, roughly. */
const PERSON_WEIGHT = 200;
const VALUE_WEIGHT = 16;

export class PeopleCache {
  readonly #ids = new Generations<DistinctId>(IDS_MAX);
  readonly #persons = new Generations<Person>(PERSONS_WEIGHT_MAX);
  readonly #personless = new Generations<true>(IDS_MAX);

  /** What is remembered of those that a batch mentions, and what must be asked for. */
  split(mentioned: ReadonlyMap<number, Mentioned>): {
    known: Map<number, StoredPeople>;
    asked: Map<number, Mentioned>;
  } {
    const known = new Map<number, StoredPeople>();
    const asked = new Map<number, Mentioned>();
    for (const [team_id, { ids, linked, groups }] of mentioned) {
      const people: StoredPeople = { persons: [], distinct_ids: [], personless: [] };
      const persons = new Set<Person>();
      const unknown = new Set<string>();
      for (const distinct_id of ids) {
        // All ids of a linked person are needed, and only the database knows that they are all.
        if (linked.has(distinct_id) || !this.#recall(team_id, distinct_id, people, persons)) unknown.add(distinct_id);
      }
      people.persons.push(...persons);
      known.set(team_id, people);
      if (unknown.size > 0 || linked.size > 0) asked.set(team_id, { ids: unknown, linked, groups });
    }
    return { known, asked };
  }

  /** What a batch found, and what it has changed, once that is written. */
  remember(before: ReadonlyMap<number, ProjectBefore>, changes: ReadonlyMap<number, ProjectChanges>): void {
    for (const [team_id, { people }] of before) {
      for (const person of people.persons) this.#putPerson(team_id, person);
      for (const row of people.distinct_ids) this.#ids.put(keyOf(team_id, row.distinct_id), row, 1);
      const special = new Set(people.former_ids?.map(({ distinct_id }) => distinct_id));
      // One whose name was used before is rare; it is asked for each time.
      if ((people.uuids?.length ?? 0) > 0) continue;
      for (const id of people.personless) if (!special.has(id)) this.#personless.put(keyOf(team_id, id), true, 1);
    }
    for (const [team_id, { people }] of changes) {
      for (const person of people.persons) this.#putPerson(team_id, person);
      for (const { uuid } of people.deleted) this.#persons.delete(keyOf(team_id, uuid));
      for (const row of people.distinct_ids) {
        this.#ids.put(keyOf(team_id, row.distinct_id), row, 1);
        this.#personless.delete(keyOf(team_id, row.distinct_id));
      }
    }
  }

  clear(): void {
    for (const each of [this.#ids, this.#persons, this.#personless]) each.clear();
  }

  #recall(team_id: number, distinct_id: string, people: StoredPeople, persons: Set<Person>): boolean {
    const key = keyOf(team_id, distinct_id);
    const row = this.#ids.get(key);
    if (!row) {
      if (!this.#personless.get(key)) return false;
      people.personless.push(distinct_id);
      return true;
    }
    const person = this.#persons.get(keyOf(team_id, row.person_uuid));
    if (!person) return false;
    people.distinct_ids.push(row);
    persons.add(person);
    return true;
  }

  #putPerson(team_id: number, person: Person): void {
    const key = keyOf(team_id, person.uuid);
    if (this.#persons.get(key) !== person) this.#persons.put(key, person, weigh(person));
  }
}

const keyOf = (team_id: number, name: string): string => `${team_id} ${name}`;

function weigh({ properties }: Person): number {
  let weight = PERSON_WEIGHT;
  for (const key in properties) {
    const value = properties[key]!;
    weight += key.length + VALUE_WEIGHT;
    if (typeof value === 'string') weight += value.length;
    else if (typeof value === 'object' && value !== null) weight += JSON.stringify(value).length;
  }
  return weight;
}

/** Forgets what was not used for a while: when the young are too many they become the old, and the old are gone. */
class Generations<Value> {
  readonly #weightMax: number;
  #young = new Map<string, { value: Value; weight: number }>();
  #old = new Map<string, { value: Value; weight: number }>();
  #weight = 0;

  constructor(weightMax: number) {
    this.#weightMax = weightMax;
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young) return young.value;
    const old = this.#old.get(key);
    if (!old) return undefined;
    this.put(key, old.value, old.weight);
    return old.value;
  }

  put(key: string, value: Value, weight: number): void {
    const before = this.#young.get(key);
    this.#weight += weight - (before?.weight ?? 0);
    this.#young.set(key, { value, weight });
    if (this.#weight <= this.#weightMax) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#weight = 0;
  }

  delete(key: string): void {
    this.#weight -= this.#young.get(key)?.weight ?? 0;
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#weight = 0;
  }
}
