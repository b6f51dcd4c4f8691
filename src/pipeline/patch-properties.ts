// Changes some members of a JSON object's text and leaves every other byte as the sender wrote it.
import type { JsonObject } from '../capture/exact-json.ts';
import { readMembers } from '../capture/scan-json.ts';

export interface PropertyChanges {
  remove: ReadonlySet<string>;
  /** New members, and new values for old ones. */
  put: JsonObject;
}

/** `properties` is the parsed form of `text`. The members put stand at the end. */
export function patchProperties(text: Buffer, properties: JsonObject, { remove, put }: PropertyChanges): Buffer {
  const added = JSON.stringify(put).slice(1, -1);
  const isGone = (key: string) => remove.has(key) || Object.hasOwn(put, key);
  const anyGone = [...remove, ...Object.keys(put)].some((key) => Object.hasOwn(properties, key));
  if (!anyGone) return added === '' ? text : append(text, added, Object.keys(properties).length === 0);
  const kept = readMembers(text, { start: 0, end: text.length })
    .filter(({ key }) => !isGone(key))
    .map(({ start, value }) => text.toString('utf8', start, value.end));
  if (added !== '') kept.push(added);
  return Buffer.from(`{${kept.join(',')}}`);
}

/** The text's last byte is its closing brace: capture cut it out so. */
function append(text: Buffer, added: string, isEmpty: boolean): Buffer {
  return Buffer.concat([text.subarray(0, -1), Buffer.from(isEmpty ? `${added}}` : `,${added}}`)]);
}
