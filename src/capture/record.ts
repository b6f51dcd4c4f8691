// What stands in the event log: JSON documents that anyone can read, one for each accepted event.
//
// `properties` is always the last member of an event's record. So its bytes, which are the sender's own, can be copied
// in and cut out without being parsed, and come back exactly as they were sent: numbers of any length, key order,
// keys given twice, escapes and all. Events left out at the door have records too; they are counted where the others are.
import type { CaptureDrop } from './drops.ts';
import { isJsonObject, type JsonObject, parseExact } from './exact-json.ts';
import type { CapturedEvent } from './read-event.ts';
import { JsonCursor } from './scan-json.ts';

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
const CLOSE = 0x7d;

export function encodeEvent(event: CapturedEvent, facts: RequestFacts): Buffer {
  const { properties, $set, $set_once, ...fields } = event;
  // Undefined members vanish, and so does a flag that is nearly always false.
  const plain = { ...facts, historical_migration: facts.historical_migration || undefined, ...fields };
  let head = JSON.stringify(plain).slice(0, -1);
  if ($set) head += `,"$set":${$set.toString()}`;
  if ($set_once) head += `,"$set_once":${$set_once.toString()}`;
  head += PROPERTIES;
  const headBytes = Buffer.byteLength(head);
  const record = Buffer.allocUnsafe(headBytes + properties.length + 1);
  record.write(head, 0, 'utf8');
  record.set(properties, headBytes);
  record[record.length - 1] = CLOSE;
  return record;
}

export function encodeDrop(drop: CaptureDrop, { team_id, now }: Pick<RequestFacts, 'team_id' | 'now'>): Buffer {
  return Buffer.from(JSON.stringify({ team_id, now, drop }));
}

/** The record in these bytes; `properties` is a view into them. Throws on bytes that `encode…` did not write. */
export function decodeRecord(bytes: Buffer): LogRecord {
  const propertiesAt = findProperties(bytes);
  const head = bytes.toString('utf8', 0, propertiesAt ?? bytes.length);
  const plain = parseExact(propertiesAt === undefined ? head : `${head.slice(0, -PROPERTIES.length)}}`);
  if (!isJsonObject(plain)) throw new Error('A log record must be a JSON object.');
  const { team_id, now } = plain as unknown as RequestFacts;
  if (propertiesAt === undefined) return { kind: 'drop', team_id, now, ...(plain.drop as unknown as CaptureDrop) };
  const { uuid, event, distinct_id, sent_at, ip, timestamp, offset, $set, $set_once } = plain as unknown as EventRecord;
  return {
    kind: 'event',
    team_id,
    now,
    sent_at,
    ip,
    historical_migration: plain.historical_migration === true,
    uuid,
    event,
    distinct_id,
    timestamp,
    offset,
    $set,
    $set_once,
    properties: bytes.subarray(propertiesAt, -1),
  };
}

/** Where the value of the top-level member `properties` begins. */
function findProperties(bytes: Buffer): number | undefined {
  const cursor = new JsonCursor(bytes);
  for (let more = cursor.enter(); more; more = cursor.another('}')) {
    if (cursor.key() === 'properties') return cursor.at;
    cursor.value();
  }
  return undefined;
}
