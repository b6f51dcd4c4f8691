// Changes some members of a JSON object's text and leaves everything else as the sender wrote it.
import type { JsonObject } from '../capture/exact-json.ts';
import { readMembers } from '../capture/scan-json.ts';

export interface PropertyChanges {
  remove: ReadonlySet<string>;
  /** New members, and new values for old ones. */
  put: JsonObject;
}

/** `properties` is the parsed form of `text`. The members put stand at the end. */
export function patchProperties(text: string, properties: JsonObject, { remove, put }: PropertyChanges): string {
  const added = JSON.stringify(put).slice(1, -1);
  if (!touchesAny(properties, remove, put)) return added === '' ? text : append(text, added, isEmpty(properties));
  const bytes = Buffer.from(text);
  const kept = readMembers(bytes, { start: 0, end: bytes.length })
    .filter(({ key }) => !remove.has(key) && !Object.hasOwn(put, key))
    .map(({ start, value }) => bytes.toString('utf8', start, value.end));
  if (added !== '') kept.push(added);
  return `{${kept.join(',')}}`;
}

function touchesAny(properties: JsonObject, remove: ReadonlySet<string>, put: JsonObject): boolean {
  for (const key in properties) if (remove.has(key) || Object.hasOwn(put, key)) return true;
  return false;
}

/** The text's last character is its closing brace: capture cut it out so. */
function append(text: string, added: string, empty: boolean): string {
  return `${text.slice(0, -1)}${empty ? '' : ','}${added}}`;
}

function isEmpty(properties: JsonObject): boolean {
  for (const _ in properties) return false;
  return true;
}
