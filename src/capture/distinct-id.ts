// Who an event is about, whatever type and place the sender chose for it.
import { isJsonObject, type Json, type JsonObject, ownValue } from './exact-json.ts';

export const DISTINCT_ID_CHARACTERS_MAX = 200;

/** The distinct id on top of the event or else inside its properties; undefined when there is none to speak of. */
export function readDistinctId(event: JsonObject, properties: JsonObject): string | undefined {
  const value =
    ownValue(event, 'distinct_id') ?? ownValue(event, '$distinct_id') ?? ownValue(properties, 'distinct_id');
  if (value === undefined || value === null) return undefined;
  const text = (typeof value === 'string' ? value : toSortedJson(value)).replaceAll('\0', '\ufffd').toWellFormed();
  return text.trim() === '' ? undefined : cutCharacters(text, DISTINCT_ID_CHARACTERS_MAX);
}

/** Compact JSON with sorted keys, so that one object is one id whatever order its keys were sent in. */
function toSortedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(toSortedJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${toSortedJson(value[key]!)}`);
  return `{${members.join(',')}}`;
}

/** The first characters, as people count them: a pair of surrogates is one and is never cut in half. */
export function cutCharacters(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  for (let count = 0; count < max && end < text.length; count += 1) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return text.slice(0, end);
}
