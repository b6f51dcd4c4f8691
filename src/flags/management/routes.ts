// Feature flags over the management API.
import type { Pool } from 'pg';
import { z } from 'zod';
import { invalid, notFound } from '../../http/errors.ts';
import { dict, integer, list, nullable, optional } from '../../http/fields.ts';
import { paged, readPage } from '../../http/paging.ts';
import { created, empty, projectRoute, Reply, type Route } from '../../http/route.ts';
import type { FeatureFlagRow } from '../../metadata/tables.ts';
import { parseId } from '../../projects/access/gate.ts';
import type { EventStore } from '../../store/open.ts';
import { activityRoutes } from '../activity.ts';
import { type DecideParts, decideFlags } from '../decide.ts';
import type { Definitions, ProjectFlags } from '../definitions.ts';
import { isObject, toText } from '../evaluation/values.ts';
import { loaderById } from '../load.ts';
import { toMinimalFlag } from '../local-evaluation.ts';
import { plainRequest } from '../request.ts';
import { toValue } from '../response.ts';
import type { PayloadVault } from '../secret-payloads.ts';
import { createUsageDashboard, findUsageDashboards } from '../usage/dashboard.ts';
import { findLastCalls } from '../usage/last-calls.ts';
import { usageRoutes } from '../usage/routes.ts';
import { countAffected } from './blast-radius.ts';
import { changeFlag, createFlag } from './change.ts';
import { explainRoute } from './explain.ts';
import { pickListed } from './list.ts';
import {
  type Db,
  findAuthors,
  findFlag,
  listEarlyAccessOf,
  listLiveCohorts,
  listLiveFlags,
  listVersions,
} from './sql.ts';
import { statusOf } from './status.ts';
import { Flag, FlagChange, FlagPage, FlagVersionPage, NewFlag, toAuthor, toFlag } from './wire.ts';

export interface FlagRouteParts extends DecideParts {
  db: Db;
  pool: Pool;
  store: EventStore;
  vault: PayloadVault;
  definitions: Definitions;
}

const READ = { scope: 'feature_flag:read' };
const WRITE = { scope: 'feature_flag:write' };
const AnyValue = z.union([z.boolean(), z.string()]);

export function flagRoutes(parts: FlagRouteParts): Route[] {
  const { db, pool, vault, definitions } = parts;

  const load = loaderById((team_id, id) => findFlag(db, team_id, id));

  const show = async (flags: readonly FeatureFlagRow[], team_id: number) => {
    const features = new Map<number, unknown[]>();
    for (const { feature_flag_id, ...feature } of await listEarlyAccessOf(db, team_id)) {
      if (feature_flag_id !== null) features.set(feature_flag_id, [feature]);
    }
    const around = {
      authors: await findAuthors(
        db,
        flags.flatMap((flag) => [flag.created_by_id, flag.last_modified_by_id]),
      ),
      cohortNames: new Map((await listLiveCohorts(db, team_id)).map(({ id, name }) => [id, name])),
      features,
      surveys: Map.groupBy((await definitions.find(team_id))?.surveys ?? [], (survey) => survey.linked_flag_key ?? ''),
      lastCalls: await findLastCalls(db, team_id),
      usageDashboards: await findUsageDashboards(
        db,
        flags.map(({ id }) => id),
      ),
      nowMs: Date.now(),
    };
    return flags.map((flag) => toFlag(flag, around));
  };
  const showOne = async (flag: FeatureFlagRow) => (await show([flag], flag.team_id))[0];

  const getDefinitions = async (team_id: number): Promise<ProjectFlags> => {
    const project = await definitions.find(team_id);
    if (!project) throw notFound('Project not found.');
    return project;
  };

  /** What every active flag is for somebody, from this server's point of view. */
  const evaluateFor = async (project: ProjectFlags, distinct_id: string, groups: unknown) => {
    const sender = { headers: {}, socketAddress: undefined };
    const request = plainRequest(distinct_id, groups);
    const { answers } = await decideFlags(project, request, sender, parts);
    return new Map(answers.map((answer) => [answer.flag.definition.key, answer]));
  };

  return [
    projectRoute('GET', '/feature_flags/', {
      ...READ,
      summary: 'List the feature flags, newest first',
      query: {
        active: 'true, false or STALE.',
        search: 'Finds part of the key or the name.',
        type: 'boolean, multivariant, experiment or remote_config.',
        created_by_id: 'Made by this user.',
        order: 'A field, with a hyphen before it for the opposite order.',
        limit: 'Page size, 100 unless given.',
        offset: 'Where the page starts.',
      },
      returns: FlagPage,
      async handle({ project, query, url }) {
        const page = readPage(query);
        const flags = pickListed(await listLiveFlags(db, project.id), query, Date.now());
        const shown = flags.slice(page.offset, page.offset + page.limit);
        return paged(url, page, flags.length, await show(shown, project.id));
      },
    }),

    projectRoute('POST', '/feature_flags/', {
      ...WRITE,
      summary: 'Create a feature flag',
      body: NewFlag,
      returns: Flag,
      status: 201,
      async handle({ project, user, body }) {
        const flag = await createFlag(db, project.id, user, body, vault);
        if (body._should_create_usage_dashboard) await createUsageDashboard(db, flag, user.id);
        await definitions.refresh(project.id);
        return created(await showOne(flag));
      },
    }),

    projectRoute('GET', '/feature_flags/my_flags/', {
      ...READ,
      summary: 'What every active flag is for you',
      query: { groups: 'Your groups, as JSON: group type to key.' },
      returns: z.array(z.strictObject({ feature_flag: z.record(z.string(), z.unknown()), value: AnyValue })),
      async handle({ project, user, query }) {
        const held = await getDefinitions(project.id);
        const answers = await evaluateFor(held, user.distinct_id, readJson(query.get('groups')));
        const active = held.flags.filter((flag) => flag.active).toReversed();
        return active.map((flag) => {
          const answer = answers.get(flag.key);
          return { feature_flag: toMinimalFlag(flag), value: answer ? toValue(answer) : false };
        });
      },
    }),

    projectRoute('GET', '/feature_flags/evaluation_reasons/', {
      ...READ,
      summary: 'What every flag is for somebody, and why',
      query: { distinct_id: 'Whose flags.', groups: 'Their groups, as JSON: group type to key.' },
      returns: z.record(
        z.string(),
        z.strictObject({
          value: AnyValue,
          evaluation: z.strictObject({ reason: z.string(), condition_index: z.int().nullable() }),
        }),
      ),
      async handle({ project, query }) {
        const distinct_id = query.get('distinct_id');
        if (!distinct_id) throw invalid('distinct_id is required');
        const held = await getDefinitions(project.id);
        const answers = await evaluateFor(held, distinct_id, readJson(query.get('groups')));
        const told = held.flags.flatMap((flag): [string, unknown][] => {
          const answer = answers.get(flag.key);
          if (!flag.active)
            return [[flag.key, { value: false, evaluation: { reason: 'disabled', condition_index: null } }]];
          if (!answer) return [];
          const { reason, condition_index } = answer;
          return [[flag.key, { value: toValue(answer), evaluation: { reason, condition_index } }]];
        });
        return Object.fromEntries(told);
      },
    }),

    projectRoute('POST', '/feature_flags/user_blast_radius/', {
      ...READ,
      summary: 'How many persons or groups a condition is about',
      body: z.object({
        condition: optional(dict('A condition set, as in a flag.')),
        group_type_index: optional(nullable(integer({ min: 0, max: 4 }))),
      }),
      returns: z.strictObject({ users_affected: z.int(), total_users: z.int() }),
      async handle({ project, body: { condition, group_type_index = null } }) {
        if (!condition) throw invalid('Missing condition for which to get blast radius');
        const filters = Array.isArray(condition.properties) ? condition.properties.filter(isObject) : [];
        const isOfGroup = ({ type, group_type_index: index }: Record<string, unknown>) =>
          type === 'group' && (index ?? group_type_index) === group_type_index;
        if (group_type_index !== null && !filters.every(isOfGroup)) {
          throw invalid('Invalid group type index for feature flag condition.');
        }
        return countAffected(pool, await getDefinitions(project.id), condition, group_type_index);
      },
    }),

    projectRoute('POST', '/feature_flags/bulk_keys/', {
      ...READ,
      summary: 'The keys of flags by their ids',
      body: z.object({ ids: optional(list(z.unknown())) }),
      returns: z.union([
        z.strictObject({ keys: z.record(z.string(), z.string()), warning: z.string().optional() }),
        z.strictObject({ error: z.string() }),
      ]),
      async handle({ project, body: { ids = [] } }) {
        const wanted = ids.map((id) => parseId(toText(id)));
        const bad = ids.filter((_, at) => wanted[at] === null);
        if (bad.length > 0 && bad.length === ids.length) return new Reply(400, { error: 'Invalid flag IDs provided' });
        const flags = (await listLiveFlags(db, project.id)).filter(({ id }) => wanted.includes(id));
        const keys = Object.fromEntries(flags.map(({ id, key }) => [String(id), key]));
        return { keys, ...(bad.length > 0 && { warning: `Invalid flag IDs ignored: ${bad.map(toText).join(', ')}` }) };
      },
    }),

    ...usageRoutes(parts, load),
    explainRoute(parts, load),
    ...activityRoutes(db, 'FeatureFlag', '/feature_flags/', load),

    projectRoute('GET', '/feature_flags/:id/', {
      ...READ,
      summary: 'Read a feature flag',
      returns: Flag,
      load,
      handle: ({ found }) => showOne(found),
    }),

    projectRoute('PATCH', '/feature_flags/:id/', {
      ...WRITE,
      summary: 'Change, delete or restore a feature flag',
      body: FlagChange,
      returns: Flag,
      load,
      async handle({ found, user, body }) {
        const flag = await changeFlag(db, found, user, body, vault);
        await definitions.refresh(flag.team_id);
        return showOne(flag);
      },
    }),

    // A flag is deleted by PATCHing `deleted`; what it was stays known.
    projectRoute('DELETE', '/feature_flags/:id/', {
      ...WRITE,
      summary: 'Refused: a flag is deleted by setting `deleted`',
      status: 405,
      handle: () => empty(405),
    }),

    projectRoute('GET', '/feature_flags/:id/status/', {
      ...READ,
      summary: 'Whether a flag still does something',
      returns: z.strictObject({ status: z.string(), reason: z.string() }),
      async handle(context) {
        const flag = await load(context).catch(() => undefined);
        if (!flag) return new Reply(404, { status: 'unknown', reason: 'Flag could not be found' });
        const { status, reason } = statusOf(flag, Date.now());
        return { status: status.toLowerCase(), reason };
      },
    }),

    projectRoute('GET', '/feature_flags/:id/versions/', {
      ...READ,
      summary: 'What a flag was after each change, newest first',
      query: { limit: 'Page size, 100 unless given.', offset: 'Where the page starts.' },
      returns: FlagVersionPage,
      load,
      async handle({ found, url, query }) {
        const page = readPage(query);
        const { count, rows } = await listVersions(db, found.id, page);
        const authors = await findAuthors(
          db,
          rows.map(({ changed_by_id }) => changed_by_id),
        );
        const results = rows.map(({ version, changed_at, changed_by_id, flag }) => ({
          version,
          changed_at,
          changed_by: toAuthor(authors, changed_by_id),
          flag,
        }));
        return paged(url, page, count, results);
      },
    }),
  ];
}

/** Undefined for what is no JSON. */
function readJson(given: string | null): unknown {
  try {
    return JSON.parse(given ?? '');
  } catch {
    return undefined;
  }
}
