// What a request for flags says, whichever SDK of whichever year wrote it.
import { isUtf8 } from 'node:buffer';
import { CaptureError } from '../capture/capture-error.ts';
import { decodeBody, type RawRequest, rawRequest } from '../capture/decode-body.ts';
import { ApiError, invalid } from '../http/errors.ts';
import { nestingDepth } from '../http/json-fault.ts';
import type { PublicRequest } from '../http/public.ts';
import { when } from '../platform/when.ts';
import type { Properties } from './evaluation/properties.ts';
import { isObject, toText } from './evaluation/values.ts';

export type Runtime = 'client' | 'server' | 'all';

export interface FlagRequest {
  token: string | undefined;
  distinct_id: string | undefined;
  anon_distinct_id: string | undefined;
  device_id: string | undefined;
  /** Group keys by the name of their type. */
  groups: ReadonlyMap<string, string>;
  person_properties: Properties;
  group_properties: Readonly<Record<string, unknown>>;
  isGeoipDisabled: boolean;
  isDisabled: boolean;
  /** Undefined: all. */
  flag_keys: ReadonlySet<string> | undefined;
  evaluation_contexts: readonly string[];
  evaluation_runtime: Runtime | undefined;
  onlySurveyFlags: boolean;
}

/** Distinct ids are cut where events cut them. */
const ID_CHARACTERS_MAX = 200;
const NESTING_MAX = 200;
/** Beyond this nobody mends numbers that are not JSON. */
const MENDED_LENGTH_MAX = 200_000;
const OPENING_BRACE = 0x7b;
const TRUE_WORDS = new Set(['y', 'yes', 't', 'true', 'on', '1']);

/** A promise only for what has to be unpacked. */
export const readFlagRequest = (request: PublicRequest): FlagRequest | Promise<FlagRequest> =>
  when(readBody(request), (said) => toFlagRequest(said, request.query));

function toFlagRequest({ body, form_token }: Said, query: URLSearchParams): FlagRequest {
  const [first] = Array.isArray(body) ? body : [body];
  const given: Record<string, unknown> = isObject(first) ? first : {};
  const inProperties = isObject(given.properties) ? given.properties.token : undefined;
  const person_properties = asObject(given.person_properties ?? given.$properties);
  return {
    token:
      asText(form_token) ||
      asText(given.$token) ||
      asText(given.token) ||
      asText(given.api_key) ||
      asText(inProperties) ||
      undefined,
    distinct_id: readId(given.distinct_id ?? given.$distinct_id),
    anon_distinct_id: asId(given.$anon_distinct_id),
    device_id: asId(given.$device_id ?? given.device_id ?? own(person_properties, '$device_id')),
    groups: readGroups(given.groups ?? given.$groups),
    person_properties,
    group_properties: asObject(given.group_properties ?? given.$group_properties),
    isGeoipDisabled: isSaid(given.geoip_disable),
    isDisabled: isSaid(given.disable_flags),
    flag_keys: readKeys(given.flag_keys_to_evaluate ?? given.flag_keys),
    evaluation_contexts: readTexts(given.evaluation_contexts ?? given.evaluation_environments) ?? [],
    evaluation_runtime: readRuntime(given.evaluation_runtime),
    onlySurveyFlags: isSaid(query.get('only_evaluate_survey_feature_flags')),
  };
}

/** The words of the two endpoints differ; they have the reason in common. */
export const undecodable = (why: string) => invalid(why, null, 'malformed_data');

interface Said {
  body: unknown;
  form_token: string | undefined;
}

function readBody(request: PublicRequest): Said | Promise<Said> {
  const raw = rawRequest(request);
  const { body: bytes, data } = raw;
  // Whoever sends nothing is told that the key is missing, which says more.
  if (bytes.length === 0 && !data) return { body: {}, form_token: undefined };
  // Nearly all send plain JSON.
  if (bytes[0] === OPENING_BRACE && !data && isUtf8(bytes)) {
    return { body: parseLenient(bytes.toString()), form_token: undefined };
  }
  return unpackBody(raw);
}

async function unpackBody(raw: RawRequest): Promise<Said> {
  try {
    const decoded = await decodeBody(raw);
    return { body: parseLenient(decoded.bytes.toString()), form_token: decoded.form_token };
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    if (error.status === 413) throw new ApiError(413, 'invalid_request', 'request_too_large', error.message);
    throw undecodable(error.message);
  }
}

function parseLenient(text: string): unknown {
  if (text.length > 2 * NESTING_MAX && nestingDepth(text) > NESTING_MAX) throw undecodable('nested too deeply');
  try {
    return JSON.parse(text);
  } catch {
    try {
      return JSON.parse(text.length > MENDED_LENGTH_MAX ? '' : withoutOddNumbers(text));
    } catch {
      throw undecodable('invalid JSON');
    }
  }
}

/** Python and old browsers write NaN and Infinity, which are no JSON; they count as null. */
function withoutOddNumbers(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g, (token) => (token.startsWith('"') ? token : 'null'));
}

const asText = (value: unknown) => (typeof value === 'string' ? value.trim() : undefined);
const asObject = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
const own = (object: Properties, key: string) => (Object.hasOwn(object, key) ? object[key] : undefined);

/** Some clients use `0` and `"yes"` for what others say with a boolean. */
const isSaid = (value: unknown) =>
  value === true || (value !== undefined && TRUE_WORDS.has(String(value).toLowerCase()));

function readId(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = toText(value);
  return text.length > ID_CHARACTERS_MAX ? [...text].slice(0, ID_CHARACTERS_MAX).join('') : text;
}

/** An id that only counts when it is one: a text or a number. */
const asId = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? readId(value) : undefined;

const NO_GROUPS: ReadonlyMap<string, string> = new Map();

function readGroups(value: unknown): ReadonlyMap<string, string> {
  if (value === undefined) return NO_GROUPS;
  return new Map(
    Object.entries(asObject(value)).flatMap(([type, key]): [string, string][] => {
      const text = asId(key);
      return text === undefined ? [] : [[type, text]];
    }),
  );
}

const readTexts = (value: unknown) =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : undefined;

function readKeys(value: unknown): Set<string> | undefined {
  const keys = readTexts(value);
  return keys && new Set(keys);
}

const readRuntime = (value: unknown): Runtime | undefined =>
  value === 'client' || value === 'server' || value === 'all' ? value : undefined;

/** A request that only says for whom, as somebody inside the program makes it. */
export const plainRequest = (distinct_id: string, groups: unknown): FlagRequest & { distinct_id: string } => ({
  token: undefined,
  distinct_id,
  anon_distinct_id: undefined,
  device_id: undefined,
  groups: readGroups(groups),
  person_properties: {},
  group_properties: {},
  isGeoipDisabled: true,
  isDisabled: false,
  flag_keys: undefined,
  evaluation_contexts: [],
  evaluation_runtime: 'all',
  onlySurveyFlags: false,
});
