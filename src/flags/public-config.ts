// What the browser SDK loads from the server it reports to: its configuration, itself, and its extensions.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiError, invalid, notFound } from '../http/errors.ts';
import type { PublicAnswer, PublicEndpoint, PublicRequest } from '../http/public.ts';
import type { ProjectFlags } from './definitions.ts';
import { type FlagParts, findByToken, unknownKey } from './endpoints.ts';
import { toRemoteConfig } from './remote-config.ts';

type Parts = Pick<FlagParts, 'definitions' | 'findProject'>;

const TOKEN = /^[a-zA-Z0-9_-]{1,200}$/;
const SCRIPT = 'application/javascript; charset=utf-8';
/** A changed setting is seen at the next visit of a page. */
const CONFIG_HEADERS = { vary: 'Origin, Referer', 'cache-control': 'no-cache' };
const SCRIPT_HEADERS = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' };

export function publicConfigEndpoints(parts: Parts): PublicEndpoint[] {
  return [
    { paths: ['/array/*'], handle: (request) => answerArray(request, parts) },
    { paths: ['/static/*'], handle: answerStatic },
    { paths: ['/api/early_access_features'], handle: (request) => listEarlyAccess(request, parts) },
    { paths: ['/api/surveys'], handle: (request) => listSurveys(request, parts) },
    // Products that do not exist here; browsers ask for them all the same, and are told that there are none.
    { paths: ['/api/web_experiments'], handle: (request) => listNothing(request, parts, 'experiments') },
    { paths: ['/api/product_tours'], handle: (request) => listNothing(request, parts, 'product_tours') },
  ];
}

async function answerArray(request: PublicRequest, parts: Parts): Promise<PublicAnswer> {
  const [, , token = '', file = '', ...rest] = request.path.split('/');
  if (!TOKEN.test(token)) throw invalid('Invalid token');
  const project = await findByToken(parts, token);
  if (!project || rest.length > 0) throw notFound();
  switch (file) {
    case 'config':
      return { status: 200, body: JSON.stringify(toRemoteConfig(project, request.headers)), headers: CONFIG_HEADERS };
    case 'config.js':
      return { status: 200, body: toScript(project, request), type: SCRIPT, headers: CONFIG_HEADERS };
    case 'array.js': {
      const bundle = await readBundle('array');
      if (!bundle) throw notFound();
      return { status: 200, body: `${bundle}\n${toScript(project, request)}`, type: SCRIPT, headers: CONFIG_HEADERS };
    }
    default:
      throw notFound();
  }
}

function toScript(project: ProjectFlags, { headers }: PublicRequest): string {
  const { siteApps, ...config } = toRemoteConfig(project, headers);
  // Inside a script, the end of one must not appear in a text.
  const value = JSON.stringify({ config, siteApps }).replaceAll('<', '\\u003c');
  return `(function(){(window._POSTHOG_REMOTE_CONFIG=window._POSTHOG_REMOTE_CONFIG||{})[${JSON.stringify(project.api_token)}]=${value}})();`;
}

/** `/static/array.js`, `/static/1.2.3/surveys.js`: one version is installed, and it serves for all. */
async function answerStatic({ path }: PublicRequest): Promise<PublicAnswer> {
  const name = /^\/static\/(?:[\w.-]+\/)?([a-z0-9.-]+)\.js$/.exec(path)?.[1];
  const body = name === undefined ? undefined : await readBundle(name);
  if (body === undefined) throw notFound();
  return { status: 200, body, type: SCRIPT, headers: SCRIPT_HEADERS };
}

const bundles = new Map<string, Promise<string | undefined>>();

/** A script of the installed browser SDK; undefined when there is none, or the SDK is not installed. */
function readBundle(name: string): Promise<string | undefined> {
  let bundle = bundles.get(name);
  if (!bundle) {
    bundle = readInstalled(name);
    bundles.set(name, bundle);
    // Names that nobody knows are not remembered.
    void bundle.then((text) => text === undefined && bundles.delete(name));
  }
  return bundle;
}

async function readInstalled(name: string): Promise<string | undefined> {
  try {
    const folder = dirname(fileURLToPath(import.meta.resolve('posthog-js/package.json')));
    return await readFile(join(folder, 'dist', `${name}.js`), 'utf8');
  } catch {
    return undefined;
  }
}

const noKey = (where: string) =>
  new ApiError(
    401,
    'authentication_error',
    'missing_api_key',
    `API key not provided. You can find your project API key in ${where}.`,
  );

async function getNamedProject({ query }: PublicRequest, parts: Parts): Promise<ProjectFlags> {
  const token = query.get('token') || query.get('api_key');
  if (!token) throw noKey('PostHog project settings');
  const project = await findByToken(parts, token);
  if (!project) throw unknownKey();
  return project;
}

async function listNothing(request: PublicRequest, parts: Parts, name: string): Promise<PublicAnswer> {
  await getNamedProject(request, parts);
  return { status: 200, body: JSON.stringify({ [name]: [] }) };
}

/** The words of this endpoint differ a little from those of the others. */
async function listSurveys({ query }: PublicRequest, parts: Parts): Promise<PublicAnswer> {
  const token = query.get('token') || query.get('api_key');
  if (!token) throw noKey('your PostHog project settings');
  const project = await findByToken(parts, token);
  if (!project) {
    throw new ApiError(
      401,
      'authentication_error',
      'invalid_api_key',
      'Project API key invalid. You can find your project API key in your PostHog project settings.',
    );
  }
  const { surveys, settings } = project;
  return { status: 200, body: JSON.stringify({ surveys, survey_config: settings.survey_config ?? null }) };
}

async function listEarlyAccess(request: PublicRequest, parts: Parts): Promise<PublicAnswer> {
  const { query } = request;
  const project = await getNamedProject(request, parts);
  const stages = query.has('stage') ? query.getAll('stage') : ['beta'];
  const earlyAccessFeatures = project.earlyAccess.filter(({ stage }) => stages.includes(stage));
  return { status: 200, body: JSON.stringify({ earlyAccessFeatures }) };
}
