// From the bytes of a request to the bytes of its JSON text.
//
// Many generations of clients wrap the same JSON in different papers, and several tell nothing or something wrong about
// it. So the wrapping is recognised by looking, and taken off one layer at a time; what the request says about itself
// decides only where bytes alone cannot: brotli, deflate and LZ-String leave no mark.
import { isUtf8 } from 'node:buffer';
import type { PublicRequest } from '../http/public.ts';
import { noData, tooLarge, undecodable } from './capture-error.ts';
import { readForm } from './form.ts';
import { inflate, type Packing } from './inflate.ts';
import { decompressLzBase64, LzTooLong } from './lz-string.ts';

export interface RawRequest {
  body: Buffer;
  /** The headers, empty when absent. */
  content_type: string;
  content_encoding: string;
  /** The query parameters of these names. */
  data?: string | undefined;
  compression?: string | undefined;
}

/** What of a request its wrapping is known by. */
export const rawRequest = ({ body, headers, query }: PublicRequest): RawRequest => ({
  body,
  content_type: headers['content-type'] ?? '',
  content_encoding: headers['content-encoding'] ?? '',
  data: query.get('data') ?? undefined,
  compression: query.get('compression') ?? undefined,
});

export interface DecodedBody {
  /** UTF-8, presumably JSON. */
  bytes: Buffer;
  /** The project key, when a form brought it in a field of its own. */
  form_token: string | undefined;
}

/** Five times what may come over the wire. */
export const UNPACKED_BYTES_MAX = 100 * 1024 * 1024;
/** LZ-String is unpacked in one go, by this thread; browsers that used it never sent a tenth of this. */
const LZ_UNITS_MAX = 4 * 1024 * 1024;
/** A form around base64 around gzip, itself packed for the transport, is the deepest that makes sense. */
const LAYERS_MAX = 5;
/** How many bytes are looked at to recognise a form or base64. */
const GLANCE_BYTES = 128;

const FORM_START = /^(?:[\w$.-]+=[^&]*&)*(?:data|_|ip|compression|ver)=/;
const BASE64 = /^[A-Za-z0-9+/_\-= \r\n]+$/;

/** What comes without any wrapping, as nearly all does; undefined when there is something to take off. */
export function decodePlainBody({ body, data }: RawRequest): DecodedBody | undefined {
  return !data && startsLikeJson(body) ? { bytes: readText(body), form_token: undefined } : undefined;
}

export async function decodeBody(request: RawRequest, unpackedBytesMax = UNPACKED_BYTES_MAX): Promise<DecodedBody> {
  const { content_type, content_encoding } = request;
  let bytes = request.data ? Buffer.from(request.data) : request.body;
  if (bytes.length === 0) throw noData();
  let hint = readHint(request.compression) ?? readHint(content_encoding);
  let packing = request.data ? undefined : transportPacking(content_encoding);
  let mayBeForm = true;
  let form_token: string | undefined;

  for (let layer = 0; layer < LAYERS_MAX; layer += 1) {
    const visible = packing ?? sniffPacking(bytes);
    if (visible && !(packing && startsLikeJson(bytes))) {
      packing = undefined;
      bytes = await inflate(visible, bytes, unpackedBytesMax);
    } else if (startsLikeJson(bytes)) {
      return { bytes: readText(bytes), form_token };
    } else if (mayBeForm && looksLikeForm(bytes)) {
      mayBeForm = false;
      const form = readForm(bytes, ['data', 'compression', 'api_key', 'token']);
      hint = readHint(form.compression?.toString('latin1')) ?? hint;
      form_token = (form.api_key ?? form.token)?.toString();
      if (!form.data?.length) throw noData();
      bytes = form.data;
    } else if (hint === 'lz64') {
      hint = undefined;
      bytes = inflateLz(bytes, Math.min(unpackedBytesMax, LZ_UNITS_MAX));
    } else if (looksLikeBase64(bytes)) {
      bytes = readBase64(bytes);
    } else {
      break;
    }
    if (bytes.length === 0) throw noData();
  }
  if (isFormType(content_type) && mayBeForm) throw undecodable('expected form data in POST request payload');
  if (hint === 'gzip') throw undecodable('invalid GZIP data');
  return { bytes: readText(bytes), form_token };
}

/** What a query parameter, a form field or a header says; anything unknown says nothing. */
function readHint(value: string | undefined): 'gzip' | 'lz64' | undefined {
  const name = value?.trim().toLowerCase();
  if (name === 'gzip' || name === 'gzip-js') return 'gzip';
  return name === 'lz64' || name === 'lz-string' ? 'lz64' : undefined;
}

/** The packings that cannot be recognised by looking; gzip can, and is sometimes announced twice for one layer. */
function transportPacking(content_encoding: string): Packing | undefined {
  const name = content_encoding.trim().toLowerCase();
  return name === 'deflate' || name === 'br' ? name : undefined;
}

function sniffPacking(bytes: Buffer): Packing | undefined {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  if (bytes.length >= 4 && bytes.readUInt32LE(0) === 0xfd2fb528) return 'zstd';
  return undefined;
}

function isFormType(content_type: string): boolean {
  return content_type.trim().toLowerCase().startsWith('application/x-www-form-urlencoded');
}

/** Only an object or an array can be a request, so nothing else needs to be told apart from base64. */
function startsLikeJson(bytes: Buffer): boolean {
  let at = hasByteOrderMark(bytes) ? 3 : 0;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  return bytes[at] === 0x7b || bytes[at] === 0x5b;
}

function hasByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function looksLikeForm(bytes: Buffer): boolean {
  return FORM_START.test(bytes.toString('latin1', 0, GLANCE_BYTES));
}

function looksLikeBase64(bytes: Buffer): boolean {
  return BASE64.test(bytes.toString('latin1', 0, GLANCE_BYTES));
}

/** Either alphabet, padded or not; a space was a plus before a form was read. */
function readBase64(bytes: Buffer): Buffer {
  const text = bytes
    .toString('latin1')
    .replace(/[\r\n]+$/, '')
    .replaceAll(' ', '+');
  if (!BASE64.test(text)) throw undecodable('attempting to decode base64');
  return Buffer.from(text, 'base64');
}

function inflateLz(bytes: Buffer, unitsMax: number): Buffer {
  try {
    return Buffer.from(decompressLzBase64(bytes, unitsMax));
  } catch (error) {
    if (error instanceof LzTooLong) throw tooLarge(`the request unpacks to more than ${unitsMax} characters`);
    throw undecodable('decompress_lz64: failed decompress to UTF16');
  }
}

function readText(bytes: Buffer): Buffer {
  if (!isUtf8(bytes)) throw undecodable('invalid UTF8 in request payload');
  return hasByteOrderMark(bytes) ? bytes.subarray(3) : bytes;
}
