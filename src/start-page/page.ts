// The start page, whole in one answer: its style and script are inside it, and nothing is fetched from anywhere.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Markup, markup } from '../http/markup.ts';
import { apiSnippet, eventSnippets, type Snippet } from './snippets.ts';

export interface StartPage {
  /** The address that the reader used. */
  origin: string;
  /** Undefined when there is no project. */
  projectKey: string | undefined;
  /** The program takes in events. */
  events: boolean;
  /** The app is on its way; the page looks again by itself. */
  isBuilding?: boolean;
}

const asset = (name: string) => new Markup(readFileSync(new URL(name, import.meta.url), 'utf8'));
const style = asset('./page.css');
const script = asset('./page.js');
const mark = asset('./mark.svg');

const hashOf = ({ text }: Markup) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export const pageHeaders: Readonly<Record<string, string>> = {
  // Only the style and the script of this very page run; everything else is forbidden.
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // The page holds the reader's address and a key that can be rotated.
  'cache-control': 'no-store',
};

export function renderPage(page: StartPage): string {
  const icon = `data:image/svg+xml,${encodeURIComponent(mark.text)}`;
  return `<!doctype html>\n${
    markup`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${page.isBuilding ? markup`<meta http-equiv="refresh" content="${LOOK_AGAIN_SECONDS}">` : markup``}
<title>Tenrec</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
</head>
<body>
<header>
${mark}
<div>
<h1>Tenrec is running</h1>
<p>Product analytics and feature flags, at <code>${page.origin}</code></p>
</div>
</header>
<main>
${page.isBuilding ? building : markup``}
${page.projectKey === undefined ? withoutProject() : withProject({ ...page, projectKey: page.projectKey })}
${nextSteps()}
</main>
<p id="said" role="status" class="unseen"></p>
<script>${script}</script>
</body>
</html>`.text
  }\n`;
}

const LOOK_AGAIN_SECONDS = '2';

const building = markup`<p class="notice"><strong>The app is being built.</strong>
It opens here by itself in a few seconds. The server is ready: these lines work already.</p>`;

const withoutProject = () => markup`<section>
<h2>There is no project yet</h2>
<p>Make one with <code>POST /api/projects/</code>; its key will be shown here.</p>
</section>`;

function withProject(page: StartPage & { projectKey: string }): Markup {
  const events = eventsSection(page);
  const api = apiSection(page);
  return markup`<section>
<h2>Your project key</h2>
${copyable('Project key', page.projectKey)}
<p class="aside">It says where events belong and opens nothing else, so it may stand in web pages and apps.</p>
</section>
${page.events ? [events, api] : [api, events]}`;
}

function eventsSection(page: StartPage & { projectKey: string }): Markup {
  const snippets = eventSnippets(page);
  return markup`<section>
<h2>Send an event</h2>
${page.events ? markup`` : notYet}
<div class="tabs" data-label="Ways to send an event">
${snippets.map(tabPanel)}
</div>
</section>`;
}

const notYet = markup`<p class="notice"><strong>Not in this version yet.</strong>
The server does not take in events so far. These are the lines to use, unchanged, as soon as it does.</p>`;

const tabPanel = ({ id, title, install, code }: Snippet) => markup`<div class="panel" id="panel-${id}">
<h3>${title}</h3>
${install === undefined ? markup`` : copyable(`Install command for ${title}`, install)}
${copyable(`${title} snippet`, code)}
</div>`;

function apiSection(page: StartPage & { projectKey: string }): Markup {
  const { title, code } = apiSnippet(page);
  return markup`<section>
<h2>Ask the API</h2>
<p>Use the personal API key, <code>phx_…</code>, that the very first start printed. Keep it to yourself.</p>
${copyable(title, code)}
</section>`;
}

const nextSteps = () => markup`<section>
<h2>Next</h2>
<ul class="next">
<li><a href="/api/docs/">Browse the API</a><span>Every operation, with its shapes and scopes.</span></li>
<li><a href="/api/schema/">OpenAPI description</a><span>The same for machines: generate a client from it.</span></li>
<li><a href="/_readiness">Readiness</a><span>Whether every service behind the server answers.</span></li>
<li><a href="/metrics">Metrics</a><span>Numbers for Prometheus.</span></li>
</ul>
</section>`;

/** A text with a button that copies it; the button is shown once the script runs. */
const copyable = (label: string, text: string) => markup`<div class="copyable">
<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>
<button type="button" class="copy" aria-label="Copy: ${label}" hidden>Copy</button>
</div>`;
