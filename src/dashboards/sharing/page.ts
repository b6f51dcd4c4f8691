// The public pages: plain, whole in one answer, and fetching nothing from anywhere.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { Markup, markup } from '../../http/markup.ts';
import type { Insight } from '../insights/wire.ts';
import type { Tile } from '../tiles/wire.ts';
import type { SharedThing } from './wire.ts';

const style = new Markup(readFileSync(new URL('./page.css', import.meta.url), 'utf8'));
const styleHash = `'sha256-${createHash('sha256').update(style.text).digest('base64')}'`;

/** Framing is what an embedded page is for; every other is shown by itself only. */
export const headersOf = (embedded: boolean): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${styleHash}`,
    "base-uri 'none'",
    "form-action 'self'",
    ...(embedded ? [] : ["frame-ancestors 'none'"]),
  ].join('; '),
  'x-content-type-options': 'nosniff',
  // The address is the key, so it is told to nobody.
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
});

const frame = (title: string, body: Markup) =>
  `<!doctype html>\n${
    markup`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>`.text
  }\n`;

export function renderShared(thing: SharedThing): string {
  const { dashboard, insight, noHeader, whitelabel } = thing;
  const title = (dashboard ? dashboard.name : insight?.name || insight?.derived_name) || 'Untitled';
  const description = dashboard?.description ?? insight?.description ?? '';
  const header = markup`<header><h1>${title}</h1><p>${description}</p></header>`;
  const articles = dashboard ? dashboard.tiles.map(tileArticle) : insight ? [insightArticle(insight)] : [];
  const content = articles.length > 0 ? articles : [markup`<p class="quiet">There is nothing on it yet.</p>`];
  return frame(
    title,
    markup`${noHeader ? [] : header}<main>${content}</main>${whitelabel ? [] : markup`<footer>Tenrec</footer>`}`,
  );
}

const tileArticle = ({ insight, text }: z.output<typeof Tile>): Markup =>
  insight ? insightArticle(insight) : markup`<article class="text">${text?.body ?? ''}</article>`;

const insightArticle = ({ name, derived_name, description }: z.output<typeof Insight>): Markup =>
  markup`<article><h2>${name || derived_name || 'Untitled'}</h2><p>${description ?? ''}</p>
<p class="quiet">This has not been computed yet.</p></article>`;

export const renderUnlock = (isWrong: boolean): string =>
  frame(
    'Password needed',
    markup`<h1>Password needed</h1>
<p>${isWrong ? 'That password is not right.' : 'Whoever shared this page has chosen a password for it.'}</p>
<form method="post"><label>Password <input type="password" name="password" required autofocus></label>
<button>Open</button></form>`,
  );

export const renderMissing = (): string =>
  frame(
    'Not found',
    markup`<h1>There is nothing here</h1><p>The link is wrong, or what it showed is no longer shared.</p>`,
  );
