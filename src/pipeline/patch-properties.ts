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
  const touched = listTouched(properties, remove, put);
  if (touched.length === 0) return added === '' ? text : append(text, added);
  const kept = cutAll(text, touched) ?? rebuildWithout(text, touched);
  return added === '' ? kept : append(kept, added);
}

function listTouched(properties: JsonObject, remove: ReadonlySet<string>, put: JsonObject): string[] {
  const touched: string[] = [];
  for (const key in properties) if (remove.has(key) || Object.hasOwn(put, key)) touched.push(key);
  return touched;
}

/** The text's last character is its closing brace: capture cut it out so. */
function append(text: string, added: string): string {
  return `${text.slice(0, -1)}${isEmpty(text) ? '' : ','}${added}}`;
}

const isEmpty = (text: string): boolean => /^\{\s*\}$/.test(text);

/** Without these members, each found by its name alone; undefined where that would be a guess. */
function cutAll(text: string, keys: readonly string[]): string | undefined {
  // With escapes, a name can be written in more than one way.
  if (text.includes('\\u')) return undefined;
  let left = text;
  for (const key of keys) {
    const cut = cutMember(left, JSON.stringify(key));
    if (cut === undefined) return undefined;
    left = cut;
  }
  return left;
}

const COLON_NEXT = /\s*:\s*/y;
const COMMA_NEXT = /\s*,\s*/y;
const COMMA_BEFORE = /,\s*$/;

/** Only a name is followed by a colon; when there is one such name in all of the text, it is the one at the top. */
function cutMember(text: string, name: string): string | undefined {
  let from = -1;
  let valueAt = -1;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    COLON_NEXT.lastIndex = at + name.length;
    if (!COLON_NEXT.test(text)) continue;
    if (from !== -1) return undefined;
    from = at;
    valueAt = COLON_NEXT.lastIndex;
  }
  if (from === -1) return undefined;
  const end = skipValue(text, valueAt);
  COMMA_NEXT.lastIndex = end;
  if (COMMA_NEXT.test(text)) return text.slice(0, from) + text.slice(COMMA_NEXT.lastIndex);
  return text.slice(0, from).replace(COMMA_BEFORE, '') + text.slice(end);
}

const VALUE_TOKEN = /"(?:[^"\\]+|\\[\s\S])*"|[{}[\]]|[^"{}[\],\s]+/g;

/** Where the value that begins here ends. */
function skipValue(text: string, start: number): number {
  VALUE_TOKEN.lastIndex = start;
  let depth = 0;
  do {
    const token = VALUE_TOKEN.exec(text)![0];
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
  } while (depth > 0);
  return VALUE_TOKEN.lastIndex;
}

/** The sure way, member by member. */
function rebuildWithout(text: string, keys: readonly string[]): string {
  const bytes = Buffer.from(text);
  const kept = readMembers(bytes, { start: 0, end: bytes.length })
    .filter(({ key }) => !keys.includes(key))
    .map(({ start, value }) => bytes.toString('utf8', start, value.end));
  return `{${kept.join(',')}}`;
}
