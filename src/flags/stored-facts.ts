// What is stored about the people and groups that requests name: read in few statements, and never waited for long.
import type { Pool } from 'pg';
import type { FindPlace } from '../pipeline/prepare-event.ts';
import type { Logger } from '../platform/logger.ts';
import type { AcceptedWrites } from './accepted-writes.ts';
import { coalesce } from './coalesce.ts';
import type { Properties } from './evaluation/properties.ts';
import { FRESH_MS, IDS_MAX, PeopleCache } from './people-cache.ts';
import { previewGroup } from './preview-group.ts';
import { previewPerson, readRules } from './preview-person.ts';

export interface PersonQuestion {
  team_id: number;
  distinct_id: string;
  /** The project's: some decide what events say about people. */
  settings: Readonly<Record<string, unknown>>;
  /** Whether cohort membership and hashed ids are asked for, too. */
  membership: boolean;
  hashKeys: boolean;
}

export interface PersonFacts {
  /** Undefined: there is no such person. */
  properties: Properties | undefined;
  cohorts: ReadonlySet<number>;
  /** By flag key. */
  hashKeys: ReadonlyMap<string, string>;
}

export interface GroupQuestion {
  team_id: number;
  settings: Readonly<Record<string, unknown>>;
  group_type: string;
  group_type_index: number;
  group_key: string;
}

/** Questions whose answer is undefined when PostgreSQL does not give one in time. */
export interface StoredFacts {
  /** The same object as before while the person is the same, as long as they are remembered. */
  person(question: PersonQuestion): Promise<PersonFacts | undefined> | PersonFacts;
  group(question: GroupQuestion): Promise<{ properties: Properties | undefined } | undefined>;
  close(): void;
}

/** SDKs give up after three seconds; a partial answer long before is worth more. */
const ANSWER_MS_MAX = 500;
/** After a failure nobody waits again for so long. */
const REST_MS = 250;
const IDS_READ_MAX = IDS_MAX + 1;
/** While two statements are under way the next one gathers: one alone would keep everybody waiting when it is slow. */
const LIMITS = { runningMax: 2, questionsMax: 200 };
/** Early enough that nobody lapses while they are looked at. */
const LOOK_EVERY_MS = 0.6 * FRESH_MS;
/** A statement that looks at so many takes a few milliseconds. */
const LOOKED_AT_MAX = 1_000;

/** Which person this is and how often they have changed; null for nobody. */
const VERSION = "person.id || ' ' || person.version";

interface PersonRow {
  version: string | null;
  properties: Properties | null;
  cohorts: number[] | null;
  hash_keys: Record<string, string> | null;
  /** All ids of the person; null when there are too many, or none is stored. */
  distinct_ids: string[] | null;
}

// When two ids of one person were hashed differently before they were merged, the older one stays.
const PERSONS = `
  select ${VERSION} as version, person.properties,
         case when asked.membership and person.uuid is not null then (
           select array_agg(distinct cohort_id)
             from person_distinct_id as own
             join cohort_member as member using (team_id, distinct_id)
            where own.team_id = asked.team_id and own.person_uuid = person.uuid
         ) end as cohorts,
         case when asked.hash_keys then (
           select jsonb_object_agg(flag_key, hash_key order by created_at desc)
             from flag_hash_key as kept
            where kept.team_id = asked.team_id
              and (kept.distinct_id = asked.distinct_id
                   or kept.distinct_id in (select own.distinct_id from person_distinct_id as own
                                            where own.team_id = asked.team_id and own.person_uuid = person.uuid))
         ) end as hash_keys,
         array(select own.distinct_id from person_distinct_id as own
                where own.team_id = asked.team_id and own.person_uuid = person.uuid
                limit ${IDS_READ_MAX}) as distinct_ids
    from unnest($1::int[], $2::text[], $3::bool[], $4::bool[])
           with ordinality as asked (team_id, distinct_id, membership, hash_keys, place)
    left join person_distinct_id as id using (team_id, distinct_id)
    left join person on person.team_id = asked.team_id and person.uuid = id.person_uuid
   order by asked.place`;

const CHANGED_PERSONS = `
  select asked.place::int - 1 as place
    from unnest($1::int[], $2::text[], $3::text[]) with ordinality as asked (team_id, distinct_id, version, place)
    left join person_distinct_id as id using (team_id, distinct_id)
    left join person on person.team_id = asked.team_id and person.uuid = id.person_uuid
   where ${VERSION} is distinct from asked.version`;

const GROUPS = `
  select properties
    from unnest($1::int[], $2::int[], $3::text[]) with ordinality as asked (team_id, group_type_index, group_key, place)
    left join groups using (team_id, group_type_index, group_key)
   order by place`;

interface Stored extends PersonFacts {
  version: string | null;
  distinct_ids: readonly string[];
}

export interface FactsParts {
  pool: Pool;
  /** What is accepted and not stored yet. */
  accepted: AcceptedWrites;
  findPlace: FindPlace | undefined;
  /** How long anybody waits for what is stored. */
  answerMsMax?: number | undefined;
  log: Logger;
}

export function openStoredFacts(parts: FactsParts, now: () => number = Date.now): StoredFacts {
  const { pool, accepted, answerMsMax = ANSWER_MS_MAX, log } = parts;
  let restUntil = 0;

  /** Asks, unless PostgreSQL has just failed; gives up when it takes too long. */
  async function inTime<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
    if (now() < restUntil) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${answerMsMax} ms`)), answerMsMax);
    });
    try {
      return await Promise.race([ask(), late]);
    } catch (error) {
      if (now() >= restUntil) log.warn({ err: error }, 'flags are answered without what is stored about people');
      restUntil = now() + REST_MS;
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  async function query<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    // `query_timeout` lets go of a connection that no longer answers; the published types do not know it here.
    const statement = { name, text, values, query_timeout: 2 * answerMsMax };
    return (await pool.query<Row>(statement)).rows;
  }

  const people = new PeopleCache<Stored>(accepted);

  const askPerson = coalesce<PersonQuestion, Stored>(async (questions) => {
    const rows = await query<PersonRow>('flag-persons', PERSONS, [
      questions.map(({ team_id }) => team_id),
      questions.map(({ distinct_id }) => storable(distinct_id)),
      questions.map(({ membership }) => membership),
      questions.map(({ hashKeys }) => hashKeys),
    ]);
    return rows.map(({ version, properties, cohorts, hash_keys, distinct_ids }) => ({
      version,
      properties: properties ?? undefined,
      cohorts: new Set(cohorts),
      hashKeys: new Map(Object.entries(hash_keys ?? {})),
      distinct_ids: distinct_ids ?? [],
    }));
  }, LIMITS);

  /** Who has not changed stays the object that they were, for whatever is kept beside it. */
  function sameAsBefore({ team_id, distinct_id }: PersonQuestion, stored: Stored): Stored {
    const before = people.findFormer(team_id, distinct_id);
    return before?.version === stored.version ? before : stored;
  }

  /** What is stored, and on top of it what was accepted and is not stored yet. */
  async function knowPerson(question: PersonQuestion): Promise<PersonFacts> {
    const { team_id, distinct_id } = question;
    const readAt = performance.now();
    const stored = await askPerson(question);
    const { distinct_ids } = stored;
    const ids = distinct_ids.includes(distinct_id) ? distinct_ids : [distinct_id, ...distinct_ids];
    if (ids.every((id) => accepted.of(team_id, id).every(({ storedAt = Infinity }) => storedAt < readAt))) {
      if (question.membership || question.hashKeys) return stored;
      const facts = sameAsBefore(question, stored);
      people.keep({ team_id, distinct_id, distinct_ids: ids, facts, readAt });
      return facts;
    }
    const preview = await previewPerson({ ...question, siblings: distinct_ids }, parts);
    // What waited when the reading began may be stored by now, and was not read then.
    return preview ? { ...stored, properties: preview.properties } : await askPerson(question);
  }

  /** Nothing is kept of cohorts and of what was hashed: those change without an event. */
  const findKept = ({ team_id, distinct_id, membership, hashKeys }: PersonQuestion) =>
    membership || hashKeys ? undefined : people.find(team_id, distinct_id);

  /** Who goes on being asked about is not read again, but looked at: nearly nobody has changed. */
  async function lookAgain(): Promise<void> {
    const expected = people.listExpected();
    for (let from = 0; from < expected.length; from += LOOKED_AT_MAX) {
      const some = expected.slice(from, from + LOOKED_AT_MAX);
      const seenAt = performance.now();
      const changed = await query<{ place: number }>('flag-changed-persons', CHANGED_PERSONS, [
        some.map(({ team_id }) => team_id),
        some.map(({ distinct_id }) => storable(distinct_id)),
        some.map(({ facts }) => facts.version),
      ]);
      const places = new Set(changed.map(({ place }) => place));
      for (const [place, entry] of some.entries()) {
        if (places.has(place)) people.end(entry);
        else people.confirm(entry, seenAt);
      }
    }
  }

  let isLooking = false;
  const lookLater = async () => {
    if (isLooking) return;
    isLooking = true;
    await lookAgain().catch((error) => log.debug({ err: error }, 'people whom flags are about were not looked at'));
    isLooking = false;
  };
  const timer = setInterval(lookLater, LOOK_EVERY_MS);
  timer.unref();

  const askGroup = coalesce<GroupQuestion, { properties: Properties | undefined }>(async (questions) => {
    const rows = await query<{ properties: Properties | null }>('flag-groups', GROUPS, [
      questions.map(({ team_id }) => team_id),
      questions.map(({ group_type_index }) => group_type_index),
      questions.map(({ group_key }) => storable(group_key)),
    ]);
    return rows.map(({ properties }) => ({ properties: properties ?? undefined }));
  }, LIMITS);

  async function knowGroup(question: GroupQuestion): Promise<{ properties: Properties | undefined }> {
    const { team_id, group_type, group_key, settings } = question;
    const readAt = performance.now();
    const { properties } = await askGroup(question);
    const waiting = accepted
      .ofGroup(team_id, group_type, group_key)
      .filter(({ storedAt = Infinity }) => storedAt >= readAt);
    return { properties: previewGroup(properties, waiting, readRules(settings), parts.findPlace) };
  }

  return {
    person: (question) => findKept(question) ?? inTime(() => knowPerson(question)),
    group: (question) => inTime(() => knowGroup(question)),
    close: () => clearInterval(timer),
  };
}

/** PostgreSQL holds no NUL, so nobody stored has an id with one; the others of the statement must not suffer. */
const storable = (text: string) => text.replaceAll('\0', '\ufffd');

/** Keeps which id was hashed for somebody. Whoever came first stays. */
export async function insertHashKeys(
  pool: Pool,
  { team_id, distinct_id, hash_key }: { team_id: number; distinct_id: string; hash_key: string },
  flag_keys: readonly string[],
): Promise<void> {
  const text = `
    insert into flag_hash_key (team_id, distinct_id, flag_key, hash_key)
    select $1, $2, flag_key, $3 from unnest($4::text[]) as flag_key
        on conflict do nothing`;
  await pool.query({
    name: 'flag-hash-keys',
    text,
    values: [team_id, storable(distinct_id), storable(hash_key), flag_keys],
  });
}
