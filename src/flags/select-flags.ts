// Which of a project's flags a request is about, before any is evaluated.
import type { IncomingHttpHeaders } from 'node:http';
import type { PreparedFlag } from './evaluation/prepare.ts';
import type { FlagRequest, Runtime } from './request.ts';

const SURVEY_PREFIX = 'survey-targeting-';
const BROWSER = /Mozilla\/|Chrome\/|Safari\/|Firefox\/|Edge\//;
const CLIENT_SDK = /^posthog-(?:android|ios|react-native|flutter)\//;
const SERVER_SDK = /^posthog-(?:python|ruby|php|java|go|node|dotnet|elixir)\/|python-requests\/|curl\//;
const BROWSER_HEADERS = ['origin', 'referer', 'sec-fetch-mode', 'sec-fetch-site'] as const;

export function selectFlags(
  flags: readonly PreparedFlag[],
  request: FlagRequest,
  headers: IncomingHttpHeaders,
): readonly PreparedFlag[] {
  const { flag_keys, onlySurveyFlags, evaluation_contexts } = request;
  if (!flag_keys && !onlySurveyFlags && areForAll(flags)) return flags;
  const runtime = request.evaluation_runtime ?? guessRuntime(headers);
  const isMeant = ({ definition }: PreparedFlag) =>
    (flag_keys?.has(definition.key) ?? true) &&
    (!onlySurveyFlags || definition.key.startsWith(SURVEY_PREFIX)) &&
    fitsRuntime(definition.evaluation_runtime, runtime) &&
    fitsContexts(definition.evaluation_contexts ?? [], evaluation_contexts);
  // Most requests are about all flags; then the list is the project's own, and what is known of it can be kept.
  return flags.every(isMeant) ? flags : flags.filter(isMeant);
}

const knownForAll = new WeakMap<readonly PreparedFlag[], boolean>();

/** Most projects have no flag that is only meant for some requests. */
function areForAll(flags: readonly PreparedFlag[]): boolean {
  let areAll = knownForAll.get(flags);
  if (areAll === undefined) {
    areAll = flags.every(
      ({ definition: { evaluation_runtime, evaluation_contexts } }) =>
        fitsRuntime(evaluation_runtime, undefined) && !evaluation_contexts?.length,
    );
    knownForAll.set(flags, areAll);
  }
  return areAll;
}

/** Undefined when nothing tells; then only flags for everybody fit. */
export function guessRuntime(headers: IncomingHttpHeaders): Runtime | undefined {
  const agent = headers['user-agent'] ?? '';
  if (BROWSER.test(agent) || CLIENT_SDK.test(agent)) return 'client';
  if (SERVER_SDK.test(agent)) return 'server';
  return BROWSER_HEADERS.some((name) => headers[name] !== undefined) ? 'client' : undefined;
}

const fitsRuntime = (wanted: string | null | undefined, runtime: Runtime | undefined) =>
  !wanted || wanted === 'all' || runtime === 'all' || wanted === runtime;

/** A request without contexts gets every flag; a flag without contexts goes to every request. */
const fitsContexts = (wanted: readonly string[], given: readonly string[]) =>
  wanted.length === 0 || given.length === 0 || wanted.some((context) => given.includes(context));
