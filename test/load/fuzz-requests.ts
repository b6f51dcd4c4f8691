// Seeded nonsense for the public endpoints: events of random shape in random wrappings, with random damage.
import { toRawRequest, wrappings } from '../../src/capture/decode-body.cases.ts';
import type { Random } from '../random.ts';
import type { Sending } from './send.ts';

const PATHS = ['/capture/', '/batch/', '/e/', '/i/v0/e/', '/track/', '/engage/', '/s/', '/capture', '/batch'];
const SCALARS = [
  'null',
  'true',
  '0',
  '-0',
  '1.0',
  '1e999',
  '12345678901234567890',
  '""',
  '"x"',
  '"\\u0000"',
  '"\\ud800"',
];
const KEYS = [
  ...['event', 'distinct_id', '$distinct_id', 'token', 'api_key', 'properties', 'batch', 'uuid', 'timestamp', 'offset'],
  ...['$set', '$set_once', '$unset', '$groups', 'sent_at', 'historical_migration', '__proto__', 'constructor', ''],
  ...['$anon_distinct_id', 'alias', '$process_person_profile', '$ip', '$session_id', '$elements', 'a\\u0062'],
];
const NAMES = [
  'viewed',
  '$identify',
  '$create_alias',
  '$merge_dangerously',
  '$groupidentify',
  '$set',
  '$autocapture',
  '',
];
const HEADERS: readonly Record<string, string>[] = [
  {},
  {},
  { 'x-forwarded-for': "1.2.3.4, ' or 1=1" },
  { 'x-forwarded-for': '::ffff:999.1.1.1' },
  { origin: 'null' },
  { expect: '100-continue' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'br' },
];

export function fuzzRequest(random: Random, token: string): Sending {
  const raw = toRawRequest(random.pick(wrappings).wrap(anyJson(random, token)));
  const body = random.chance(0.3) ? damage(raw.body, random) : raw.body;
  const query = new URLSearchParams({
    ...(raw.data !== undefined && { data: raw.data }),
    ...(raw.compression !== undefined && { compression: raw.compression }),
    ...(random.chance(0.2) && {
      [random.pick(['_', 'sent_at', 'beacon', 'ver', 'ip'])]: random.pick(['1', '-1', 'x', '']),
    }),
  });
  return {
    path: `${random.pick(PATHS)}?${query}`,
    headers: {
      ...(raw.content_type && { 'content-type': raw.content_type }),
      ...(raw.content_encoding && { 'content-encoding': raw.content_encoding }),
      ...random.pick(HEADERS),
    },
    body,
  };
}

function anyJson(random: Random, token: string): string {
  const events = Array.from({ length: random.int(5) }, () => anyEvent(random)).join(',');
  const kind = random.int(10);
  if (kind === 0) return random.bytes(random.int(200)).toString('latin1');
  if (kind === 1) return anyValue(random, 5);
  if (kind === 2) return `[${events}]`;
  if (kind < 6) return `{"api_key":"${token}",${anyEvent(random).slice(1)}`;
  return `{"api_key":"${token}","batch":[${events}]}`;
}

function anyEvent(random: Random): string {
  if (random.chance(0.2)) return anyValue(random, 4).replace(/^(?!\{).*$/s, '{}');
  const properties = random.chance(0.8) ? anyObject(random, 3) : anyValue(random, 3);
  return `{"event":"${random.pick(NAMES)}","distinct_id":"fuzzed ${random.int(9)}","properties":${properties}}`;
}

function anyValue(random: Random, depth: number): string {
  if (depth === 0 || random.chance(0.4)) return random.pick(SCALARS);
  if (random.chance(0.4))
    return `[${Array.from({ length: random.int(5) }, () => anyValue(random, depth - 1)).join(',')}]`;
  return anyObject(random, depth);
}

function anyObject(random: Random, depth: number): string {
  const member = () => `"${random.pick(KEYS)}":${anyValue(random, depth - 1)}`;
  return `{${Array.from({ length: random.int(6) }, member).join(random.pick([',', ' , ']))}}`;
}

/** Flips, drops, doubles and cuts bytes. */
function damage(bytes: Buffer, random: Random): Buffer {
  const at = random.int(bytes.length);
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (random.int(4)) {
    case 0:
      return head;
    case 1:
      return Buffer.concat([head, tail.subarray(1)]);
    case 2:
      return Buffer.concat([head, tail, tail]);
    default:
      return Buffer.concat([head, random.bytes(1), tail.subarray(1)]);
  }
}
