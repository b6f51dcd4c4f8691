// One event as sent → one event ready for the log, or the reason to leave it out.
import { unparsable } from './capture-error.ts';
import { cutCharacters, readDistinctId } from './distinct-id.ts';
import type { CaptureDropReason, DropDetails } from './drops.ts';
import { isJsonObject, type Json, type JsonObject, ownValue, parseExact, setOwnValue } from './exact-json.ts';
import { type Member, readMembers, type ValueSpan } from './scan-json.ts';
import type { FoundTokens } from './token.ts';
import { makeUuidV7, parseUuid } from './uuid.ts';

export const EVENT_BYTES_MAX = 1_000_000;
export const NESTING_MAX = 128;
/** Longer than any timestamp that could be understood; the rest would only be carried along. */
const TIMESTAMP_CHARACTERS_MAX = 100;
/** How much of an event's texts a warning quotes. */
const QUOTED_CHARACTERS_MAX = 200;

/** An accepted event. The JSON parts are the sender's own bytes. */
export interface CapturedEvent {
  uuid: string;
  event: string;
  distinct_id: string;
  /** As sent, not yet understood. */
  timestamp?: string;
  /** Milliseconds between the event and its sending. */
  offset?: number;
  properties: Buffer;
  /** From the event's top level; `properties` may hold others of the same names. */
  $set?: Buffer;
  $set_once?: Buffer;
  /** Names; posthog-js sends them beside the properties. */
  $unset?: string[];
  /** It says nothing about its person or a group, and makes no two persons one. */
  changesNobody?: boolean;
}

export interface Dropped {
  dropped: CaptureDropReason;
  details: Omit<DropDetails, 'index'>;
}

export interface EventContext {
  /** `/engage` sends people without an event name; they are identified. */
  engage: boolean;
  nowMs: number;
  /** Keys that the event carries are added here. */
  tokens: FoundTokens;
}

const NO_PROPERTIES = Buffer.from('{}');
const CHANGES = ['$set', '$set_once', '$unset'];
const ABOUT_OTHERS = new Set(['$identify', '$create_alias', '$merge_dangerously', '$groupidentify']);

/** Reads the event in this span; its members may be given when they are known. Throws when it is not JSON. */
export function readEvent(
  bytes: Buffer,
  span: ValueSpan,
  context: EventContext,
  known?: Member[],
): CapturedEvent | Dropped {
  if (span.end - span.start > EVENT_BYTES_MAX) return { dropped: 'event_too_large', details: {} };
  if (span.depth > NESTING_MAX) {
    lookForTokens(bytes, known ?? readMembers(bytes, span), context.tokens);
    return { dropped: 'nested_too_deeply', details: {} };
  }
  const text = bytes.toString('utf8', span.start, span.end);
  const sent = parseJson(text);
  if (!isJsonObject(sent)) return { dropped: 'not_an_object', details: {} };

  const rawProperties = ownValue(sent, 'properties');
  const properties = isJsonObject(rawProperties) ? rawProperties : {};
  context.tokens.look(sent, properties);

  const event = ownValue(sent, 'event') ?? (context.engage ? '$identify' : undefined);
  const distinct_id = readDistinctId(...exactly(sent, properties, text));
  const uuid = readUuid(ownValue(sent, 'uuid'), context.nowMs);
  const drop = (dropped: CaptureDropReason): Dropped => ({ dropped, details: quote({ event, distinct_id, uuid }) });

  if (typeof event !== 'string' || event === '') return drop('missing_event_name');
  if (event === '$performance_event') return drop('performance_event');
  if (distinct_id === undefined) return drop('missing_distinct_id');
  if (uuid === undefined) return drop('invalid_uuid');
  if (!isAbsentOrObject(rawProperties)) return drop('invalid_properties');
  const cookieless = ownValue(properties, '$cookieless_mode');
  if (cookieless !== undefined && typeof cookieless !== 'boolean') return drop('invalid_cookieless_mode');

  const captured: CapturedEvent = { uuid, event, distinct_id, properties: NO_PROPERTIES };
  const says = (key: string) => Object.hasOwn(sent, key) || Object.hasOwn(properties, key);
  if (!ABOUT_OTHERS.has(event) && !CHANGES.some(says)) captured.changesNobody = true;
  const timestamp = readTimestamp(ownValue(sent, 'timestamp'));
  if (timestamp !== undefined) captured.timestamp = timestamp;
  const offset = ownValue(sent, 'offset');
  if (typeof offset === 'number') captured.offset = offset;
  const unset = readNames(ownValue(sent, '$unset'));
  if (unset.length > 0) captured.$unset = unset;
  // The last of several members with one key wins, as it does in `JSON.parse`.
  for (const { key, value } of known ?? readMembers(bytes, span)) {
    if (key === 'properties' || key === '$set' || key === '$set_once') {
      if (isJsonObject(ownValue(sent, key))) captured[key] = bytes.subarray(value.start, value.end);
    }
  }
  return captured;
}

/** An event that is not read still says whose it is; its members are looked at without parsing what is nested. */
function lookForTokens(bytes: Buffer, members: readonly Member[], tokens: FoundTokens): void {
  const texts = (from: readonly Member[]): JsonObject => {
    const found: JsonObject = {};
    for (const { key, value } of from) {
      if (value.depth === 0) setOwnValue(found, key, parseJson(bytes.toString('utf8', value.start, value.end)));
    }
    return found;
  };
  const properties = members.findLast(({ key, value }) => key === 'properties' && bytes[value.start] === OPEN_BRACE);
  tokens.look(texts(members), properties && texts(readMembers(bytes, properties.value)));
}

const OPEN_BRACE = 0x7b;

/** Names in an array, or the keys of an object. */
export function readNames(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.filter((name) => typeof name === 'string');
  return isJsonObject(value) ? Object.keys(value) : [];
}

export function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unparsable((error as SyntaxError).message);
  }
}

/** An id that is not a text is read again with exact numbers: 9007199254740993 and …992 are two people. */
function exactly(sent: JsonObject, properties: JsonObject, text: string): [JsonObject, JsonObject] {
  const ids = [ownValue(sent, 'distinct_id'), ownValue(sent, '$distinct_id'), ownValue(properties, 'distinct_id')];
  if (ids.every((id) => typeof id === 'string' || id === undefined || id === null)) return [sent, properties];
  const exact = parseExact(text) as JsonObject;
  const exactProperties = ownValue(exact, 'properties');
  return [exact, isJsonObject(exactProperties) ? exactProperties : {}];
}

/** The client's id, or a new one when it sent none; undefined when what it sent is none. */
function readUuid(value: Json | undefined, nowMs: number): string | undefined {
  if (value === undefined || value === null || value === '') return makeUuidV7(nowMs);
  return typeof value === 'string' ? parseUuid(value) : undefined;
}

/** A timestamp of another type is carried along as text, so that a number works and anything else leaves a warning. */
function readTimestamp(value: Json | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return cutCharacters(typeof value === 'string' ? value : JSON.stringify(value), TIMESTAMP_CHARACTERS_MAX);
}

/** PHP writes an empty object as `[]`. */
function isAbsentOrObject(value: Json | undefined): boolean {
  if (value === undefined || value === null || isJsonObject(value)) return true;
  return Array.isArray(value) && value.length === 0;
}

function quote(given: {
  event: Json | undefined;
  distinct_id: string | undefined;
  uuid: string | undefined;
}): Dropped['details'] {
  const details: Dropped['details'] = {};
  if (typeof given.event === 'string') details.event = cutCharacters(given.event, QUOTED_CHARACTERS_MAX);
  if (given.distinct_id !== undefined) details.distinct_id = given.distinct_id;
  if (given.uuid !== undefined) details.uuid = given.uuid;
  return details;
}
