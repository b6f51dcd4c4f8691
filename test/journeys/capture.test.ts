// The public endpoints that take events, over the wire, down to what stands in the log.
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { decodeRecord, type LogRecord } from '../../src/capture/record.ts';
import { startTestApp } from '../app.ts';

const app = await startTestApp();
after(() => app[Symbol.asyncDispose]());
const token = app.project.api_token;

/** What was appended since the last look, in no particular order of partitions. */
const taken = new Map<number, number>();
async function readLog(): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for (let partition = 0; partition < app.eventLog.partitions; partition += 1) {
    const found = await app.eventLog.read(partition, taken.get(partition) ?? 0);
    for (const { position, value } of found) {
      taken.set(partition, position + 1);
      records.push(decodeRecord(value));
    }
  }
  return records;
}
const namesIn = (records: LogRecord[]) =>
  records.map((record) => (record.kind === 'event' ? record.event : record.reason)).sort();

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  app.send('POST', path, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

const single = { api_key: token, event: 'order paid', distinct_id: 'u1', properties: { amount: 12.5 } };

for (const path of ['/capture', '/capture/', '/batch/', '/e/', '/i/v0/e/', '/track/', '/i/v0/e', '/batch']) {
  test(`${path} takes one event`, async () => {
    const { status, text, headers } = await post(path, single);
    const [record] = await readLog();
    assert.deepEqual([status, text, headers.get('content-type')], [200, '{"status":"Ok"}', 'application/json']);
    assert.ok(record?.kind === 'event');
    assert.deepEqual([record.event, record.distinct_id, record.team_id], ['order paid', 'u1', app.project.id]);
    assert.equal(record.properties.toString(), '{"amount":12.5}');
  });
}

test('a batch is in the log when it is answered, each item with its own id', async () => {
  const batch = [1, 2, 3].map((n) => ({
    event: `step ${n}`,
    properties: { distinct_id: `u${n}` },
    timestamp: '2025-07-01T10:59:58.120Z',
  }));
  const { status } = await post('/batch/', { api_key: token, historical_migration: true, batch });
  const records = await readLog();
  assert.equal(status, 200);
  assert.deepEqual(namesIn(records), ['step 1', 'step 2', 'step 3']);
  assert.ok(records.every((record) => record.kind === 'event' && record.historical_migration));
});

test('an event without name or id is dropped with its reason, and the others are taken', async () => {
  const batch = [
    { event: 'good', distinct_id: 'a' },
    { event: '', distinct_id: 'a' },
    { event: 'no id', properties: {} },
    { event: 'empty id', distinct_id: '' },
    { distinct_id: 'a' },
  ];
  const { status, text } = await post('/batch/', { api_key: token, batch });
  assert.deepEqual([status, text], [200, '{"status":"Ok"}']);
  assert.deepEqual(namesIn(await readLog()), ['good', 'missing_distinct_id', 'missing_event_name']);
  const counts = await app.eventLog.counts(`accepted:${app.project.id}:`);
  const before = [...counts.values()].reduce((sum, count) => sum + count, 0);
  await post('/batch/', { api_key: token, batch });
  const later = await app.eventLog.counts(`accepted:${app.project.id}:`);
  assert.equal([...later.values()].reduce((sum, count) => sum + count, 0) - before, 5);
  await readLog();
});

const refused: [title: string, body: unknown, status: number, code: string][] = [
  ['an unknown key', { ...single, api_key: 'phc_nobody_has_this' }, 401, 'invalid_api_key'],
  ['a personal key', { ...single, api_key: 'phx_personal' }, 401, 'personal_api_key'],
  ['no key', { ...single, api_key: undefined }, 401, 'missing_api_key'],
  ['no JSON', '{"api_key":', 400, 'invalid_payload'],
  ['nothing', '', 400, 'no_data'],
  ['an empty batch', { api_key: token, batch: [] }, 400, 'invalid_payload'],
];
for (const [title, body, status, code] of refused) {
  test(`${title} is refused with ${status} and a JSON body, and nothing is ingested`, async () => {
    const answer = await post('/capture/', body, { origin: 'https://shop.example' });
    assert.deepEqual([answer.status, answer.body.code, answer.body.attr], [status, code, null]);
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://shop.example');
    assert.deepEqual(await readLog(), []);
  });
}

test('a renewed project key works at once, and the old one no more', async () => {
  const made = await app.send('POST', '/api/projects/', { key: app.key, body: { name: 'Rotating' } });
  const before = await post('/capture/', { ...single, api_key: made.body.api_token });
  const renewed = await app.send('PATCH', `/api/projects/${made.body.id}/reset_token/`, { key: app.key });
  const old = await post('/capture/', { ...single, api_key: made.body.api_token });
  const fresh = await post('/capture/', { ...single, api_key: renewed.body.api_token });
  assert.deepEqual([before.status, old.status, fresh.status], [200, 401, 200]);
  await readLog();
});

test('a beacon gets 204 without a body', async () => {
  const { status, text } = await post('/e/?beacon=1', single);
  assert.deepEqual([status, text], [204, '']);
  assert.equal((await readLog()).length, 1);
});

test('a pixel carries its event in the address', async () => {
  const data = Buffer.from(JSON.stringify(single)).toString('base64');
  const { status } = await app.send('GET', `/e/?data=${encodeURIComponent(data)}`);
  assert.equal(status, 200);
  assert.deepEqual(namesIn(await readLog()), ['order paid']);
});

test('gzip is recognised by its first bytes, whatever the headers say', async () => {
  const response = await fetch(`${app.url}/e/`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: new Uint8Array(gzipSync(JSON.stringify(single))),
  });
  assert.equal(response.status, 200);
  assert.deepEqual(namesIn(await readLog()), ['order paid']);
});

test('recordings are taken off the sender and dropped with their reason', async () => {
  const { status } = await post('/s/', [{ ...single, event: '$snapshot' }]);
  assert.equal(status, 200);
  assert.deepEqual(namesIn(await readLog()), ['replay_not_supported']);
});

test('other origins may post, with credentials and any header', async () => {
  const { status, headers, text } = await app.send('OPTIONS', '/e/', {
    headers: {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-custom',
    },
  });
  assert.deepEqual([status, text], [200, '']);
  assert.equal(headers.get('access-control-allow-origin'), 'https://shop.example');
  assert.equal(headers.get('access-control-allow-credentials'), 'true');
  assert.equal(headers.get('access-control-allow-headers'), 'content-type,x-custom');
  assert.equal(headers.get('access-control-allow-methods'), 'GET, POST, OPTIONS');
});

test('other methods are refused', async () => {
  const { status, headers } = await app.send('DELETE', '/capture/');
  assert.deepEqual([status, headers.get('allow')], [405, 'GET, POST, OPTIONS']);
});

test('a body over 20 MB is refused before it is read', async () => {
  const status = await new Promise<number>((resolve, reject) => {
    const request = httpRequest(
      `${app.url}/batch/`,
      { method: 'POST', headers: { 'content-length': 21 * 1024 * 1024 } },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
        request.destroy();
      },
    );
    request.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? undefined : reject(error)));
    request.write('{');
  });
  assert.equal(status, 413);
  assert.deepEqual(await readLog(), []);
});

test('a sender that goes away in the middle leaves nothing behind', async () => {
  await new Promise<void>((resolve) => {
    const request = httpRequest(`${app.url}/capture/`, { method: 'POST', headers: { 'content-length': 1000 } });
    request.on('error', () => resolve());
    request.write('{"api_key":', () => request.destroy());
    request.on('close', () => resolve());
  });
  assert.equal((await post('/capture/', single)).status, 200);
  assert.deepEqual(namesIn(await readLog()), ['order paid']);
  assert.ok(!app.lines.some((line) => line.includes('request failed')));
});

test('a strict server refuses the whole request, in the words of the original', async () => {
  await using strict = await startTestApp({ TENREC_CAPTURE_STRICT: true });
  const batch = [{ event: 'good', distinct_id: 'a' }, { event: 'bad' }];
  const { status, text, headers } = await strict.send('POST', '/batch/', {
    body: { api_key: strict.project.api_token, batch },
  });
  assert.deepEqual([status, text], [400, 'event submitted without a distinct_id']);
  assert.match(headers.get('content-type') ?? '', /^text\/plain/);
});
