// Whatever bytes arrive, capture either reads events or refuses with its own error, in bounded time and memory.
// `TENREC_TEST_LONG=1` runs many more rounds on larger bodies. A failure names its seed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import zlib from 'node:zlib';
import { type Random, seededRandom } from '../../test/reference/random.ts';
import { CaptureError } from './capture-error.ts';
import { toRawRequest, wrappings } from './decode-body.cases.ts';
import { decodeBody, decodePlainBody, type RawRequest } from './decode-body.ts';
import { type CapturedRequest, readEvents } from './read-events.ts';
import { decodeRecord, encodeDrop, eventEncoder } from './record.ts';

const ROUNDS = process.env.TENREC_TEST_LONG ? 200_000 : 700;
const UNPACKED_BYTES_MAX = 2 * 1024 * 1024;
/** Generous for a busy machine; what it must catch takes seconds or forever. */
const ROUND_MS_MAX = 2_000;
const NOW_MS = 1_750_000_000_000;

async function capture(request: RawRequest, strict: boolean): Promise<CapturedRequest | CaptureError> {
  try {
    const { bytes, form_token } = decodePlainBody(request) ?? (await decodeBody(request, UNPACKED_BYTES_MAX));
    return await readEvents(bytes, { engage: false, strict, nowMs: NOW_MS, fallback_token: form_token });
  } catch (error) {
    if (error instanceof CaptureError) return error;
    throw error;
  }
}

/** Everything accepted must also survive the log. */
function checkRecords({ events, drops, sent_at }: CapturedRequest): void {
  const facts = { team_id: 1, now: NOW_MS, sent_at, ip: undefined, historical_migration: false };
  for (const event of events) {
    const record = decodeRecord(eventEncoder(facts)(event));
    assert.ok(record.kind === 'event');
    assert.deepEqual([record.event, record.distinct_id, record.uuid], [event.event, event.distinct_id, event.uuid]);
    assert.ok(record.properties.equals(event.properties));
    JSON.parse(record.properties.toString());
  }
  for (const drop of drops) assert.equal(decodeRecord(encodeDrop(drop, facts)).kind, 'drop');
}

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
  '"\u{1f994}"',
];
const KEYS = [
  'event',
  'distinct_id',
  '$distinct_id',
  'token',
  'api_key',
  '$token',
  'properties',
  'batch',
  'uuid',
  'timestamp',
];
KEYS.push(
  'offset',
  '$set',
  '$set_once',
  'sent_at',
  'historical_migration',
  '__proto__',
  'constructor',
  '',
  'a\\u0062',
  '$groups',
);

function randomJson(random: Random, depth: number): string {
  if (depth === 0 || random.chance(0.4)) return random.pick(SCALARS);
  const length = random.below(6);
  if (random.chance(0.4)) return `[${Array.from({ length }, () => randomJson(random, depth - 1)).join(',')}]`;
  const member = () => `"${random.pick(KEYS)}":${randomJson(random, depth - 1)}`;
  return `{${Array.from({ length }, member).join(random.pick([',', ' , ']))}}`;
}

function randomRequest(random: Random): string {
  const event = () =>
    random.chance(0.7)
      ? `{"token":"phc_k","event":"e","distinct_id":"u${random.below(9)}","properties":${randomJson(random, 3)},"$set":${randomJson(random, 2)}}`
      : randomJson(random, 4);
  const events = Array.from({ length: random.below(5) }, event).join(',');
  return random.pick([`{"api_key":"phc_k","batch":[${events}]}`, `[${events}]`, event(), randomJson(random, 5)]);
}

/** Flips, drops, doubles and cuts bytes. */
function mutate(bytes: Buffer, random: Random): Buffer {
  let mutated = Buffer.from(bytes);
  for (let times = random.below(4); times > 0 && mutated.length > 0; times -= 1) {
    const at = random.below(mutated.length);
    const tail = mutated.subarray(at);
    const kind = random.below(5);
    if (kind === 0) mutated[at] = random.below(256);
    else if (kind === 1) mutated = Buffer.concat([mutated.subarray(0, at), tail.subarray(1)]);
    else if (kind === 2) mutated = Buffer.concat([mutated.subarray(0, at), tail, tail]);
    else if (kind === 3) mutated = mutated.subarray(0, at);
    else
      mutated = Buffer.concat([
        mutated.subarray(0, at),
        Buffer.from(random.pick(['{', '}', '[', ']', '"', '\\', ',', '\0', '='])),
        tail,
      ]);
  }
  return mutated;
}

function randomWrapped(random: Random): RawRequest {
  const json = random.chance(0.1)
    ? String.fromCharCode(...Array.from({ length: 50 }, () => random.below(256)))
    : randomRequest(random);
  const request = toRawRequest(random.pick(wrappings).wrap(json));
  if (random.chance(0.4)) request.body = mutate(request.body, random);
  if (random.chance(0.2)) request.compression = random.pick(['gzip', 'lz64', 'base64', 'zip', '']);
  if (random.chance(0.1)) request.content_encoding = random.pick(['gzip', 'br', 'deflate', 'zstd', 'lz64', 'x']);
  return request;
}

test(`${ROUNDS} random requests are read or refused, never anything else`, async () => {
  const outcomes = { read: 0, refused: 0 };
  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    const random = seededRandom(seed);
    const request = randomWrapped(random);
    const startedAt = performance.now();
    try {
      const result = await capture(request, random.chance(0.2));
      if (result instanceof CaptureError) outcomes.refused += 1;
      else {
        outcomes.read += 1;
        checkRecords(result);
      }
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
    assert.ok(performance.now() - startedAt < ROUND_MS_MAX, `seed ${seed} took too long`);
  }
  // Both must happen often, or the rounds try nothing.
  assert.ok(outcomes.read > ROUNDS / 10 && outcomes.refused > ROUNDS / 10, JSON.stringify(outcomes));
});

test('a body is read exactly when it is JSON', async () => {
  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    const random = seededRandom(1_000_000 + seed);
    const body = mutate(Buffer.from(`[{"token":"k","event":"e","distinct_id":"u"},${randomJson(random, 4)}]`), random);
    const result = await capture(toRawRequest({ body }), false);
    const text = body.toString();
    if (!/^\s*\[/.test(text) || !Buffer.from(text).equals(body)) continue;
    const parsed = !(result instanceof CaptureError && result.message.startsWith('failed to parse'));
    assert.equal(parsed, isJson(text), `seed ${seed}: ${JSON.stringify(text)}`);
  }
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const LARGE = process.env.TENREC_TEST_LONG ? 90_000_000 : 1_500_000;
const hostile: { name: string; json: () => Buffer }[] = [
  { name: 'open brackets', json: () => Buffer.alloc(LARGE, '[') },
  { name: 'nested brackets', json: () => Buffer.concat([Buffer.alloc(LARGE / 2, '['), Buffer.alloc(LARGE / 2, ']')]) },
  { name: 'empty arrays', json: () => Buffer.from(`[${'[],'.repeat(LARGE / 3)}0]`) },
  { name: 'empty objects', json: () => Buffer.from(`{"batch":[${'{},'.repeat(LARGE / 3)}0]}`) },
  { name: 'members', json: () => Buffer.from(`{${'"a":1,'.repeat(LARGE / 6)}"a":1}`) },
  { name: 'escapes', json: () => Buffer.from(`["${'\\"'.repeat(LARGE / 2)}"]`) },
  { name: 'one long text', json: () => Buffer.from(`["${'x'.repeat(LARGE)}"]`) },
  { name: 'digits', json: () => Buffer.from(`[${'1'.repeat(LARGE)}]`) },
  { name: 'spaces', json: () => Buffer.from(`[${' '.repeat(LARGE)}]`) },
];
for (const { name, json } of hostile) {
  test(`${LARGE} bytes of ${name} take no more memory than bounded, and let others be served`, async () => {
    const body = zlib.gzipSync(json(), { level: 1 });
    const before = process.memoryUsage.rss();
    let longestMs = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last);
      last = performance.now();
    }, 1);
    try {
      const { bytes } = await decodeBody(toRawRequest({ body }));
      await readEvents(bytes, { engage: false, strict: false, nowMs: NOW_MS });
      assert.fail('it holds no event');
    } catch (error) {
      assert.ok(error instanceof CaptureError, String(error));
    } finally {
      clearInterval(timer);
      longestMs = Math.max(longestMs, performance.now() - last);
    }
    const grownMb = (process.memoryUsage.rss() - before) / 1e6;
    assert.ok(grownMb < 600 + (3 * LARGE) / 1e6, `grew by ${grownMb} MB`);
    assert.ok(longestMs < 500, `held up others for ${longestMs} ms`);
    if (process.env.TENREC_TEST_VERBOSE) console.log(name, { grownMb, longestMs });
  });
}
