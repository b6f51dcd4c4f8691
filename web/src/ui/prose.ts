// A little Markdown: headings, lists, bold, code and links. Everything else stays text; nothing becomes HTML.

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'bold'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'link'; text: string; href: string };

export type Block =
  | { kind: 'heading'; level: 1 | 2 | 3; parts: Inline[] }
  | { kind: 'list'; items: Inline[][] }
  | { kind: 'paragraph'; parts: Inline[] };

const INLINE = /\*\*(?<bold>[^*]+)\*\*|`(?<code>[^`]+)`|\[(?<text>[^\]]+)\]\((?<href>https?:\/\/[^\s)]+|\/[^\s)]*)\)/g;

export function parseInline(line: string): Inline[] {
  const parts: Inline[] = [];
  let at = 0;
  for (const match of line.matchAll(INLINE)) {
    if (match.index > at) parts.push({ kind: 'text', text: line.slice(at, match.index) });
    const { bold, code, text, href } = match.groups ?? {};
    if (bold !== undefined) parts.push({ kind: 'bold', text: bold });
    else if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (text !== undefined && href !== undefined) parts.push({ kind: 'link', text, href });
    at = match.index + match[0].length;
  }
  if (at < line.length) parts.push({ kind: 'text', text: line.slice(at) });
  return parts;
}

export function parseProse(source: string): Block[] {
  const blocks: Block[] = [];
  for (const line of source.split('\n')) {
    const heading = /^(#{1,3})\s+(.*)$/.exec(line);
    const item = /^\s*[-*]\s+(.*)$/.exec(line);
    const last = blocks.at(-1);
    if (heading) {
      blocks.push({ kind: 'heading', level: heading[1]?.length as 1 | 2 | 3, parts: parseInline(heading[2] ?? '') });
    } else if (item) {
      const parts = parseInline(item[1] ?? '');
      if (last?.kind === 'list') last.items.push(parts);
      else blocks.push({ kind: 'list', items: [parts] });
    } else if (line.trim() !== '') {
      blocks.push({ kind: 'paragraph', parts: parseInline(line) });
    }
  }
  return blocks;
}
