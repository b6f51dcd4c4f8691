// Fills the configuration table of the README from the options in the code: `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { options } from '../config.ts';

export const README = new URL('../../README.md', import.meta.url);
const BEGIN = '<!-- options -->';
const END = '<!-- /options -->';

export function printOptionsTable(): string {
  const rows = Object.entries(options).map(([name, { fallback, about }]) => {
    const shown = fallback === '' ? '' : `\`${fallback}\``;
    return `| \`${name}\` | ${shown} | ${about.replaceAll('|', '\\|')} |`;
  });
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** The text with the table of today between its two marks. */
export function withOptionsTable(text: string): string {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) {
    throw new Error(`README.md has no place for the table of options: put ${BEGIN} and ${END} where it belongs.`);
  }
  return `${text.slice(0, from + BEGIN.length)}\n${printOptionsTable()}\n${text.slice(to)}`;
}

if (import.meta.main) writeFileSync(README, withOptionsTable(readFileSync(README, 'utf8')));
