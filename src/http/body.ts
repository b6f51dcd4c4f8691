// The body of a management request: JSON, or a form whose fields are texts; a file in a form is its text.
import { ApiError, parseError, unsupportedMediaType } from './errors.ts';
import { describeJsonFault, nestingDepth } from './json-fault.ts';

export const BODY_BYTES_MAX = 20 * 1024 * 1024;
/** Deeper values would overflow the stack of whoever walks them later. */
const NESTING_MAX = 200;

export type MediaType = 'json' | 'form' | 'multipart';

const MEDIA_TYPES: Readonly<Record<string, MediaType>> = {
  'application/json': 'json',
  'application/x-www-form-urlencoded': 'form',
  'multipart/form-data': 'multipart',
};

/** Reads a body as its content type says. No body at all is an empty object. */
export async function readBody(
  bytes: Buffer | undefined,
  contentType: string | undefined,
  accepted: readonly MediaType[] = ['json', 'form', 'multipart'],
): Promise<unknown> {
  if (!bytes || bytes.length === 0) return {};
  const mediaType = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const kind = MEDIA_TYPES[mediaType];
  if (!kind || !accepted.includes(kind)) throw unsupportedMediaType(contentType ?? '');
  if (kind === 'json') return readJson(bytes);
  if (kind === 'form') return toObject(new URLSearchParams(decodeUtf8(bytes)));
  return toObject(await readFiles(await readMultipart(bytes, contentType ?? '')));
}

export function readJson(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes);
  if (text.length > 2 * NESTING_MAX && nestingDepth(text) > NESTING_MAX) {
    throw parseError(`JSON parse error - nested deeper than ${NESTING_MAX} levels`);
  }
  try {
    return JSON.parse(text, refuseProto);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw parseError(`JSON parse error - ${describeJsonFault(text)}`);
  }
}

/** A key `__proto__` is plain data to JSON but not to the objects that are later made from it. */
function refuseProto(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw parseError('JSON parse error - the body is not valid UTF-8');
  }
}

async function readMultipart(bytes: Buffer, contentType: string) {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw parseError('Multipart form parse error - Invalid boundary in multipart: None');
  }
}

/** Files that people upload here are lists of ids; whatever is no UTF-8 in them stands for nothing. */
function readFiles(form: FormData): Promise<[string, string][]> {
  const fields = [...form].map(
    async ([name, value]): Promise<[string, string]> => [name, typeof value === 'string' ? value : await value.text()],
  );
  return Promise.all(fields);
}

/** The last of several fields with one name wins. */
function toObject(entries: Iterable<[string, unknown]>): Record<string, unknown> {
  const texts = [...entries].filter(([name, value]) => typeof value === 'string' && name !== '__proto__');
  return Object.fromEntries(texts);
}
