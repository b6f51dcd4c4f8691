// A page of the app, with what the app is going to ask for, asked already, and a dashboard as a drawing, which stands
// there until the app does.
import type { Logger } from '../platform/logger.ts';
import { addressesAhead, linksAhead } from './ahead.ts';
import type { DrawDashboard } from './drawing.ts';
import type { WebFiles } from './files.ts';

const NONCE = '{{nonce}}';
const ROOT = '<div id="root">';
const END = '</body>';
/** Together; a page that is larger than this is no longer quick, and the server has other things to do. */
const ANSWERS_LENGTH_MAX = 1_000_000;

/** Whoever looks at the page. */
export interface Visitor {
  /** What the API answers them at an address, as text; undefined when it refuses. */
  ask(address: string): Promise<string | undefined>;
  locale: string | undefined;
  /** Light or dark, when they chose one; otherwise it is as their machine has it. */
  theme: string | undefined;
}

interface PageParts {
  files: WebFiles;
  name: string;
  path: string;
  nonce: string;
  visitor: Visitor;
  draw: () => Promise<DrawDashboard | undefined>;
  log: Logger;
}

export async function printPage(parts: PageParts): Promise<string> {
  const page = withTheme(readPage(parts), parts.visitor.theme).replace(
    '</head>',
    () => `${linksAhead(parts.files, parts.path)}</head>`,
  );
  try {
    return await fillPage(page, parts);
  } catch (error) {
    // The app finds out by itself whatever it was to be told.
    parts.log.error({ error }, 'a page was sent without what it needs');
    return page;
  }
}

/** Before the first paint, so that a dark screen does not flash white. */
const withTheme = (page: string, theme: string | undefined) =>
  theme === 'light' || theme === 'dark' ? page.replace('<html', `<html data-mantine-color-scheme="${theme}"`) : page;

export function readPage({ files, name, nonce }: Pick<PageParts, 'files' | 'name' | 'nonce'>): string {
  const page = files.get(name);
  if (!page) throw new Error(`the build of the web app has no ${name}`);
  return page.bytes.toString('utf8').replaceAll(NONCE, nonce);
}

async function fillPage(page: string, parts: PageParts): Promise<string> {
  const answers = await askAhead(parts);
  if (answers.size === 0) return page;
  const drawing = await drawAhead(answers, parts);
  // Functions, because texts from outside may hold what `replace` would understand.
  return withAnswers(putBeforeApp(page, drawing), answers);
}

const STYLE_SHEETS = /<link rel="stylesheet"[^>]*>\s*/g;

/** The drawing brings its own styles and does not wait for those of the app, which come behind it. */
function putBeforeApp(page: string, drawing: string): string {
  if (drawing === '') return page;
  const sheets = page.match(STYLE_SHEETS) ?? [];
  return page.replace(STYLE_SHEETS, '').replace(ROOT, () => drawing + sheets.join('') + ROOT);
}

/** Bodies of answers by the addresses that gave them. */
type Answers = ReadonlyMap<string, string>;

/** All or none: whoever is refused one is about to be sent elsewhere. */
async function askAhead({ path, visitor }: PageParts): Promise<Answers> {
  const addresses = addressesAhead(path);
  const answers = await Promise.all(addresses.map(async (address) => [address, await visitor.ask(address)] as const));
  const isRefused = answers.some(([, answer]) => answer === undefined);
  const length = answers.reduce((sum, [, answer]) => sum + (answer?.length ?? 0), 0);
  return new Map(isRefused || length > ANSWERS_LENGTH_MAX ? [] : (answers as [string, string][]));
}

/** As data, which no browser runs; nothing in it can end the element that it is in. */
export function withAnswers(page: string, answers: Answers): string {
  const members = [...answers].map(([address, answer]) => `${JSON.stringify(address)}:${answer}`);
  const data = `{${members.join(',').replaceAll('<', '\\u003c')}}`;
  return page.replace(END, () => `<script type="application/json" id="ahead">${data}</script>${END}`);
}

const DASHBOARD = /^\/project\/(\d+)\/dashboards\/\d+$/;

async function drawAhead(answers: Answers, { path, nonce, visitor, draw }: PageParts): Promise<string> {
  const [, projectId] = DASHBOARD.exec(path) ?? [];
  const drawDashboard = projectId === undefined ? undefined : await draw();
  if (!drawDashboard) return '';
  const [me, dashboard] = [...answers.values()].map((answer) => JSON.parse(answer));
  const { markup, style } = drawDashboard({ projectId: Number(projectId), me, dashboard, locale: visitor.locale });
  return `<style nonce="${nonce}">${style}</style>${markup}`;
}
