// HTML that people write into surveys and that is shown on other people's pages: only what formats text is left of it.

/** Tags, and the attributes that each keeps. */
const ALLOWED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    a: ['href', 'title'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ...Object.fromEntries(
      `abbr b blockquote br caption center code col dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i
       ins kbd li mark ol p pre q s samp small span strike strong sub summary sup table tbody td tfoot th thead tr u ul`
        .split(/\s+/)
        .map((tag) => [tag, ['title']]),
    ),
  }),
);
/** What stands between these is no text. */
const WITH_CONTENT = /<(script|style|iframe|object|embed|template|noscript|svg|math)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const COMMENT = /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>?/g;
const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s+[^\s=<>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))?)*)\s*\/?>/gi;
const ATTRIBUTE = /([^\s=<>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+)))?/g;
const LINK = /^(?:https?:|mailto:|\/(?!\/)|#)/i;
const LOOKS_LIKE_HTML = /<[a-z!/?]/i;

export function sanitizeHtml(text: string): string {
  if (!LOOKS_LIKE_HTML.test(text)) return text;
  const visible = text.replace(WITH_CONTENT, '').replace(COMMENT, '');
  let clean = '';
  let upTo = 0;
  for (const match of visible.matchAll(TAG)) {
    const [whole, slash, tag = '', attributes = ''] = match;
    clean += withoutBrackets(visible.slice(upTo, match.index)) + printTag(slash !== '', tag.toLowerCase(), attributes);
    upTo = match.index + whole.length;
  }
  return clean + withoutBrackets(visible.slice(upTo));
}

/** What is no whole tag is no tag. */
const withoutBrackets = (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function printTag(isEnd: boolean, tag: string, attributes: string): string {
  const allowed = ALLOWED.get(tag);
  if (!allowed) return '';
  if (isEnd) return `</${tag}>`;
  const kept = [...attributes.matchAll(ATTRIBUTE)].flatMap(([, name = '', ...values]) => {
    const value = values.find((one) => one !== undefined) ?? '';
    const isLink = name.toLowerCase() === 'href' || name.toLowerCase() === 'src';
    if (!allowed.includes(name.toLowerCase()) || (isLink && !LINK.test(value.trim()))) return [];
    return [` ${name.toLowerCase()}="${withoutBrackets(value).replaceAll('"', '&quot;')}"`];
  });
  // A page that is opened from a survey gets no hold on the one it was opened from.
  return `<${tag}${kept.join('')}${tag === 'a' ? ' rel="noopener noreferrer"' : ''}>`;
}
