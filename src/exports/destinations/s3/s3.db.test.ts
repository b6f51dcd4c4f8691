// A bucket that misbehaves: the right error in words, nothing half-published, and the next run is fine.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { after, before, beforeEach, test } from 'node:test';
import { assertTold } from '../../../../test/exports/cases.ts';
import { BUCKET, type S3Server, startS3Server } from '../../../../test/exports/s3-server.ts';
import { eventInHour, openSource, type ShipmentGiven, type Source } from '../../../../test/exports/source.ts';
import { openGuard } from '../../network/guard.ts';
import { withDefaults } from '../config.ts';
import { s3Destination } from './destination.ts';

const destination = s3Destination(openGuard({ privateNetworksAllowed: true }));
const KEY = 'p/2025-03-04T09:00:00+00:00-2025-03-04T10:00:00+00:00.jsonl';
const SMALL = 1;
/** Two parts of an upload. */
const LARGE = 2;
const largeRows = Array.from({ length: 90 }, (_, n) =>
  eventInHour(n, { team_id: LARGE, properties: JSON.stringify({ n, filler: 'x'.repeat(100_000) }) }),
);

let source: Source;
let s3: S3Server;
let strict: S3Server;

before(async () => {
  [source, s3, strict] = await Promise.all([openSource(), startS3Server(), startS3Server({ isStrict: true })]);
  await source.insert([eventInHour(1, { team_id: SMALL })]);
  await source.insert(largeRows);
});
after(async () => {
  await source[Symbol.asyncDispose]();
  await s3[Symbol.asyncDispose]();
  await strict[Symbol.asyncDispose]();
});
beforeEach(() => {
  s3.intercept = undefined;
});

async function ship(teamId: number, config: Record<string, unknown> = {}, given: Partial<ShipmentGiven> = {}) {
  const complete = withDefaults(destination, { ...s3.access, prefix: 'p', ...config });
  return destination.ship(await source.shipment({ teamId, config: complete, ...given }));
}

const failing = (shipping: Promise<unknown>, kind: string, final: boolean, text: RegExp) =>
  assertTold(shipping, { kind, final, text });

const answer = (status: number, code: string) => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>said ${code}</Message></Error>`,
});
const isPart = (method: string, url: string) => method === 'PUT' && url.includes('partNumber=2');

test('a large file goes up in parts, and comes back whole', async () => {
  const shipped = await ship(LARGE);
  const bytes = await s3.read(KEY);
  assert.equal(bytes.length, shipped.bytes);
  assert.ok(bytes.length > 9_000_000);
  const uuids = bytes
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).uuid);
  assert.deepEqual(uuids.sort(), largeRows.map(({ uuid }) => uuid).sort());
  assert.equal(await s3.unfinished(), 0);
});

const mistakes: {
  title: string;
  config: () => Record<string, unknown>;
  kind: string;
  final?: boolean;
  text: RegExp;
}[] = [
  {
    title: 'a bucket that does not exist',
    config: () => ({ bucket_name: 'nowhere' }),
    kind: 'NoSuchBucket',
    text: /Check `bucket_name`/,
  },
  {
    title: 'a key that nobody knows',
    config: () => ({ aws_access_key_id: 'NOBODY' }),
    kind: 'InvalidAccessKeyId',
    text: /aws_access_key_id/,
  },
  {
    title: 'a secret that is wrong',
    config: () => ({ ...strict.access, aws_secret_access_key: 'wrong' }),
    kind: 'SignatureDoesNotMatch',
    text: /aws_secret_access_key/,
  },
  {
    title: 'no key at all',
    config: () => ({ aws_access_key_id: null }),
    kind: 'NoCredentials',
    text: /aws_access_key_id/,
  },
  {
    title: 'nobody at the port',
    config: () => ({ endpoint_url: 'http://127.0.0.1:1' }),
    kind: 'EndpointConnectionError',
    final: false,
    text: /127.0.0.1:1/,
  },
  {
    title: 'an endpoint that is no URL',
    config: () => ({ endpoint_url: 'lake' }),
    kind: 'InvalidUrl',
    text: /https:\/\//,
  },
  {
    title: 'a host that does not exist',
    config: () => ({ endpoint_url: 'http://nowhere.invalid' }),
    kind: 'UnknownHost',
    text: /nowhere.invalid/,
  },
];
for (const { title, config, kind, final = true, text } of mistakes) {
  test(`told in words: ${title}`, () => failing(ship(SMALL, config()), kind, final, text));
}

test('what the key may not do is told, and nothing is left', async () => {
  s3.intercept = (method, url) => (isPart(method, url) ? answer(403, 'AccessDenied') : undefined);
  await failing(ship(LARGE, { prefix: 'denied' }), 'AccessDenied', true, /s3:PutObject.*said AccessDenied/);
  assert.deepEqual(await s3.keys('denied'), []);
  assert.equal(await s3.unfinished(), 0);
});

test('a key that may only write is enough', async () => {
  s3.intercept = (method) => (method === 'GET' || method === 'DELETE' ? answer(403, 'AccessDenied') : undefined);
  await ship(SMALL, { prefix: 'write-only' });
  s3.intercept = undefined;
  assert.equal((await s3.keys('write-only')).length, 1);
});

test('a connection that breaks in the middle is made again', async () => {
  let cuts = 0;
  s3.intercept = (method, url) => (isPart(method, url) && cuts++ < 2 ? 'cut' : undefined);
  await ship(LARGE, { prefix: 'broken' });
  assert.equal(cuts > 2, true);
  assert.equal((await s3.keys('broken')).length, 1);
});

test('a store that stays away leaves the old file as it was, and the next run replaces it', async () => {
  await ship(SMALL, { prefix: 'old' });
  const [key = ''] = await s3.keys('old');
  const before = await s3.read(key);
  s3.intercept = (method, url) => (isPart(method, url) ? answer(503, 'SlowDown') : undefined);
  await failing(ship(LARGE, { prefix: 'old' }), 'SlowDown', false, /503/);
  s3.intercept = undefined;
  assert.deepEqual(await s3.read(key), before);
  assert.equal(await s3.unfinished(), 0);
  await ship(LARGE, { prefix: 'old' });
  assert.ok((await s3.read(key)).length > 9_000_000);
});

test('what the event store cuts off is not published', async () => {
  const cut = (stream: Readable) => {
    const through = new PassThrough();
    stream.once('data', (chunk: Buffer) => through.end(chunk.subarray(0, chunk.lastIndexOf(10) + 1)));
    return through;
  };
  for (const file_format of ['JSONLines', 'Parquet']) {
    await failing(
      ship(LARGE, { prefix: 'cut', file_format }, { through: cut }),
      'IncompleteRead',
      false,
      /rows of 90|without end/,
    );
  }
  assert.deepEqual(await s3.keys('cut'), []);
});

test('a cancelled run stops and leaves nothing', async () => {
  const cancel = new AbortController();
  s3.intercept = (method, url) => {
    if (isPart(method, url)) cancel.abort();
    return undefined;
  };
  await assert.rejects(ship(LARGE, { prefix: 'cancelled' }, { signal: cancel.signal }), { name: 'AbortError' });
  assert.deepEqual(await s3.keys('cancelled'), []);
  assert.equal(await s3.unfinished(), 0);
});

test('an upload that a killed run left behind long ago is given up', async () => {
  const key = `left/${KEY.slice(2)}`;
  const upload = (id: string, at: string) =>
    `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${at}</Initiated></Upload>`;
  const listed = [upload('old', '2020-01-01T00:00:00.000Z'), upload('new', new Date().toISOString())];
  const given: string[] = [];
  s3.intercept = (method, url) => {
    const id = new URL(url, s3.url).searchParams.get('uploadId');
    if (method === 'DELETE' && id) {
      given.push(id);
      return { status: 204, body: '' };
    }
    const isList = method === 'GET' && new URL(url, s3.url).searchParams.has('uploads');
    const body = `<ListMultipartUploadsResult>${listed.join('')}</ListMultipartUploadsResult>`;
    return isList ? { status: 200, body } : undefined;
  };
  await ship(LARGE, { prefix: 'left' });
  assert.deepEqual(given, ['old']);
});

test('something that is no S3 at all is told as such', async () => {
  const server = createServer((_, response) => void response.end('<html>Welcome</html>')).listen(0, '127.0.0.1');
  try {
    await new Promise((done) => server.once('listening', done));
    const endpoint_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await failing(ship(LARGE, { endpoint_url }), 'InvalidResponse', false, /does not speak the protocol of S3/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('encryption is asked for when a file is begun', async () => {
  const seen: unknown[] = [];
  s3.intercept = (method, url, headers) => {
    const isBegun = method === 'POST' ? url.includes('uploads') : method === 'PUT' && !url.includes('partNumber');
    const asked = [headers['x-amz-server-side-encryption'], headers['x-amz-server-side-encryption-aws-kms-key-id']];
    if (isBegun) seen.push(asked);
    return undefined;
  };
  await ship(SMALL, { prefix: 'safe', encryption: 'AES256' });
  await ship(LARGE, { prefix: 'safe', encryption: 'aws:kms', kms_key_id: 'key' });
  assert.deepEqual(seen, [
    ['AES256', undefined],
    ['aws:kms', 'key'],
  ]);
});

test('a private network is not entered unless the operator allows it', async () => {
  const guarded = s3Destination(openGuard({ privateNetworksAllowed: false }));
  for (const endpoint_url of [s3.url, s3.url.replace('127.0.0.1', 'localhost'), 'http://[::ffff:127.0.0.1]:1']) {
    const config = withDefaults(guarded, { ...s3.access, endpoint_url, prefix: 'p' });
    const shipment = await source.shipment({ teamId: SMALL, config });
    await assert.rejects(guarded.ship(shipment), { kind: 'PrivateNetworkError', final: true });
  }
});

test('the test of a bucket passes, or says what to mend', async () => {
  const [step] = destination.tests;
  const run = (config: Record<string, unknown>) =>
    step!.run(withDefaults(destination, { ...s3.access, prefix: 'p', ...config }), new AbortController().signal);
  await run({});
  await assert.rejects(run({ bucket_name: 'nowhere' }), /Bucket 'nowhere' does not exist/);
  s3.intercept = (method) => (method === 'HEAD' ? { status: 403, body: '' } : undefined);
  await assert.rejects(run({}), new RegExp(`couldn't access bucket '${BUCKET}'`));
});
