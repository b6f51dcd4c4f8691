// A settled event as a row of the event store.
import type { JsonObject } from '../capture/exact-json.ts';
import { toReadableJson } from '../store/tables/readable-json.ts';
import type { EventRow } from '../store/tables/rows.ts';
import { readElementsChain } from './elements-chain.ts';
import { patchProperties } from './patch-properties.ts';
import type { PersonOnEvent } from './people-ledger.ts';
import type { PreparedEvent, ProjectRules } from './prepare-event.ts';
import { reservedChanges } from './reserved-properties.ts';
import { toStorableText } from './storable-json.ts';

/** What a row has only once its batch is recorded. */
export type UnstampedRow = Omit<EventRow, 'inserted_at' | 'created_at' | 'batch_id'>;

export interface SettledEvent {
  prepared: PreparedEvent;
  person: PersonOnEvent;
  /** `$group_0` … */
  groups: JsonObject;
  rules: ProjectRules;
  partition: number;
  position: number;
}

const NO_PLACE: JsonObject = {};

export function buildRow({ prepared, person, groups, rules, partition, position }: SettledEvent): UnstampedRow {
  const { record, properties } = prepared;
  const changes = reservedChanges({
    event: prepared.event,
    properties,
    ip: record.ip,
    sent_at: record.sent_at,
    anonymize_ips: rules.anonymize_ips,
    update: prepared.update,
    groups,
    geoip: prepared.place?.properties ?? NO_PLACE,
  });
  const sent = patchProperties(prepared.text, properties, changes);
  const readable = prepared.plain ? sent : toReadableJson(sent);
  return {
    uuid: prepared.uuid,
    event: prepared.event,
    properties: readable,
    properties_sent: readable === sent ? '' : sent,
    timestamp: prepared.timestamp,
    team_id: record.team_id,
    distinct_id: prepared.distinct_id,
    elements_chain: '$elements' in properties || '$elements_chain' in properties ? elementsChain(properties) : '',
    person_id: person.person_id,
    person_created_at: Math.floor(person.person_created_at / 1_000),
    person_properties: personText(person.person_properties),
    person_mode: person.person_mode,
    historical_migration: record.historical_migration,
    log_partition: partition,
    log_position: position,
  };
}

const elementsChain = (properties: JsonObject): string => toStorableText(readElementsChain(properties));

/** Most events show their person as the one before did: the text is made once for each state of a person. */
const texts = new WeakMap<JsonObject, string>();

export function personText(properties: JsonObject): string {
  let text = texts.get(properties);
  if (text === undefined) {
    text = toReadableJson(JSON.stringify(properties));
    texts.set(properties, text);
  }
  return text;
}
