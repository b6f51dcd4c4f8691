// The elements of a click, searched in the text that holds them: `a.link:href="/"text="Home";li:nth-child="1"`, innermost
// first, classes and attributes sorted by name. Everything here becomes a regular expression of RE2.
import { invalid } from '../../http/errors.ts';

const quote = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const quoteValue = (text: string) => quote(text.replaceAll('"', '\\"'));

/** Anything within one element, quoted values as a whole. */
const INSIDE = '(?:[^;"]|"(?:[^"\\\\]|\\\\.)*")*';
const CLASSES = '(?:\\.[^.;:"]+)*';

/** What finds the values of an attribute, `text` or `href`, as the first group. */
export const attributePattern = (name: string): string => `(?::|")${quote(name)}="((?:[^"\\\\]|\\\\.)*)"`;

/** What finds a tag. */
export const tagPattern = '(?:^|;)([^.;:"]+)';

interface SelectorPart {
  tag: string | undefined;
  classes: string[];
  attributes: [string, string][];
  /** The next one outwards is its parent, and not any ancestor. */
  isChild: boolean;
}

const SIMPLE =
  /^(?:\*|([a-zA-Z][\w-]*))?((?:\.(?:[\w/-]|\\[:./])+|#[\w-]+|\[[\w-]+(?:=(?:"[^"]*"|'[^']*'|[^\]"']*))?\]|:nth-(?:child|of-type)\(\d+\))*)$/;
const QUALIFIER =
  /\.((?:[\w/-]|\\[:./])+)|#([\w-]+)|\[([\w-]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\]"']*)))?\]|:(nth-(?:child|of-type))\((\d+)\)/g;

/** The pattern of a CSS selector of tags, classes, ids, attributes and `:nth-child`, joined by blanks or `>`. */
export function selectorPattern(selector: string): string {
  const parts = splitSelector(selector).reverse();
  const patterns = parts.map((part, at) => {
    const between = at === 0 ? '' : part.isChild ? ';' : `(?:;${INSIDE})*;`;
    return between + partPattern(part);
  });
  return `(?:^|;)${patterns.join('')}(?:;|$)`;
}

function splitSelector(selector: string): SelectorPart[] {
  // Blanks inside brackets belong to a value.
  const words = selector.trim().match(/>|(?:\[[^\]]*\]|[^\s>[])+/g) ?? [];
  const parts: SelectorPart[] = [];
  words.forEach((word, at) => {
    if (word !== '>') parts.push(parsePart(word, selector, words[at + 1] === '>'));
  });
  if (parts.length === 0) throw refusal(selector);
  return parts;
}

function parsePart(word: string, selector: string, isChild: boolean): SelectorPart {
  const match = SIMPLE.exec(word);
  if (!match) throw refusal(selector);
  const part: SelectorPart = { tag: match[1], classes: [], attributes: [], isChild };
  for (const [, name, id, attribute, a, b, c, nth, count] of (match[2] ?? '').matchAll(QUALIFIER)) {
    if (name !== undefined) part.classes.push(name.replaceAll('\\', ''));
    else if (id !== undefined) part.attributes.push(['attr_id', id]);
    else if (nth !== undefined) part.attributes.push([nth, count ?? '']);
    else if (attribute !== undefined) part.attributes.push(toAttribute(attribute, a ?? b ?? c));
  }
  part.classes.sort();
  part.attributes.sort(([one], [other]) => (one < other ? -1 : 1));
  return part;
}

/** Ids, links and texts have names of their own in the chain. */
function toAttribute(name: string, value: string | undefined): [string, string] {
  if (value === undefined) return [`attr__${name}`, ''];
  if (name === 'id') return ['attr_id', value];
  if (name === 'href' || name === 'text' || name.startsWith('nth-')) return [name, value];
  return [`attr__${name}`, value];
}

function partPattern({ tag, classes, attributes }: SelectorPart): string {
  const named = tag ? quote(tag) : '[^.;:"]*';
  const withClasses = classes.map((name) => `${CLASSES}\\.${quote(name)}`).join('');
  const withAttributes = attributes.map(([name, value]) =>
    value === '' ? `${INSIDE}${quote(name)}="` : `${INSIDE}${quote(name)}="${quoteValue(value)}"`,
  );
  // A name without a value ends inside quotes, which are closed before the rest is passed over.
  const closed = attributes.at(-1)?.[1] === '' ? '(?:[^"\\\\]|\\\\.)*"' : '';
  const inside = `:${withAttributes.join('')}${closed}${INSIDE}`;
  return `${named}${withClasses}${CLASSES}${attributes.length > 0 ? inside : `(?:${inside})?`}`;
}

const refusal = (selector: string) =>
  invalid(
    `"${selector}" is no selector that can be matched; there are tags, .classes, #ids, [attribute="value"], :nth-child(n), blanks and >.`,
    'selector',
  );
