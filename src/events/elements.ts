// The elements of a click, read from the text in which they are stored, innermost first.

export interface ClickedElement {
  event: null;
  text: string | null;
  tag_name: string | null;
  attr_class: string[] | null;
  href: string | null;
  attr_id: string | null;
  nth_child: number | null;
  nth_of_type: number | null;
  attributes: Record<string, string>;
  order: number;
}

/** `a.link:href="/"text="Home";li:nth-child="1"`; a semicolon inside quotes belongs to the value. */
const LINK = /(?:[^;"\\]|\\[\s\S]?|"(?:[^"\\]|\\[\s\S])*(?:"|$))+/g;
/** Classes may hold colons themselves; attributes begin at the first one that a name and an equals sign follow. */
const ATTRIBUTES_START = /:(?=[\w-]*=)/;
const ATTRIBUTE = /((?:[^="\\]|\\[\s\S])*)="((?:[^"\\]|\\[\s\S])*)"/g;

export function parseElementsChain(chain: string): ClickedElement[] {
  return (chain.match(LINK) ?? []).map(parseElement);
}

function parseElement(link: string, order: number): ClickedElement {
  const start = ATTRIBUTES_START.exec(link)?.index ?? link.replace(/:$/, '').length;
  const [tag_name, ...classes] = link.slice(0, start).split('.');
  const attributes = new Map(
    [...link.slice(start + 1).matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [unquote(name), unquote(value)]),
  );
  const take = (name: string): string | null => {
    const value = attributes.get(name) ?? null;
    attributes.delete(name);
    return value;
  };
  return {
    event: null,
    text: take('text'),
    tag_name: tag_name || null,
    attr_class: classes.length > 0 ? classes.filter((name) => name !== '') : null,
    href: take('href'),
    attr_id: take('attr_id'),
    nth_child: toCount(take('nth-child')),
    nth_of_type: toCount(take('nth-of-type')),
    attributes: Object.fromEntries(attributes),
    order,
  };
}

const unquote = (text: string): string => text.replaceAll('\\"', '"');
const toCount = (text: string | null): number | null => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null);
