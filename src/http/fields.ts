// Fields of request bodies: zod types that are as lenient as the wire's clients expect and refuse with its exact texts.
// Each carries its JSON schema, so that the API description is printed from the same values that check the request.
import { z } from 'zod';
import { type ApiError, invalid } from './errors.ts';

/** What is wrong with a value: the wire's code and text. */
interface Fault {
  code: string;
  detail: string;
}

type Read<T> = (value: unknown) => { value: T } | Fault;
type JsonSchema = Readonly<Record<string, unknown>>;

const fault = (code: string, detail: string): Fault => ({ code, detail });
const ok = <T>(value: T) => ({ value });

/** A required field that may not be null; `optional` and `nullable` loosen it. */
function field<T>(schema: JsonSchema, read: Read<T>) {
  return z
    .unknown()
    .transform((value, ctx): T => {
      const result = readPresent(value, read);
      if ('value' in result) return result.value;
      ctx.addIssue({ code: 'custom', message: result.detail, params: { code: result.code } });
      return z.NEVER;
    })
    .meta(schema);
}

function readPresent<T>(value: unknown, read: Read<T>): { value: T } | Fault {
  if (value === undefined) return fault('required', 'This field is required.');
  if (value === null) return fault('null', 'This field may not be null.');
  return read(value);
}

/** The same field, which may be left out. */
export const optional = <T extends z.ZodType>(inner: T) => inner.optional();

/** The same field, which may be null. */
export const nullable = <T extends z.ZodType>(inner: T) => inner.nullable();

/** The name that error texts give a value's type; they come from a Python service and clients compare them. */
export function pythonType(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return Array.isArray(value) ? 'list' : 'dict';
}

export interface TextRules {
  max?: number;
  min?: number;
  blank?: boolean;
  about?: string;
}

/** A text. Numbers are taken as text; surrounding white space is removed; empty only where `blank` says so. */
export function text({ max, min, blank = false, about }: TextRules = {}) {
  const schema = { type: 'string', ...(max && { maxLength: max }), ...(min && { minLength: min }), description: about };
  return field(schema, (value) => {
    if (typeof value !== 'string' && typeof value !== 'number') return fault('invalid_input', 'Not a valid string.');
    const given = String(value).trim();
    if (given.includes('\0')) return fault('null_characters_not_allowed', 'Null characters are not allowed.');
    if (given === '') return blank ? ok('') : fault('blank', 'This field may not be blank.');
    const length = [...given].length;
    if (max !== undefined && length > max) {
      return fault('max_length', `Ensure this field has no more than ${max} characters.`);
    }
    if (min !== undefined && length < min) {
      return fault('min_length', `Ensure this field has at least ${min} characters.`);
    }
    return ok(given);
  });
}

/** A text taken exactly as given, white space included: passwords, and whatever must not be tidied. */
export function verbatim({ max = 4096, about }: { max?: number; about?: string } = {}) {
  return field({ type: 'string', maxLength: max, description: about }, (value) => {
    if (typeof value !== 'string') return fault('invalid_input', 'Not a valid string.');
    if (value === '') return fault('blank', 'This field may not be blank.');
    if (value.length > max) return fault('max_length', `Ensure this field has no more than ${max} characters.`);
    return ok(value);
  });
}

const TRUE_WORDS = new Set(['t', 'y', 'yes', 'true', 'on', '1']);
const FALSE_WORDS = new Set(['f', 'n', 'no', 'false', 'off', '0']);

export function bool(about?: string) {
  return field({ type: 'boolean', description: about }, (value) => {
    const word = String(value).toLowerCase();
    const simple = typeof value !== 'object';
    if (simple && TRUE_WORDS.has(word)) return ok(true);
    if (simple && FALSE_WORDS.has(word)) return ok(false);
    return fault('invalid_input', 'Must be a valid boolean.');
  });
}

export interface NumberRules {
  min?: number;
  max?: number;
  about?: string;
}

export function integer({ min = -2147483648, max = 2147483647, about }: NumberRules = {}) {
  return field({ type: 'integer', minimum: min, maximum: max, description: about }, (value) => {
    const number = readInteger(value);
    if (number === undefined) return fault('invalid_input', 'A valid integer is required.');
    if (number < min) return fault('min_value', `Ensure this value is greater than or equal to ${min}.`);
    if (number > max) return fault('max_value', `Ensure this value is less than or equal to ${max}.`);
    return ok(number);
  });
}

function readInteger(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*[+-]?\d+(\.0*)?\s*$/.test(value)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

export function number({ min, max, about }: NumberRules = {}) {
  return field({ type: 'number', description: about }, (value) => {
    const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof parsed !== 'number' || !Number.isFinite(parsed)) {
      return fault('invalid_input', 'A valid number is required.');
    }
    if (min !== undefined && parsed < min) {
      return fault('min_value', `Ensure this value is greater than or equal to ${min}.`);
    }
    if (max !== undefined && parsed > max) {
      return fault('max_value', `Ensure this value is less than or equal to ${max}.`);
    }
    return ok(parsed);
  });
}

/** One of a few values. A number may come as text, and the other way round. */
export function choice<const T extends string | number>(choices: readonly T[], about?: string) {
  return field({ enum: [...choices], description: about }, (value) => {
    const found = choices.find((candidate) => typeof value !== 'object' && String(candidate) === String(value));
    if (found !== undefined) return ok(found);
    const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return fault('invalid_choice', `"${shown}" is not a valid choice.`);
  });
}

const UUID = /^\{?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?$/i;

/** The uuid in lower case with dashes; undefined when the text is none. */
export function parseUuid(text: string): string | undefined {
  return UUID.exec(text)?.slice(1).join('-').toLowerCase();
}

export function uuid(about?: string) {
  return field({ type: 'string', format: 'uuid', description: about }, (value) => {
    const parsed = typeof value === 'string' ? parseUuid(value) : undefined;
    return parsed ? ok(parsed) : fault('invalid_input', 'Must be a valid UUID.');
  });
}

const EMAIL =
  /^[^\s@"(),:;<>[\]\\]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$|^[^\s@"(),:;<>[\]\\]{1,64}@localhost$/i;

export function email(about?: string) {
  return field({ type: 'string', format: 'email', maxLength: 254, description: about }, (value) => {
    if (typeof value !== 'string') return fault('invalid_input', 'Not a valid string.');
    const given = value.trim();
    if (given === '') return fault('blank', 'This field may not be blank.');
    if (given.length > 254) return fault('max_length', 'Ensure this field has no more than 254 characters.');
    return EMAIL.test(given) ? ok(given) : fault('invalid_input', 'Enter a valid email address.');
  });
}

const DATETIME =
  /^(\d{4})-(\d{1,2})-(\d{1,2})[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d*)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** A moment, as text that PostgreSQL reads; without a zone it is UTC. */
export function datetime(about?: string) {
  return field({ type: 'string', format: 'date-time', description: about }, (value) => {
    const match = typeof value === 'string' ? DATETIME.exec(value.trim()) : null;
    const [, year, month, day, hour, minute, second = '00', fraction = '0', zone = 'Z'] = match ?? [];
    if (match && isRealMoment(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second))) {
      const two = (part = '') => part.padStart(2, '0');
      const date = `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}.${fraction.padEnd(6, '0')}`;
      return ok(`${date}${zone.toUpperCase()}`);
    }
    return fault(
      'invalid_input',
      'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
    );
  });
}

function isRealMoment(year: number, month: number, day: number, hour: number, minute: number, second: number) {
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  const sameDay = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return year >= 1 && sameDay && hour < 24 && minute < 60 && second < 60;
}

/** A JSON object with free keys. */
export function dict(about?: string) {
  return field({ type: 'object', additionalProperties: true, description: about }, (value) => {
    if (isDict(value)) return ok(value);
    return fault('not_a_dict', `Expected a dictionary of items but got type "${pythonType(value)}".`);
  });
}

/** Any JSON value, null included. */
export const anything = (about?: string) => z.unknown().meta({ description: about });

export function isDict(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list of fields of one kind; a fault names the place: `scopes__2`. */
export function list<T extends z.ZodType>(item: T, about?: string) {
  return z
    .unknown()
    .transform((value, ctx): z.output<T>[] => {
      const present = readPresent(value, (given) =>
        Array.isArray(given)
          ? ok(given)
          : fault('not_a_list', `Expected a list of items but got type "${pythonType(given)}".`),
      );
      if (!('value' in present)) {
        ctx.addIssue({ code: 'custom', message: present.detail, params: { code: present.code } });
        return z.NEVER;
      }
      const result = z.array(item).safeParse(present.value);
      if (result.success) return result.data;
      ctx.issues.push(...(result.error.issues as never[]));
      return z.NEVER;
    })
    .meta({ type: 'array', items: z.toJSONSchema(item, { io: 'input', unrepresentable: 'any' }), description: about });
}

/** Checks a whole body. Unknown fields are ignored; the first fault of the first field at fault is reported. */
export function parseBody<T extends z.ZodType>(shape: T, body: unknown): z.output<T> {
  if (!isDict(body)) throw invalid(`Invalid data. Expected a dictionary, but got ${pythonType(body)}.`);
  const result = shape.safeParse(body);
  if (result.success) return result.data;
  throw toApiError(result.error.issues[0]);
}

function toApiError(issue: z.core.$ZodIssue | undefined): ApiError {
  const attr = issue?.path.map(String).join('__') || null;
  const code = issue?.code === 'custom' ? issue.params?.code : undefined;
  return invalid(issue?.message ?? 'Invalid input.', attr, typeof code === 'string' ? code : 'invalid_input');
}
