// What a page is going to need, told to the browser together with the page: otherwise it learns of each part only when
// the one before has been loaded and run.
import type { WebFiles } from './files.ts';

const ME = '/api/users/@me/';
const SHELL = 'src/shell/Shell.tsx';

interface Ahead {
  path: RegExp;
  /** Modules that the page is made of, by their sources. */
  modules: readonly string[];
  /** What it asks the API for first; the page comes with the answers. */
  data: (match: readonly string[]) => string[];
}

/** The first that fits. Addresses of the API have to be those that the app asks for, to the letter. */
const PAGES: readonly Ahead[] = [
  {
    path: /^\/project\/(\d+)\/dashboards\/(\d+)$/,
    modules: [SHELL, 'src/pages/dashboards/DashboardPage.tsx'],
    data: ([, project, dashboard]) => [ME, `/api/projects/${project}/dashboards/${dashboard}/`],
  },
  {
    path: /^\/project\/(\d+)\/dashboards$/,
    modules: [SHELL, 'src/pages/dashboards/DashboardsPage.tsx'],
    data: ([, project]) => [ME, `/api/projects/${project}/dashboards/?limit=500`],
  },
  { path: /^\/(?:project|account)(?:\/|$)/, modules: [SHELL], data: () => [ME] },
];

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

type Chunks = Readonly<Record<string, Chunk>>;

const known = new WeakMap<WebFiles, Chunks>();

/** Of this build, by their sources; read once. Undefined for a build without a list of them. */
function chunksOf(files: WebFiles): Chunks | undefined {
  const manifest = files.get('manifest.json');
  if (!known.has(files) && manifest) known.set(files, JSON.parse(manifest.bytes.toString('utf8')));
  return known.get(files);
}

/** Links for the head of the page at this path. */
export function linksAhead(files: WebFiles, path: string): string {
  const page = PAGES.find((each) => each.path.test(path));
  const chunks = page && chunksOf(files);
  if (!chunks) return '';
  // What the page itself names is on its way already.
  const own = new Set(collectChunks(chunks, ['index.html']));
  const needed = collectChunks(chunks, page.modules).filter((chunk) => !own.has(chunk));
  const ownStyles = new Set([...own].flatMap(({ css = [] }) => css));
  const styles = new Set(needed.flatMap(({ css = [] }) => css).filter((file) => !ownStyles.has(file)));
  return [
    ...[...styles].map((file) => `<link rel="preload" as="style" crossorigin href="/web/${file}">`),
    ...needed.map(({ file }) => `<link rel="modulepreload" crossorigin href="/web/${file}">`),
  ].join('');
}

/** Of the API: what the page at this path asks for first. */
export function addressesAhead(path: string): string[] {
  const page = PAGES.find((each) => each.path.test(path));
  return page ? page.data(page.path.exec(path) ?? []) : [];
}

function collectChunks(chunks: Chunks, names: readonly string[]): Chunk[] {
  const found = new Map<string, Chunk>();
  const visit = (name: string) => {
    const chunk = chunks[name];
    if (!chunk || found.has(name)) return;
    found.set(name, chunk);
    for (const each of chunk.imports ?? []) visit(each);
  };
  for (const name of names) visit(name);
  return [...found.values()];
}
