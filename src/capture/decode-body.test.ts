import assert from 'node:assert/strict';
import { test } from 'node:test';
import zlib from 'node:zlib';
import { compressLzBase64 } from '../../test/reference/lz-compress.ts';
import { CaptureError } from './capture-error.ts';
import { toRawRequest, wrappings } from './decode-body.cases.ts';
import { decodeBody, type RawRequest } from './decode-body.ts';

/** Its base64 has pluses, slashes and padding; its characters take one to four bytes. */
const JSON_TEXT =
  '{"api_key":"phc_k","event":"ü > ? ~~~ \u{1f994}","distinct_id":"\\ud800 >>> ???","n":12345678901234567890}';

for (const { name, wrap } of wrappings) {
  test(`${name} is unwrapped`, async () => {
    const { bytes } = await decodeBody(toRawRequest(wrap(JSON_TEXT)));
    assert.equal(bytes.toString(), JSON_TEXT);
  });
}

test('the wrapped text really has what the wrappings could spoil', () => {
  assert.match(Buffer.from(JSON_TEXT).toString('base64'), /\+.*=$/);
  assert.match(compressLzBase64(JSON_TEXT), /\+/);
});

test('a form may bring the project key in a field of its own', async () => {
  const body = Buffer.from(`data=${encodeURIComponent('{"event":"x"}')}&api_key=phc_k`);
  assert.equal((await decodeBody(toRawRequest({ body }))).form_token, 'phc_k');
});

const FORM = 'application/x-www-form-urlencoded';
const gzipped = zlib.gzipSync('{"event":"x"}');
const refusals: { name: string; request: Partial<RawRequest>; status: number; message: RegExp }[] = [
  { name: 'nothing', request: {}, status: 400, message: /^request missing data payload$/ },
  {
    name: 'a form without data',
    request: { body: Buffer.from('ip=1&ver=2') },
    status: 400,
    message: /missing data payload/,
  },
  {
    name: 'a form with empty data',
    request: { body: Buffer.from('data=') },
    status: 400,
    message: /missing data payload/,
  },
  {
    name: 'gzip cut off',
    request: { body: gzipped.subarray(0, 20) },
    status: 400,
    message: /decode request: invalid GZIP data/,
  },
  {
    name: 'no gzip though it is announced',
    request: { body: Buffer.from('<xml/>'), compression: 'gzip-js' },
    status: 400,
    message: /invalid GZIP data/,
  },
  {
    name: 'damaged deflate',
    request: { body: Buffer.from('zzzz'), content_encoding: 'deflate' },
    status: 400,
    message: /deflate/,
  },
  {
    name: 'damaged lz64',
    request: { body: Buffer.from('////'), compression: 'lz64' },
    status: 400,
    message: /decompress_lz64/,
  },
  {
    name: 'bytes that are not UTF-8',
    request: { body: Buffer.from('{"a":"\xff"}', 'latin1') },
    status: 400,
    message: /invalid UTF8 in request payload/,
  },
  {
    name: 'bytes that are not UTF-8, in gzip',
    request: { body: zlib.gzipSync(Buffer.from('{"a":"\xff"}', 'latin1')) },
    status: 400,
    message: /invalid UTF8/,
  },
  { name: 'half a base64', request: { body: Buffer.from(`${'QUJD'.repeat(40)}<`) }, status: 400, message: /base64/ },
  {
    name: 'no form though it says so',
    request: { body: Buffer.from('<xml/>'), content_type: FORM },
    status: 400,
    message: /expected form data/,
  },
];
for (const { name, request, status, message } of refusals) {
  test(`${name}: ${status}`, async () => {
    await assert.rejects(decodeBody(toRawRequest(request)), (error) => {
      assert.ok(error instanceof CaptureError);
      assert.equal(error.status, status);
      assert.match(error.message, message);
      return true;
    });
  });
}

const MEGABYTE = 1024 * 1024;
const bombs: { name: string; request: Partial<RawRequest> }[] = [
  { name: 'gzip', request: { body: zlib.gzipSync(Buffer.alloc(8 * MEGABYTE, '[')) } },
  { name: 'gzip in gzip', request: { body: zlib.gzipSync(zlib.gzipSync(Buffer.alloc(8 * MEGABYTE, '['))) } },
  {
    name: 'base64 of gzip',
    request: { body: Buffer.from(zlib.gzipSync(Buffer.alloc(8 * MEGABYTE, '[')).toString('base64')) },
  },
  {
    name: 'deflate',
    request: { body: zlib.deflateSync(Buffer.alloc(8 * MEGABYTE, '[')), content_encoding: 'deflate' },
  },
  {
    name: 'brotli',
    request: { body: zlib.brotliCompressSync(Buffer.alloc(8 * MEGABYTE, '[')), content_encoding: 'br' },
  },
  { name: 'zstd', request: { body: zlib.zstdCompressSync(Buffer.alloc(8 * MEGABYTE, '[')) } },
];
for (const { name, request } of bombs) {
  test(`a bomb in ${name} is refused with 413 once the budget is used up`, async () => {
    await assert.rejects(decodeBody(toRawRequest(request), MEGABYTE), { status: 413, code: 'request_too_large' });
    assert.equal((await decodeBody(toRawRequest(request), 8 * MEGABYTE)).bytes.length, 8 * MEGABYTE);
  });
}

test('a bomb of lz64 is refused with 413', async () => {
  const body = Buffer.from(compressLzBase64('a'.repeat(100_000)));
  assert.ok(body.length < 1_200);
  await assert.rejects(decodeBody(toRawRequest({ body, compression: 'lz64' }), 99_999), { status: 413 });
});

test('a small body is unpacked at once, a large one in another thread: both give the same', async () => {
  for (const length of [10, 100_000, 3 * MEGABYTE]) {
    const json = JSON.stringify({ text: 'x'.repeat(length) });
    assert.equal((await decodeBody(toRawRequest({ body: zlib.gzipSync(json) }))).bytes.toString(), json);
  }
});
