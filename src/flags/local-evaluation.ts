// Definitions for SDKs that evaluate on their own servers.
import { createHash } from 'node:crypto';
import type { PublicAnswer, PublicEndpoint, PublicRequest } from '../http/public.ts';
import type { Definitions, ProjectFlags, StoredCohort, StoredFlag } from './definitions.ts';
import { unknownKey } from './endpoints.ts';
import { listInnerCohorts, readCohortId } from './evaluation/cohort.ts';
import { isObject } from './evaluation/values.ts';
import type { FindFlagReader } from './secret-keys.ts';
import { withoutSecrets } from './secret-payloads.ts';

export interface LocalEvaluationParts {
  definitions: Definitions;
  findReader: FindFlagReader;
}

/** Current SDKs ask the first; everything before April 2026, and Android's server SDK, the second. */
export function localEvaluationEndpoints(parts: LocalEvaluationParts): PublicEndpoint[] {
  return [
    { paths: ['/flags/definitions'], handle: (request) => answer(request, parts, true) },
    {
      paths: ['/api/feature_flag/local_evaluation'],
      handle: (request) => answer(request, parts, request.query.has('send_cohorts')),
    },
  ];
}

async function answer(
  request: PublicRequest,
  parts: LocalEvaluationParts,
  withCohorts: boolean,
): Promise<PublicAnswer> {
  if (request.method === 'POST') return { status: 405, body: '', headers: { allow: 'GET, OPTIONS, HEAD' } };
  const { body, etag } = toDefinitions(await getProject(request, parts), withCohorts);
  const headers = { etag, 'cache-control': 'private, must-revalidate' };
  return isSame(request.headers['if-none-match'], etag)
    ? { status: 304, body: '', headers }
    : { status: 200, body, headers };
}

async function getProject(request: PublicRequest, parts: LocalEvaluationParts): Promise<ProjectFlags> {
  const { method, headers, query } = request;
  const params = { project_id: '@current' };
  const team_id = await parts.findReader({ method, headers, query, params, cookies: {}, body: undefined });
  const found = await parts.definitions.find(team_id);
  if (!found) throw unknownKey();
  return found;
}

/** Weak or strong, one or several. */
const isSame = (given: string | undefined, etag: string) =>
  given?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag.replace(/^W\//, '')) ?? false;

interface Text {
  body: string;
  etag: string;
}

/** The same definitions are asked for every few seconds by every server of a project. */
const known = new WeakMap<ProjectFlags, Map<boolean, Text>>();

export function toDefinitions(project: ProjectFlags, withCohorts: boolean): Text {
  const texts = known.get(project) ?? new Map<boolean, Text>();
  known.set(project, texts);
  let text = texts.get(withCohorts);
  if (!text) {
    const body = JSON.stringify(describe(project, withCohorts));
    text = { body, etag: `W/"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"` };
    texts.set(withCohorts, text);
  }
  return text;
}

function describe(project: ProjectFlags, withCohorts: boolean) {
  const flags = project.flags.filter((flag) => !flag.is_remote_configuration);
  const chains = new DependencyChains(project.flags);
  return {
    flags: flags.map((flag) => ({ ...toMinimalFlag(flag), filters: withChains(withoutSecrets(flag), chains) })),
    group_type_mapping: Object.fromEntries([...project.groupTypes].map(([name, index]) => [String(index), name])),
    cohorts: withCohorts ? toCohorts(flags, project.cohorts) : {},
  };
}

/** A flag inside another answer: a survey's, an early access feature's. */
export function toMinimalFlag(flag: StoredFlag) {
  return {
    id: flag.id,
    team_id: flag.team_id,
    name: flag.name,
    key: flag.key,
    filters: withoutSecrets(flag),
    deleted: flag.deleted,
    active: flag.active,
    ensure_experience_continuity: flag.ensure_experience_continuity,
    has_encrypted_payloads: flag.has_encrypted_payloads,
    version: flag.version,
    evaluation_runtime: flag.evaluation_runtime,
    bucketing_identifier: flag.bucketing_identifier,
    evaluation_contexts: flag.evaluation_contexts,
  };
}

/** All cohorts that properties alone decide, of those the flags name and those inside them. SDKs ask us for the others. */
function toCohorts(flags: readonly StoredFlag[], cohorts: readonly StoredCohort[]): Record<string, unknown> {
  const byId = new Map(cohorts.map((cohort) => [cohort.id, cohort]));
  const told: Record<string, unknown> = {};
  const pending = flags.flatMap(({ filters }) => listFilters(filters)).flatMap(cohortOf);
  while (pending.length > 0) {
    const id = pending.pop()!;
    const cohort = byId.get(id);
    if (!cohort || cohort.is_static || Object.hasOwn(told, id)) continue;
    told[id] = cohort.filters?.properties ?? { type: 'AND', values: [] };
    pending.push(...listInnerCohorts(cohort.filters));
  }
  return told;
}

function cohortOf({ type, value }: Record<string, unknown>): number[] {
  const id = type === 'cohort' ? readCohortId(value) : undefined;
  return id === undefined ? [] : [id];
}

/** All property filters of a flag's conditions. */
export function listFilters(filters: unknown): Record<string, unknown>[] {
  const groups = isObject(filters) && Array.isArray(filters.groups) ? filters.groups : [];
  return groups
    .filter(isObject)
    .flatMap(({ properties }) => (Array.isArray(properties) ? properties.filter(isObject) : []));
}

/** SDKs know flags by key, and want to be told what must be evaluated before. */
function withChains(filters: Record<string, unknown>, chains: DependencyChains): Record<string, unknown> {
  if (!listFilters(filters).some(({ type }) => type === 'flag')) return filters;
  const groups = (filters.groups as unknown[]).map((group) => {
    if (!isObject(group) || !Array.isArray(group.properties)) return group;
    return { ...group, properties: group.properties.map((filter) => chains.rewrite(filter)) };
  });
  return { ...filters, groups };
}

class DependencyChains {
  readonly #byId: ReadonlyMap<number, StoredFlag>;

  constructor(flags: readonly StoredFlag[]) {
    this.#byId = new Map(flags.map((flag) => [flag.id, flag]));
  }

  rewrite(filter: unknown): unknown {
    const flag = isObject(filter) && filter.type === 'flag' ? this.#byId.get(Number(filter.key)) : undefined;
    return flag ? { ...(filter as object), key: flag.key, dependency_chain: this.#chainTo(flag) } : filter;
  }

  /** The flags that must come before, each after its own, and the flag itself last. Empty when it waits for itself. */
  #chainTo(target: StoredFlag): string[] {
    const done = new Set<StoredFlag>();
    const open = new Set<StoredFlag>();
    // A flag is seen twice: on the way in, and on the way out when all before it are done.
    const pending = [target];
    while (pending.length > 0) {
      const flag = pending.at(-1)!;
      const before = done.has(flag) || open.has(flag) ? [] : this.#dependenciesOf(flag);
      if (before.some((one) => open.has(one) || one === flag)) return [];
      if (open.has(flag) || before.length === 0) {
        open.delete(flag);
        done.add(flag);
        pending.pop();
      } else {
        open.add(flag);
        pending.push(...before.filter((one) => !done.has(one)));
      }
    }
    return [...done].map(({ key }) => key);
  }

  #dependenciesOf({ filters }: StoredFlag): StoredFlag[] {
    return listFilters(filters)
      .filter(({ type }) => type === 'flag')
      .flatMap(({ key }) => this.#byId.get(Number(key)) ?? []);
  }
}
