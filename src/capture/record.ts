// What stands in the event log: JSON documents that anyone can read, one for each accepted event.
//
// `properties`, `$set` and `$set_once` stand behind everything else, and their sizes before them. So their bytes, which
// are the sender's own, are copied in and cut out without being parsed, and properties come back exactly as they were
// sent: numbers of any length, key order, keys given twice, escapes and all. Events that are left out at the door have
// records too, so that they are counted where the others are.
import type { CaptureDrop } from './drops.ts';
import { type JsonObject, parseExact } from './exact-json.ts';
import type { CapturedEvent } from './read-event.ts';

/** What all events of one request share. */
export interface RequestFacts {
  team_id: number;
  /** When the server received it, milliseconds since 1970. */
  now: number;
  sent_at: string | undefined;
  /** The sender's address. */
  ip: string | undefined;
  historical_migration: boolean;
}

export interface EventRecord extends RequestFacts {
  kind: 'event';
  uuid: string;
  event: string;
  distinct_id: string;
  timestamp: string | undefined;
  offset: number | undefined;
  /** The top-level ones. */
  $set: JsonObject | undefined;
  $set_once: JsonObject | undefined;
  $unset: string[] | undefined;
  /** JSON text of an object, as sent. */
  properties: Buffer;
}

export interface DropRecord extends CaptureDrop {
  kind: 'drop';
  team_id: number;
  now: number;
}

export type LogRecord = EventRecord | DropRecord;

const PROPERTIES = ',"properties":';
const SET = ',"$set":';
const SET_ONCE = ',"$set_once":';
const CLOSE = '}';

/** Encodes the events of one request; what they share is written once and copied. */
export function eventEncoder(facts: RequestFacts): (event: CapturedEvent) => Buffer {
  const { team_id, now, sent_at, ip, historical_migration } = facts;
  let shared = `{"team_id":${team_id},"now":${now}`;
  if (sent_at !== undefined) shared += `,"sent_at":${JSON.stringify(sent_at)}`;
  if (ip !== undefined) shared += `,"ip":${JSON.stringify(ip)}`;
  if (historical_migration) shared += ',"historical_migration":true';
  return ({ uuid, event, distinct_id, timestamp, offset, properties, $set, $set_once, $unset }) => {
    let head = `${shared},"uuid":"${uuid}","event":${JSON.stringify(event)},"distinct_id":${JSON.stringify(distinct_id)}`;
    if (timestamp !== undefined) head += `,"timestamp":${JSON.stringify(timestamp)}`;
    if (offset !== undefined) head += `,"offset":${offset}`;
    if ($unset !== undefined) head += `,"unset":${JSON.stringify($unset)}`;
    head += `,"sizes":[${properties.length},${$set?.length ?? 0},${$set_once?.length ?? 0}]`;
    const tail = ($set ? SET + $set.toString() : '') + ($set_once ? SET_ONCE + $set_once.toString() : '') + CLOSE;
    return frame(head + PROPERTIES, properties, tail);
  };
}

function frame(head: string, middle: Buffer, tail: string): Buffer {
  const headBytes = Buffer.byteLength(head);
  const record = Buffer.allocUnsafe(headBytes + middle.length + Buffer.byteLength(tail));
  record.write(head);
  record.set(middle, headBytes);
  record.write(tail, headBytes + middle.length);
  return record;
}

export function encodeDrop(drop: CaptureDrop, { team_id, now }: Pick<RequestFacts, 'team_id' | 'now'>): Buffer {
  return Buffer.from(JSON.stringify({ team_id, now, drop }));
}

type EventHead = Omit<EventRecord, 'kind' | 'properties' | '$set' | '$set_once' | '$unset'> & {
  unset?: string[];
  sizes: [number, number, number];
};

/** The record in these bytes; `properties` is a view into them. Throws on bytes that were not encoded here. */
export function decodeRecord(bytes: Buffer): LogRecord {
  // Before the properties stand only numbers, texts and lists of them, and a quote inside a text is escaped: the first find is right.
  const headEnd = bytes.indexOf(PROPERTIES);
  if (headEnd === -1) return decodeDrop(bytes);
  const head: EventHead = JSON.parse(bytes.toString('utf8', 0, headEnd) + CLOSE);
  const [propertiesBytes, setBytes, setOnceBytes] = head.sizes;
  const propertiesAt = headEnd + PROPERTIES.length;
  const setAt = propertiesAt + propertiesBytes + SET.length;
  const setOnceAt = propertiesAt + propertiesBytes + (setBytes && SET.length + setBytes) + SET_ONCE.length;
  return {
    kind: 'event',
    team_id: head.team_id,
    now: head.now,
    sent_at: head.sent_at,
    ip: head.ip,
    historical_migration: head.historical_migration === true,
    uuid: head.uuid,
    event: head.event,
    distinct_id: head.distinct_id,
    timestamp: head.timestamp,
    offset: head.offset,
    $set: setBytes > 0 ? parseObject(bytes, setAt, setBytes) : undefined,
    $set_once: setOnceBytes > 0 ? parseObject(bytes, setOnceAt, setOnceBytes) : undefined,
    $unset: head.unset,
    properties: bytes.subarray(propertiesAt, propertiesAt + propertiesBytes),
  };
}

/** Whose it was and when it came stands at the beginning of every record. */
const BEGINNING = /^\{"team_id":(\d{1,10}),"now":(\d{1,15})[,}]/;
const BEGINNING_BYTES = 60;

/** What is left to say of bytes that `decodeRecord` cannot read; undefined when they do not even tell whose they were. */
export function salvageRecord(bytes: Buffer): DropRecord | undefined {
  const found = BEGINNING.exec(bytes.toString('latin1', 0, BEGINNING_BYTES));
  if (!found) return undefined;
  const [, team_id, now] = found;
  const drop: CaptureDrop = { reason: 'unreadable_record', count: 1, details: { index: 0 } };
  return { kind: 'drop', team_id: Number(team_id), now: Number(now), ...drop };
}

function decodeDrop(bytes: Buffer): DropRecord {
  const { team_id, now, drop }: Omit<DropRecord, 'kind'> & { drop: CaptureDrop } = JSON.parse(bytes.toString());
  return { kind: 'drop', team_id, now, ...drop };
}

function parseObject(bytes: Buffer, start: number, length: number): JsonObject {
  return parseExact(bytes.toString('utf8', start, start + length)) as JsonObject;
}
