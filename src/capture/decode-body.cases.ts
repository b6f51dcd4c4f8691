// Every wrapping that clients have been seen to use, or that the original accepts, around the same JSON text.
import zlib from 'node:zlib';
import { compressLzBase64 } from '../../test/reference/lz-compress.ts';
import type { RawRequest } from './decode-body.ts';

export interface Wrapping {
  name: string;
  wrap(json: string): Partial<RawRequest>;
}

const FORM = 'application/x-www-form-urlencoded';
const base64 = (json: string) => Buffer.from(json).toString('base64');
const body = (text: string | Buffer) => ({ body: Buffer.from(text) });

export const wrappings: Wrapping[] = [
  { name: 'plain JSON', wrap: (json) => ({ ...body(json), content_type: 'application/json' }) },
  { name: 'JSON with a charset', wrap: (json) => ({ ...body(json), content_type: 'application/json; charset=utf-8' }) },
  { name: 'JSON as text/plain', wrap: (json) => ({ ...body(json), content_type: 'text/plain' }) },
  { name: 'JSON without a content type', wrap: (json) => body(json) },
  { name: 'JSON with a byte order mark', wrap: (json) => body(`\ufeff${json}`) },
  { name: 'JSON that says it is a form, as curl -d does', wrap: (json) => ({ ...body(json), content_type: FORM }) },
  { name: 'JSON that says it is gzip', wrap: (json) => ({ ...body(json), content_encoding: 'gzip' }) },
  { name: 'JSON that says it is deflate', wrap: (json) => ({ ...body(json), content_encoding: 'deflate' }) },
  { name: 'JSON with an unknown compression', wrap: (json) => ({ ...body(json), compression: 'snappy' }) },
  { name: 'gzip by header', wrap: (json) => ({ ...body(zlib.gzipSync(json)), content_encoding: 'gzip' }) },
  { name: 'gzip by parameter', wrap: (json) => ({ ...body(zlib.gzipSync(json)), compression: 'gzip' }) },
  {
    name: 'gzip-js',
    wrap: (json) => ({ ...body(zlib.gzipSync(json)), compression: 'gzip-js', content_type: 'text/plain' }),
  },
  {
    name: 'gzip that nothing announces',
    wrap: (json) => ({ ...body(zlib.gzipSync(json)), content_type: 'text/plain' }),
  },
  {
    name: 'one layer of gzip announced twice',
    wrap: (json) => ({ ...body(zlib.gzipSync(json)), compression: 'gzip', content_encoding: 'gzip' }),
  },
  {
    name: 'gzip-js inside transport gzip',
    wrap: (json) => ({ ...body(zlib.gzipSync(zlib.gzipSync(json))), compression: 'gzip-js', content_encoding: 'gzip' }),
  },
  { name: 'gzip that calls itself a form', wrap: (json) => ({ ...body(zlib.gzipSync(json)), content_type: FORM }) },
  { name: 'deflate', wrap: (json) => ({ ...body(zlib.deflateSync(json)), content_encoding: 'deflate' }) },
  { name: 'brotli', wrap: (json) => ({ ...body(zlib.brotliCompressSync(json)), content_encoding: 'br' }) },
  { name: 'zstd', wrap: (json) => ({ ...body(zlib.zstdCompressSync(json)), content_encoding: 'zstd' }) },
  { name: 'base64', wrap: (json) => ({ ...body(base64(json)), compression: 'base64' }) },
  { name: 'base64 that nothing announces', wrap: (json) => body(base64(json)) },
  { name: 'base64 without padding', wrap: (json) => body(base64(json).replaceAll('=', '')) },
  { name: 'base64 in the alphabet for URLs', wrap: (json) => body(Buffer.from(json).toString('base64url')) },
  { name: 'base64 whose pluses became spaces', wrap: (json) => body(base64(json).replaceAll('+', ' ')) },
  { name: 'base64 with a newline at its end', wrap: (json) => body(`${base64(json)}\n`) },
  {
    name: 'base64 around gzip',
    wrap: (json) => ({ ...body(zlib.gzipSync(json).toString('base64')), compression: 'gzip' }),
  },
  {
    name: 'form with base64',
    wrap: (json) => ({ ...body(`data=${encodeURIComponent(base64(json))}`), content_type: FORM }),
  },
  { name: 'form with base64 not escaped', wrap: (json) => ({ ...body(`data=${base64(json)}`), content_type: FORM }) },
  {
    name: 'form with base64 and its compression',
    wrap: (json) => ({ ...body(`data=${encodeURIComponent(base64(json))}&compression=base64`), content_type: FORM }),
  },
  {
    name: 'form with a charset',
    wrap: (json) => ({ ...body(`data=${encodeURIComponent(base64(json))}`), content_type: `${FORM}; charset=UTF-8` }),
  },
  { name: 'form with JSON', wrap: (json) => ({ ...body(`data=${encodeURIComponent(json)}`), content_type: FORM }) },
  {
    name: 'form with JSON whose spaces are pluses',
    wrap: (json) => ({ ...body(`data=${encodeURIComponent(json).replaceAll('%20', '+')}`), content_type: FORM }),
  },
  { name: 'form that does not say so', wrap: (json) => body(`data=${encodeURIComponent(base64(json))}`) },
  { name: 'form whose data comes last', wrap: (json) => body(`ip=1&_=1&ver=1.2&data=${encodeURIComponent(json)}`) },
  { name: 'lz64', wrap: (json) => ({ ...body(compressLzBase64(json)), compression: 'lz64' }) },
  {
    name: 'form with lz64',
    wrap: (json) => ({
      ...body(`data=${encodeURIComponent(compressLzBase64(json))}&compression=lz64`),
      content_type: FORM,
    }),
  },
  {
    name: 'form with lz64 not escaped',
    wrap: (json) => ({ ...body(`data=${compressLzBase64(json)}`), compression: 'LZ64', content_type: FORM }),
  },
  { name: 'query with JSON', wrap: (json) => ({ data: json }) },
  { name: 'query with base64', wrap: (json) => ({ data: base64(json) }) },
  {
    name: 'query with base64 whose pluses became spaces',
    wrap: (json) => ({ data: base64(json).replaceAll('+', ' ') }),
  },
  { name: 'query with lz64', wrap: (json) => ({ data: compressLzBase64(json), compression: 'lz64' }) },
  { name: 'query that wins over the body', wrap: (json) => ({ data: base64(json), ...body('{"not":"this"}') }) },
];

export function toRawRequest(given: Partial<RawRequest>): RawRequest {
  return { body: Buffer.alloc(0), content_type: '', content_encoding: '', ...given };
}
