// A person as the pipeline will have written them, once it gets to what was accepted: by the pipeline's own rules.
import type { Pool } from 'pg';
import type { JsonObject } from '../capture/exact-json.ts';
import { decodeRecord, type EventRecord } from '../capture/record.ts';
import { partitionOf } from '../log/partition.ts';
import { loadPeople } from '../pipeline/load-people.ts';
import { readLink } from '../pipeline/merge-persons.ts';
import { PeopleLedger, type PersonEvent, type StoredPeople } from '../pipeline/people-ledger.ts';
import { type FindPlace, type PreparedEvent, type ProjectRules, prepareEvent } from '../pipeline/prepare-event.ts';
import type { AcceptedWrite, AcceptedWrites } from './accepted-writes.ts';
import type { Properties } from './evaluation/properties.ts';

export interface PreviewParts {
  pool: Pool;
  accepted: AcceptedWrites;
  findPlace: FindPlace | undefined;
}

export interface Previewed {
  team_id: number;
  distinct_id: string;
  /** Other ids of the person for which something waits. */
  siblings: readonly string[];
  settings: Readonly<Record<string, unknown>>;
}

/** People are linked to others who are linked to others; nobody follows that for ever. */
const IDS_MAX = 100;

/** Undefined when nothing waits; then what is stored is all there is. */
export async function previewPerson(
  person: Previewed,
  { pool, accepted, findPlace }: PreviewParts,
): Promise<{ properties: Properties | undefined } | undefined> {
  await accepted.settle();
  const gathered = gatherWrites(person, accepted, readRules(person.settings), findPlace ?? (() => undefined));
  if (gathered.events.length === 0) return undefined;
  // First how far the pipeline is, then the people: what is written in between is only said again.
  const recorded = await readRecorded(pool);
  const events = gathered.events.filter(({ write }) => {
    const partition = partitionOf(write.ownKey, accepted.log.partitions);
    return (write.upTo ?? 0) > (recorded.get(partition) ?? 0);
  });
  if (events.length === 0) return undefined;
  const mentioned = { ids: new Set<string>(), linked: gathered.ids, groups: new Map() };
  const people = await loadPeople(pool, new Map([[person.team_id, mentioned]]));
  const stored = people.get(person.team_id)!;
  const ledger = new PeopleLedger(person.team_id, stored);
  for (const { event } of events) ledger.apply(event as PersonEvent);
  const properties = findProperties(person.distinct_id, stored, ledger);
  // Numbers that JavaScript would round are kept as texts there; evaluation takes them as JSON has them.
  return { properties: properties && JSON.parse(JSON.stringify(properties)) };
}

interface WaitingEvent {
  write: AcceptedWrite;
  event: PreparedEvent;
}

/** What waits for the person, and for those whom it makes one with them, in the order of acceptance. */
function gatherWrites(
  { team_id, distinct_id, siblings }: Previewed,
  accepted: AcceptedWrites,
  rules: ProjectRules,
  findPlace: FindPlace,
): { ids: Set<string>; events: WaitingEvent[] } {
  const ids = new Set([distinct_id, ...siblings]);
  const events = new Map<AcceptedWrite, WaitingEvent>();
  for (const id of ids) {
    for (const write of accepted.of(team_id, id)) {
      if (write.storedAt !== undefined) continue;
      // A link waits for both of its ids.
      if (events.has(write)) continue;
      const event = prepareEvent(decodeRecord(write.value) as EventRecord, rules, findPlace);
      if ('dropped' in event || !event.update) continue;
      events.set(write, { write, event });
      const link = readLink(event.event, event.distinct_id, event.properties);
      for (const other of link && ids.size < IDS_MAX ? [link.source, link.target] : []) ids.add(other);
    }
  }
  return { ids, events: [...events.values()].sort((a, b) => a.write.order - b.write.order) };
}

export function readRules(settings: Readonly<Record<string, unknown>>): ProjectRules {
  const { anonymize_ips, person_processing_opt_out, drop_events_older_than_seconds: maxAge } = settings;
  return {
    anonymize_ips: anonymize_ips === true,
    person_processing_opt_out: person_processing_opt_out === true,
    drop_events_older_than_seconds: typeof maxAge === 'number' ? maxAge : 0,
  };
}

/** Up to where people are written, by partition, of batches whose rows may still be on their way. */
async function readRecorded(pool: Pool): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ positions: [partition: number, from: number, to: number][] }>({
    name: 'flag-recorded-batches',
    text: 'select positions from ingestion_batch order by id',
  });
  return new Map(
    rows.flatMap(({ positions }) => positions.map(([partition, , to]): [number, number] => [partition, to])),
  );
}

function findProperties(distinct_id: string, stored: StoredPeople, ledger: PeopleLedger): JsonObject | undefined {
  const changes = ledger.changes();
  const isOwn = (row: { distinct_id: string }) => row.distinct_id === distinct_id;
  const uuid = (changes.distinct_ids.find(isOwn) ?? stored.distinct_ids.find(isOwn))?.person_uuid;
  const isThem = (person: { uuid: string }) => person.uuid === uuid;
  return (changes.persons.find(isThem) ?? stored.persons.find(isThem))?.properties;
}
