// `/decide` and `/flags`: one evaluation behind the two faces that a decade of SDKs knows.
import { randomUUID } from 'node:crypto';
import { ApiError, invalid } from '../http/errors.ts';
import type { PublicAnswer, PublicEndpoint, PublicRequest } from '../http/public.ts';
import { Unavailable } from '../platform/unavailable.ts';
import { when } from '../platform/when.ts';
import { type DecideParts, decideFlags } from './decide.ts';
import type { Definitions, ProjectFlags } from './definitions.ts';
import type { Evaluation } from './evaluation/evaluate.ts';
import { configText, minimalConfigText } from './remote-config.ts';
import { type FlagRequest, readFlagRequest } from './request.ts';
import { toActiveValues, toDetails, toKeyList, toValues } from './response.ts';

export interface FlagParts extends DecideParts {
  definitions: Definitions;
  /** The project of a key; undefined when no project has it. */
  findProject(token: string): Promise<number | undefined> | number | undefined;
}

export function flagEndpoints(parts: FlagParts): PublicEndpoint[] {
  return [
    { paths: ['/decide'], handle: (request) => decide(request, parts), refuse: refuseDecide },
    { paths: ['/flags'], handle: (request) => flags(request, parts), refuse: refuseFlags },
  ];
}

const TOKEN = /^[\x21-\x7e]{1,200}$/;
const NOTHING: Evaluation = { answers: [], failed: [] };

/** An object of these members, each of which is JSON text. */
const json = (...members: string[]): PublicAnswer => ({ status: 200, body: `{${members.join()}}` });

const requestId = () => `"requestId":"${randomUUID()}"`;

// The project of a key

const noKey = () =>
  new ApiError(
    401,
    'authentication_error',
    'no_api_key',
    'No project API key provided. You can find your project API key in PostHog project settings.',
  );

export const unknownKey = () =>
  new ApiError(
    401,
    'authentication_error',
    'invalid_api_key',
    'Project API key invalid. You can find your project API key in PostHog project settings.',
  );

const noDistinctId = () => invalid('Decide requires a distinct_id.', null, 'missing_distinct_id');

/** Definitions in memory know their key; PostgreSQL is only asked for a project that was not asked for before. */
export async function findByToken(
  { definitions, findProject }: Pick<FlagParts, 'definitions' | 'findProject'>,
  token: string,
): Promise<ProjectFlags | undefined> {
  const loaded = definitions.findLoaded(token);
  if (loaded) return loaded;
  // No project has a key of another form, and PostgreSQL would not even take every text.
  if (!TOKEN.test(token)) return undefined;
  const team_id = await findProject(token);
  return team_id === undefined ? undefined : definitions.find(team_id);
}

function getByToken(parts: FlagParts, token: string | undefined): ProjectFlags | Promise<ProjectFlags> {
  if (token === undefined) throw noKey();
  return when(parts.definitions.findLoaded(token) ?? findByToken(parts, token), (project) => {
    if (!project) throw unknownKey();
    return project;
  });
}

function evaluate(
  project: ProjectFlags,
  asked: FlagRequest,
  sender: PublicRequest,
  parts: FlagParts,
): Promise<Evaluation> | Evaluation {
  if (asked.isDisabled) return NOTHING;
  if (!isAboutSomebody(asked)) throw noDistinctId();
  return decideFlags(project, asked, sender, parts);
}

const isAboutSomebody = (asked: FlagRequest): asked is FlagRequest & { distinct_id: string } =>
  asked.distinct_id !== undefined;

/** From what was asked for to what it is answered with. Nothing is waited for when all that decides is in memory. */
const answer = (
  asked: FlagRequest,
  sender: PublicRequest,
  parts: FlagParts,
  toAnswer: (project: ProjectFlags, evaluation: Evaluation) => PublicAnswer,
): PublicAnswer | Promise<PublicAnswer> =>
  when(getByToken(parts, asked.token), (project) =>
    when(evaluate(project, asked, sender, parts), (evaluation) => toAnswer(project, evaluation)),
  );

// /decide

function decide(request: PublicRequest, parts: FlagParts): PublicAnswer | Promise<PublicAnswer> {
  if (request.method !== 'POST') return json(minimalConfigText, toActiveValues(NOTHING));
  const shape = decideShape(readVersion(request.query.getAll('v').at(-1)));
  const toAnswer = (project: ProjectFlags, evaluation: Evaluation) =>
    json(configText(project, request.headers), requestId(), shape(evaluation));
  return when(readFlagRequest(request), (asked) => answer(asked, request, parts, toAnswer));
}

/** What is no whole number counts as 2. */
function readVersion(v: string | undefined): number {
  if (!v) return 1;
  return /^\s*[+-]?\d+\s*$/.test(v) ? Number(v) : 2;
}

function decideShape(version: number): (evaluation: Evaluation) => string {
  if (version <= 1) return toKeyList;
  if (version === 2) return toActiveValues;
  return version === 3 ? toValues : toDetails;
}

function refuseDecide(error: unknown): PublicAnswer | undefined {
  if (!(error instanceof ApiError) || error.code !== 'malformed_data') return undefined;
  const told = invalid(`Malformed request data: ${error.message}`, null, error.code);
  return { status: 400, body: JSON.stringify(told) };
}

// /flags

function flags(request: PublicRequest, parts: FlagParts): PublicAnswer | Promise<PublicAnswer> {
  const { hasDetails, hasConfig } = readFlagsQuery(request.query);
  const shape = hasDetails ? toDetails : toValues;
  if (request.method !== 'POST') return json(minimalConfigText, requestId(), shape(NOTHING));
  const toAnswer = (project: ProjectFlags, evaluation: Evaluation) => {
    const config = hasConfig ? [configText(project, request.headers)] : [];
    return json(...config, shape(evaluation), requestId(), `"evaluatedAt":${Date.now()}`);
  };
  return when(readFlagRequest(request), (asked) => {
    if (asked.token === undefined) throw noKey();
    if (!isAboutSomebody(asked) && !asked.isDisabled) throw noDistinctId();
    return answer(asked, request, parts, toAnswer);
  });
}

/** Whoever names neither a version nor whether the configuration is wanted gets the newest shape, and all of it. */
function readFlagsQuery(query: URLSearchParams): { hasDetails: boolean; hasConfig: boolean } {
  const given = query.get('v') || query.get('version');
  const config = query.get('config');
  const isBare = !given && !config;
  const v = isBare ? 2 : /^\d+$/.test(given ?? '') ? Number(given) : 1;
  return { hasDetails: v >= 2, hasConfig: isBare || config === 'true' || config === '1' };
}

const FLAGS_TEXTS: Readonly<Record<string, (error: ApiError) => string>> = {
  malformed_data: ({ message }) =>
    `Failed to decode request: ${message}. Please check your request format and try again.`,
  missing_distinct_id: () => 'The distinct_id field is missing from the request. Please include a valid identifier.',
  no_api_key: () => 'No API token provided. Please include a valid API token in your request.',
  invalid_api_key: () => 'The provided API key is invalid or has expired. Please check your API key and try again.',
};

function refuseFlags(error: unknown): PublicAnswer | undefined {
  const type = 'text/plain; charset=utf-8';
  if (error instanceof Unavailable) {
    const body = `${error.service} is not available. Please try again shortly.`;
    return { status: 503, body, type, headers: { 'retry-after': '1' } };
  }
  const text = error instanceof ApiError ? FLAGS_TEXTS[error.code] : undefined;
  return text && { status: (error as ApiError).status, body: text(error as ApiError), type };
}
