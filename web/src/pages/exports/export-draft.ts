// An export as somebody fills it in, and what is sent of it. Pure.
import type { BatchExport, Config, ExportDraft, Model, Schedule } from '../../api/use-exports.ts';
import { isComplete } from '../../pickers/operators.ts';
import type { PropertyFilter } from '../../query/nodes.ts';
import type { ConfigField, DestinationWords } from './destinations.ts';

/** Fields as they stand in the form: texts and switches. */
export type Values = Readonly<Record<string, string | boolean>>;

export interface EditedExport extends Schedule {
  name: string;
  model: Model;
  values: Values;
  include_events: readonly string[];
  exclude_events: readonly string[];
  filters: readonly PropertyFilter[];
  hogql_query: string;
}

const initialValue = ({ kind, fallback, name }: ConfigField, config: Config) => {
  const known = config[name] ?? fallback;
  if (kind === 'switch') return known === true;
  return known === undefined || known === null ? '' : String(known);
};

const texts = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);

export function toEdited(words: DestinationWords, found?: BatchExport, timezone = 'UTC'): EditedExport {
  const config = found?.destination.config ?? {};
  return {
    name: found?.name ?? '',
    model: found?.model ?? 'events',
    interval: found?.interval ?? 'hour',
    timezone: found?.timezone ?? timezone,
    offset_day: found?.offset_day ?? null,
    offset_hour: found?.offset_hour ?? null,
    values: Object.fromEntries(words.fields.map((field) => [field.name, initialValue(field, config)])),
    include_events: texts(config.include_events),
    exclude_events: texts(config.exclude_events),
    filters: found?.filters ?? [],
    hogql_query: found?.hogql_query ?? '',
  };
}

export const GOOGLE_NAMES = ['private_key', 'private_key_id', 'token_uri', 'client_email'] as const;

/** What the JSON file of a service account says; undefined when it is none. */
export function readGoogleKey(text: string): Record<string, string> | undefined {
  try {
    const given = JSON.parse(text) as Record<string, unknown>;
    const found = GOOGLE_NAMES.map((name) => [name, given[name]] as const);
    return found.every(([, value]) => typeof value === 'string') ? Object.fromEntries(found as never) : undefined;
  } catch {
    return undefined;
  }
}

const isSecret = ({ kind }: ConfigField) => kind === 'secret' || kind === 'long-secret' || kind === 'google-key';

/** What is wrong with one field; undefined when nothing is. Secrets that are stored need not be given again. */
export function findFault(
  field: ConfigField,
  value: string | boolean | undefined,
  isStored: boolean,
): string | undefined {
  if (typeof value === 'boolean') return undefined;
  const text = value?.trim() ?? '';
  if (text === '') return field.isRequired && !(isStored && isSecret(field)) ? 'This is needed.' : undefined;
  if (field.kind === 'number' && !/^\d+$/.test(text)) return 'This must be a whole number.';
  if (field.kind === 'google-key' && !readGoogleKey(text)) return 'This is not the JSON file of a service account.';
  return undefined;
}

function toEntries(field: ConfigField, value: string | boolean | undefined, isStored: boolean): [string, unknown][] {
  if (typeof value === 'boolean') return [[field.name, value]];
  const text = field.kind === 'long-secret' || field.kind === 'google-key' ? (value ?? '') : (value ?? '').trim();
  if (field.kind === 'google-key') return Object.entries(readGoogleKey(text) ?? {});
  if (text === '') {
    // What was cleared is taken back; a secret that was left empty stays as it is.
    return isStored && !isSecret(field) && field.fallback === undefined && !field.isRequired
      ? [[field.name, null]]
      : [];
  }
  return [[field.name, field.kind === 'number' ? Number(text) : text]];
}

/** @param isStored the export exists: whatever is left out stays as it is */
export function toDraft(words: DestinationWords, edited: EditedExport, isStored = false): ExportDraft {
  const { values, include_events, exclude_events, filters, hogql_query, ...rest } = edited;
  const isEvents = edited.model === 'events';
  const listed = { include_events, exclude_events };
  const lists = Object.entries(listed).filter(([, names]) => isEvents && (names.length > 0 || isStored));
  const config = Object.fromEntries([
    ...words.fields.flatMap((field) => toEntries(field, values[field.name], isStored)),
    ...lists,
  ]);
  const complete = filters.filter(isComplete);
  const followsDays = edited.interval === 'day' || edited.interval === 'week';
  return {
    ...rest,
    offset_day: edited.interval === 'week' ? (edited.offset_day ?? 0) : null,
    offset_hour: followsDays ? (edited.offset_hour ?? 0) : null,
    filters: isEvents && complete.length > 0 ? complete : null,
    hogql_query: isEvents && hogql_query.trim() !== '' ? hogql_query : null,
    destination: { type: words.type, config },
  };
}
