// Judges the configuration of a destination, in the wire's words, and splits off what must not be shown again.
import { type Config, type ConfigField, ConfigMistake, type Destination } from './destination.ts';

type Judged = Pick<Destination, 'fields' | 'check'>;

/** Understood in every configuration, and used by whoever selects the rows. */
const COMMON = ['exclude_events', 'include_events'];
/** What older clients send along; accepted and forgotten. */
const IGNORED = [
  'batch_export_id',
  'team_id',
  'interval',
  'data_interval_end',
  'batch_export_model',
  'batch_export_schema',
  'is_backfill',
  'backfill_details',
  'integration_id',
];

/**
 * The configuration to keep: what is given, over what is stored already (so that secrets nobody saw are kept), with
 * texts turned into the numbers and booleans they mean. Throws a `ConfigMistake`.
 */
export function readConfig(destination: Judged, given: Config, stored?: Config): Config {
  const { fields } = destination;
  const unknown = Object.keys(given).filter((name) => !(name in fields) && ![...COMMON, ...IGNORED].includes(name));
  if (unknown.length > 0) {
    const names = unknown.sort().map((name) => `'${name}'`);
    throw new ConfigMistake(`Configuration has unknown field/s: ${names.join(', ')}`);
  }
  const merged = merge(stored ?? {}, given);
  const kept: Record<string, unknown> = {};
  for (const name of COMMON) if (name in merged) kept[name] = merged[name];
  for (const [name, field] of Object.entries(fields)) {
    if (name in merged) kept[name] = judge(name, field, merged[name]);
    else if (field.required) throw new ConfigMistake(`Configuration missing required field: '${name}'`);
  }
  destination.check?.(withDefaults(destination, kept));
  return kept;
}

/** What a destination is given to work with: every field it knows, and nothing else. */
export function withDefaults(destination: Pick<Destination, 'fields'>, stored: Config): Config {
  return Object.fromEntries(
    Object.entries(destination.fields).map(([name, field]) => [name, stored[name] ?? field.fallback ?? null]),
  );
}

/** What may be shown of a configuration. */
export function withoutSecrets(destination: Pick<Destination, 'fields'>, stored: Config): Config {
  return Object.fromEntries(
    Object.entries(stored).flatMap(([name, value]) => {
      const secret = destination.fields[name]?.secret ?? false;
      if (secret === true) return [];
      return [[name, Array.isArray(secret) ? omit(value, secret) : value]];
    }),
  );
}

function omit(value: unknown, names: readonly string[]): unknown {
  if (!isObject(value)) return value;
  const shown = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(shown.map(([name, inner]) => [name, omit(inner, names)]));
}

/** Objects are merged all the way down; everything else replaces what was there. */
function merge(stored: Config, given: Config): Config {
  const merged: Record<string, unknown> = { ...stored };
  for (const [name, value] of Object.entries(given)) {
    const before = merged[name];
    merged[name] = isObject(before) && isObject(value) ? merge(before, value) : value;
  }
  return merged;
}

function judge(name: string, field: ConfigField, given: unknown): unknown {
  const value = coerce(field, given);
  const type = typeName(value);
  const mayBeNull = !field.required && (field.fallback ?? null) === null;
  if (type !== field.type && !(mayBeNull && value === null)) {
    throw new ConfigMistake(`Configuration has invalid type: got '${type}', expected '${field.type}'`);
  }
  if (field.identifier && typeof value === 'string' && /["'`\0\r\n]/.test(value)) {
    throw new ConfigMistake(`'${name}' contains forbidden characters`);
  }
  return value;
}

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

function coerce({ type }: ConfigField, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'bool') return BOOLEANS[value.toLowerCase()] ?? value;
  if (type === 'int') return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return value;
}

/** What the wire calls the type of a JSON value. */
function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return Array.isArray(value) ? 'list' : 'dict';
}

const isObject = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
