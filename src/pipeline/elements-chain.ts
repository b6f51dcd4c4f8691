// The elements of a click as one text, innermost first, that queries can search with a regular expression.
import { isJsonObject, type Json, type JsonObject, ownValue } from '../capture/exact-json.ts';

const TEXT_CHARACTERS_MAX = 400;
const HREF_CHARACTERS_MAX = 2_048;

/** The chain of these properties. A chain that the client made wins over a list of elements. */
export function readElementsChain(properties: JsonObject): string {
  const chain = ownValue(properties, '$elements_chain');
  if (typeof chain === 'string' && chain !== '') return chain;
  const elements = ownValue(properties, '$elements');
  return Array.isArray(elements) ? elements.filter(isJsonObject).map(toChainLink).join(';') : '';
}

/** `tag.class1.class2:name="value"name="value"`, classes and attributes sorted. */
function toChainLink(element: JsonObject): string {
  const classes = readClasses(ownValue(element, 'attr__class') ?? ownValue(element, '$classes') ?? null);
  const attributes = Object.entries(readAttributes(element))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${escapeQuotes(name)}="${escapeQuotes(value)}"`);
  const tag = toText(ownValue(element, 'tag_name') ?? '');
  return `${tag}${classes.map((name) => `.${name}`).join('')}:${attributes.join('')}`;
}

function readAttributes(element: JsonObject): Record<string, string> {
  const attributes: Record<string, string> = Object.create(null);
  for (const [key, value] of Object.entries(element)) {
    if (key.startsWith('attr__') && value !== null) attributes[key] = toText(value);
  }
  const text = ownValue(element, '$el_text') ?? null;
  if (text !== null && text !== '') attributes.text = toText(text).slice(0, TEXT_CHARACTERS_MAX);
  const href = ownValue(element, 'attr__href') ?? null;
  if (href !== null) attributes.href = toText(href).slice(0, HREF_CHARACTERS_MAX);
  const id = ownValue(element, 'attr__id') ?? null;
  if (id !== null) attributes.attr_id = toText(id);
  attributes['nth-child'] = toText(ownValue(element, 'nth_child') ?? 0);
  attributes['nth-of-type'] = toText(ownValue(element, 'nth_of_type') ?? 0);
  return attributes;
}

function readClasses(value: Json): string[] {
  const names = Array.isArray(value) ? value.map(toText) : toText(value ?? '').split(/\s+/);
  return names
    .map((name) => name.replaceAll('"', ''))
    .filter((name) => name !== '')
    .sort();
}

const toText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
const escapeQuotes = (text: string): string => text.replaceAll('"', '\\"');
