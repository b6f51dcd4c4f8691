// What can be said of an event by itself, before anybody looks at its person: the steps in their order.
import { isPlainJson, type Json, type JsonObject, ownValue, parseExact } from '../capture/exact-json.ts';
import type { EventRecord } from '../capture/record.ts';
import type { PipelineDropReason } from './drop-reasons.ts';
import { settleEventName } from './event-name.ts';
import { type GeoipProperties, geoipProperties, type Place } from './geoip-properties.ts';
import { type GroupUpdate, readGroupUpdate } from './groups.ts';
import type { Micros } from './parse-timestamp.ts';
import { decidePersonProcessing } from './person-processing.ts';
import { type PersonUpdate, readPersonUpdate } from './person-update.ts';
import { eventAddress } from './reserved-properties.ts';
import { settleTimestamp } from './settle-timestamp.ts';
import { isSurelyStorable } from './storable-json.ts';
import type { Warning } from './warnings.ts';

/** What a project decides about its events. */
export interface ProjectRules {
  anonymize_ips: boolean;
  person_processing_opt_out: boolean;
  /** 0: events of any age are stored. */
  drop_events_older_than_seconds: number;
}

export type FindPlace = (address: string) => Place | undefined;

export interface PreparedEvent {
  record: EventRecord;
  uuid: string;
  /** As it is stored. */
  event: string;
  distinct_id: string;
  timestamp: Micros;
  /** The text that was sent, and its parsed form. */
  text: string;
  properties: JsonObject;
  /** Nothing in what was sent needs care: the stored text is one that the engine can read. */
  plain: boolean;
  /** Undefined for an event without a person. */
  update: PersonUpdate | undefined;
  place: GeoipProperties | undefined;
  groupUpdate: GroupUpdate | undefined;
  warnings: Warning[];
}

export interface DroppedEvent {
  dropped: PipelineDropReason;
  /** Undefined where nobody needs to be told. */
  warning: Warning | undefined;
}

const drop = (dropped: PipelineDropReason, warning?: Warning): DroppedEvent => ({ dropped, warning });

export function prepareEvent(
  record: EventRecord,
  rules: ProjectRules,
  findPlace: FindPlace,
): PreparedEvent | DroppedEvent {
  const { uuid, distinct_id } = record;
  const text = record.properties.toString();
  const plain = isPlainJson(text);
  const properties = (plain ? JSON.parse(text) : parseExact(text)) as JsonObject;
  const warnings: Warning[] = [];
  const event = settleEventName(record.event);
  const about = { eventUuid: uuid, event, distinctId: distinct_id };

  if (ownValue(properties, '$cookieless_mode') === true) {
    return drop('cookieless_not_supported', { type: 'cookieless_not_supported', details: about });
  }
  const processing = decidePersonProcessing({ event, distinct_id, uuid, properties }, rules.person_processing_opt_out);
  if ('dropped' in processing) return drop(processing.dropped, processing.warning);
  const hasPerson = processing.person === 'full';
  if (hasPerson && processing.warning) warnings.push(processing.warning);

  if (event === '$$client_ingestion_warning') {
    const message: Json = ownValue(properties, '$$client_ingestion_warning_message') ?? null;
    return drop('client_ingestion_warning', { type: 'client_ingestion_warning', details: { ...about, message } });
  }
  if (event === '$$heatmap') {
    return drop('heatmap_not_supported', { type: 'heatmap_not_supported', details: about });
  }

  const time = settleTimestamp({
    now: record.now,
    sent_at: record.sent_at,
    timestamp: record.timestamp,
    offset: record.offset,
    ignore_sent_at: ownValue(properties, '$ignore_sent_at') === true,
  });
  const { timestamp } = time;
  if (time.warning) warnings.push({ ...time.warning, details: { ...about, ...time.warning.details } });
  const maxAge = rules.drop_events_older_than_seconds;
  if (maxAge > 0 && record.now * 1_000 - timestamp > maxAge * 1_000_000) {
    const details = { ...about, timestamp: timestamp / 1_000, maxAgeSeconds: maxAge };
    return drop('event_dropped_too_old', { type: 'event_dropped_too_old', details });
  }

  const groups = event === '$groupidentify' ? readGroupUpdate(properties) : undefined;
  if (groups && 'dropped' in groups) {
    return drop(groups.dropped, { ...groups.warning, details: { ...about, ...groups.warning.details } });
  }

  const place = locate(record, properties, findPlace);
  const { $set, $set_once, $unset } = record;
  const whole = plain && !$set && !$set_once && !$unset;
  const storable = whole || (!$set && !$set_once && isSurelyStorable(text));
  const update = hasPerson
    ? readPersonUpdate({ event, properties, $set, $set_once, $unset }, { place, timestamp, storable })
    : undefined;
  return {
    record,
    uuid,
    event,
    distinct_id,
    timestamp,
    text,
    properties,
    plain: whole,
    update,
    place,
    groupUpdate: groups,
    warnings,
  };
}

function locate(record: EventRecord, properties: JsonObject, findPlace: FindPlace): GeoipProperties | undefined {
  if (ownValue(properties, '$geoip_disable') === true) return undefined;
  const address = eventAddress(properties, record.ip);
  const place = address === undefined ? undefined : findPlace(address);
  return place && geoipProperties(place);
}
