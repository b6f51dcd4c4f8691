// Requests that nobody means well with, one for each way of being hostile that capture is prepared for.
import zlib from 'node:zlib';
import { compressLzBase64 } from '../reference/lz-compress.ts';
import type { Sending } from './send.ts';

export interface Hostile extends Sending {
  name: string;
  /** The answers that are right. */
  answers: readonly number[];
}

const MB = 1024 * 1024;
const ACCEPTED = [200];
/** A request that is cut off while it is still being sent may lose its answer with the connection. */
const REFUSED = [400, 401, 413, 0];
const TOO_LARGE = [413];
const EITHER = [200, 400, 413];

/** `scale` 1 is as large as capture takes anything at all. */
export function listHostile(token: string, scale: number): Hostile[] {
  return [...listBombs(scale), ...listShapes(token, scale), ...listValues(token), ...listWrongTypes(token)];
}

const post = (body: Buffer | string, headers: Record<string, string> = {}, path = '/e/') => ({
  path,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(body),
});

function listBombs(scale: number): Hostile[] {
  // The budget is 100 MB; what is larger must be noticed while it unpacks, and what is smaller must be read in slices.
  const over = Buffer.alloc(110 * MB, '[');
  const under = Buffer.alloc(Math.ceil(90 * MB * scale), '[');
  const gzip = (bytes: Buffer) => zlib.gzipSync(bytes, { level: 1 });
  const brotli = (bytes: Buffer) =>
    zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } });
  const overGzip = gzip(over);
  const bomb = (name: string, sending: Sending): Hostile => ({
    name: `a bomb: ${name}`,
    answers: TOO_LARGE,
    ...sending,
  });
  const dud = (name: string, sending: Sending): Hostile => ({ name, answers: REFUSED, ...sending });
  return [
    bomb('gzip in gzip', post(gzip(overGzip))),
    bomb('brotli', post(brotli(over), { 'content-encoding': 'br' })),
    bomb('zstd', post(zlib.zstdCompressSync(over))),
    // The other ways to the same unpacking; a second of processor time each.
    ...(scale === 1
      ? [
          bomb('gzip', post(overGzip)),
          bomb('gzip announced', post(overGzip, { 'content-encoding': 'gzip' })),
          bomb('gzip by parameter', post(overGzip, {}, '/e/?compression=gzip-js')),
          bomb('gzip in base64', post(overGzip.toString('base64'))),
          bomb('gzip in a form', post(`data=${encodeURIComponent(overGzip.toString('base64'))}`)),
          bomb('deflate', post(zlib.deflateSync(over, { level: 1 }), { 'content-encoding': 'deflate' })),
        ]
      : []),
    // Packing this takes longer than anything else here, so only the full size is a bomb.
    (scale === 1 ? bomb : dud)(
      'lz64',
      post(compressLzBase64(' '.repeat(4_300_000 * scale ** 2)), {}, '/e/?compression=lz64'),
    ),
    dud('gzip just within the budget', post(gzip(under))),
    // Each of them is dropped by itself, which is the most that a byte can ask for.
    dud('gzip of empty events', post(gzip(Buffer.from(`[${'{},'.repeat(30 * MB * scale ** 2)}0]`)))),
    dud('gzip of spaces', post(gzip(Buffer.from(`[${' '.repeat(under.length)}`)))),
    dud('gzip of one text', post(gzip(Buffer.from(`["${'x'.repeat(under.length)}"]`)))),
    dud('gzip of escapes', post(gzip(Buffer.from(`["${'\\"'.repeat(under.length / 2)}"]`)))),
    dud('gzip of members', post(gzip(Buffer.from(`{${'"a":1,'.repeat(under.length / 6)}"a":1}`)))),
    dud('gzip cut off', post(overGzip.subarray(0, overGzip.length / 2))),
  ];
}

const wrap = (token: string, event: string) => `{"api_key":"${token}",${event.slice(1)}`;
const inBatch = (token: string, properties: string) =>
  `{"api_key":"${token}","batch":[{"event":"hostile","distinct_id":"hostile","properties":${properties}}]}`;
const withProperties = (token: string, properties: string) =>
  wrap(token, `{"event":"hostile","distinct_id":"hostile","properties":${properties}}`);

function listShapes(token: string, scale: number): Hostile[] {
  const shape = (name: string, answers: readonly number[], body: string): Hostile => ({ name, answers, ...post(body) });
  const keys = (count: number, key: (n: number) => string) =>
    `{${Array.from({ length: count }, (_, n) => `"${key(n)}":${n % 10}`).join(',')}}`;
  const nested = (depth: number) => '{"a":'.repeat(depth) + '[]'.repeat(1) + '}'.repeat(depth);
  return [
    shape('a million brackets', REFUSED, '['.repeat(1_000_000)),
    shape('a batch of deep arrays', REFUSED, `{"batch":[${'['.repeat(500_000)}${']'.repeat(500_000)}]}`),
    shape('nesting as deep as allowed', ACCEPTED, withProperties(token, nested(125))),
    shape('nesting one too deep', ACCEPTED, inBatch(token, nested(127))),
    shape('nesting far too deep', ACCEPTED, inBatch(token, nested(20_000))),
    shape(
      '100,000 keys',
      EITHER,
      withProperties(
        token,
        keys(100_000, (n) => n.toString(36)),
      ),
    ),
    shape('100,000 keys to set', EITHER, withProperties(token, `{"$set":${keys(80_000, (n) => n.toString(36))}}`)),
    shape('100,000 groups', EITHER, withProperties(token, `{"$groups":${keys(80_000, (n) => n.toString(36))}}`)),
    shape(
      'one key 100,000 times',
      EITHER,
      withProperties(
        token,
        keys(100_000, () => 'k'),
      ),
    ),
    shape('a key of 900 kB', ACCEPTED, withProperties(token, `{"${'k'.repeat(900_000)}":1}`)),
    shape('a text of 900 kB', ACCEPTED, withProperties(token, `{"k":"${'€'.repeat(300_000)}"}`)),
    shape('a name of 900 kB', ACCEPTED, `{"api_key":"${token}","event":"${'e'.repeat(900_000)}","distinct_id":"x"}`),
    shape('an id of 900 kB', ACCEPTED, `{"api_key":"${token}","event":"e","distinct_id":"${'d'.repeat(900_000)}"}`),
    shape('a key beside the batch', REFUSED, `{"${'k'.repeat(2_000_000)}":1,"batch":[]}`),
    shape(
      'many small events',
      EITHER,
      `{"api_key":"${token}","batch":[${`{"event":"hostile","distinct_id":"many"},`.repeat(20_000 * scale)}{}]}`,
    ),
    shape('20 MB of one event', REFUSED, withProperties(token, `{"k":"${'x'.repeat(19 * MB)}"}`)),
    shape('more than 20 MB', [413, 0], withProperties(token, `{"k":"${'x'.repeat(21 * MB)}"}`)),
  ];
}

/** Each stands once in every place of an event where a value can stand. */
const VALUES: readonly [name: string, json: string][] = [
  ['a lone surrogate', '"\\ud800"'],
  ['the other lone surrogate', '"a\\udc00b"'],
  ['surrogates in the wrong order', '"\\udc00\\ud800"'],
  ['NUL', '"\\u0000"'],
  ['NUL inside', '"a\\u0000b"'],
  ['a number without end', '1e400'],
  ['a number with 10,000 digits', '9'.repeat(10_000)],
  ['a fraction with 10,000 digits', `0.${'1'.repeat(10_000)}`],
  ['an exponent beyond reason', '1E+2147483648'],
  ['minus zero', '-0'],
  ['2^63', '9223372036854775808'],
  ['a text that looks like SQL', '"\'; drop table events; --"'],
  ['a text that looks like a parameter', '"{team_id:Int64}"'],
  ['controls', '"\\u0001\\u001f\\u007f\\u0085\\u2028\\ufeff\\uffff"'],
  ['prototypes', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1}'],
  ['a key of NUL', '{"\\u0000":1,"\\ud800":2,"":3}'],
  ['duplicate keys', '{"a":1,"a":{"a":2},"a":[3]}'],
];

function listValues(token: string): Hostile[] {
  return VALUES.flatMap(([name, json]) => [
    { name: `${name} as a property`, answers: ACCEPTED, ...post(withProperties(token, `{"p":${json}}`)) },
    { name: `${name} in a set`, answers: ACCEPTED, ...post(withProperties(token, `{"$set":{"p":${json}}}`)) },
    {
      name: `${name} in a group`,
      answers: ACCEPTED,
      ...post(withProperties(token, `{"$groups":{"company":${json}}}`)),
    },
    {
      name: `${name} around an identify`,
      answers: ACCEPTED,
      ...post(
        wrap(token, `{"event":"$identify","distinct_id":"identified","properties":{"$anon_distinct_id":${json}}}`),
      ),
    },
    {
      name: `${name} as name, id, time and address`,
      answers: ACCEPTED,
      ...post(
        wrap(
          token,
          `{"event":${json},"distinct_id":${json},"timestamp":${json},"properties":{"$ip":${json},"$session_id":${json}}}`,
        ),
      ),
    },
  ]);
}

const TYPES = ['null', 'true', '0', '-1.5', '""', '"text"', '[]', '[[1]]', '{}', '{"a":{"b":[null]}}'];
const MEMBERS = [
  'event',
  'distinct_id',
  'uuid',
  'timestamp',
  'offset',
  'properties',
  '$set',
  '$set_once',
  'batch',
  'sent_at',
  'historical_migration',
  'type',
];
const PROPERTIES = [
  '$set',
  '$set_once',
  '$unset',
  '$groups',
  '$group_type',
  '$group_key',
  '$group_set',
  '$anon_distinct_id',
  'alias',
  '$ip',
  '$elements',
  '$elements_chain',
  '$session_id',
  '$process_person_profile',
  '$geoip_disable',
  '$cookieless_mode',
  '$timestamp',
  '$insert_id',
  'distinct_id',
  '$user_id',
  '$lib',
];
const KINDS = [
  'custom',
  '$identify',
  '$create_alias',
  '$merge_dangerously',
  '$groupidentify',
  '$set',
  '$exception',
  '$autocapture',
];

/** Every member with every type, all events of one member in one request, so that one bad apple could spoil the others. */
function listWrongTypes(token: string): Hostile[] {
  const request = (name: string, events: string[]): Hostile => ({
    name,
    answers: EITHER,
    ...post(`{"api_key":"${token}","batch":[${events.join(',')}]}`, {}, '/batch/'),
  });
  return [
    ...MEMBERS.map((member) =>
      request(
        `every type as ${member}`,
        TYPES.map((type) => `{"event":"typed","distinct_id":"typed","${member}":${type}}`),
      ),
    ),
    ...PROPERTIES.map((name) =>
      request(
        `every type as property ${name}`,
        KINDS.flatMap((kind) =>
          TYPES.map((type) => `{"event":"${kind}","distinct_id":"typed","properties":{"${name}":${type}}}`),
        ),
      ),
    ),
  ];
}
