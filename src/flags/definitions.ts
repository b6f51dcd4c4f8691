// The definitions of every project that is asked about, held in memory and renewed when they change.
//
// A change is told by PostgreSQL the moment it is committed, and read at once. A process that was cut off finds out by
// comparing version numbers every other second. Until the new definitions are there, the old ones go on being served.
import type { Pool } from 'pg';
import type { Logger } from '../platform/logger.ts';
import type { CohortDefinition } from './evaluation/cohort.ts';
import type { FlagDefinition } from './evaluation/definition.ts';
import { type PreparedProject, prepareProject } from './evaluation/prepare.ts';
import { listen } from './listen.ts';

export interface StoredFlag extends FlagDefinition {
  readonly team_id: number;
  readonly name: string;
  readonly filters: Record<string, unknown>;
  readonly version: number;
  readonly ensure_experience_continuity: boolean;
  readonly has_encrypted_payloads: boolean;
  readonly is_remote_configuration: boolean;
  readonly evaluation_runtime: string;
  readonly evaluation_contexts: readonly string[];
  readonly bucketing_identifier: string | null;
}

export interface StoredCohort extends CohortDefinition {
  readonly name: string | null;
  readonly filters: Record<string, unknown> | null;
}

export interface PublicEarlyAccessFeature {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly stage: string;
  readonly documentationUrl: string;
  readonly flagKey: string | null;
}

/** A survey as SDKs see it. They decide by themselves whether it is shown, so those that do not run are among them. */
export interface PublicSurvey {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly linked_flag_key?: string;
  readonly targeting_flag_key?: string;
  readonly internal_targeting_flag_key?: string;
  /** Flags that must be on besides these. */
  readonly feature_flag_keys?: readonly { key: string; value: string }[];
  readonly questions: unknown;
  readonly conditions: unknown;
  readonly appearance: unknown;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly current_iteration: number | null;
  readonly current_iteration_start_date: string | null;
  readonly schedule: string | null;
  readonly enable_partial_responses: boolean | null;
}

/** All that is needed of a project to answer for its flags. */
export interface ProjectFlags {
  readonly team_id: number;
  readonly version: number;
  readonly api_token: string;
  readonly timezone: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** All that are not deleted, active or not. */
  readonly flags: readonly StoredFlag[];
  readonly cohorts: readonly StoredCohort[];
  /** Index by name. */
  readonly groupTypes: ReadonlyMap<string, number>;
  readonly earlyAccess: readonly PublicEarlyAccessFeature[];
  /** All that are not archived. */
  readonly surveys: readonly PublicSurvey[];
  readonly prepared: PreparedProject;
}

export interface Definitions {
  /** Of the project with this id; undefined when there is none. Throws when PostgreSQL is away and never told. */
  find(team_id: number): Promise<ProjectFlags | undefined>;
  /** Of the project that is known to have this key. Undefined says nothing: the project may not have been asked for. */
  findLoaded(api_token: string): ProjectFlags | undefined;
  /** Reads a project's definitions again, if they are held. Whoever made a change waits for this. */
  refresh(team_id: number): Promise<void>;
  close(): Promise<void>;
}

export const CHANNEL = 'tenrec_flag_definitions';
const CHECK_MS = 2_000;
/** More projects than this on one process are read anew when they come back. */
const PROJECTS_MAX = 1_000;

interface Entry {
  team_id: number;
  current: ProjectFlags | undefined;
  loading: Promise<void> | undefined;
  next: Promise<void> | undefined;
}

export async function openDefinitions(pool: Pool, log: Logger): Promise<Definitions> {
  const entries = new Map<number, Entry>();
  const byToken = new Map<string, ProjectFlags>();

  async function load(entry: Entry): Promise<void> {
    const found = await readProject(pool, entry.team_id);
    const { current } = entry;
    if (current && byToken.get(current.api_token) === current) byToken.delete(current.api_token);
    entry.current = found;
    if (found) byToken.set(found.api_token, found);
    else entries.delete(entry.team_id);
  }

  /** A reading under way may have begun before the change, so another one follows it; one is enough for all who ask. */
  function reload(entry: Entry): Promise<void> {
    entry.next ??= (async () => {
      await entry.loading?.catch(() => {});
      entry.loading = entry.next;
      entry.next = undefined;
      try {
        await load(entry);
      } finally {
        entry.loading = undefined;
      }
    })();
    return entry.next;
  }

  function reloadLater(entry: Entry): void {
    reload(entry).catch((error) => log.debug({ err: error }, 'flag definitions could not be read; trying again'));
  }

  function hold(team_id: number): Entry {
    let entry = entries.get(team_id);
    if (!entry) {
      entry = { team_id, current: undefined, loading: undefined, next: undefined };
      entries.set(team_id, entry);
      if (entries.size > PROJECTS_MAX) forgetOldest();
    }
    return entry;
  }

  function forgetOldest(): void {
    const [oldest] = entries.values();
    if (!oldest) return;
    entries.delete(oldest.team_id);
    if (oldest.current) byToken.delete(oldest.current.api_token);
  }

  async function check(): Promise<void> {
    if (entries.size === 0) return;
    const versions = await readVersions(pool, [...entries.keys()]);
    for (const entry of entries.values()) {
      const { current } = entry;
      if (current && versions.get(entry.team_id) !== current.version) reloadLater(entry);
    }
  }

  const checkLater = () => void check().catch((error) => log.debug({ err: error }, 'flag definitions not checked'));
  const timer = setInterval(checkLater, CHECK_MS);
  timer.unref();
  const listener = await listen({
    url: pool.options.connectionString ?? '',
    channel: CHANNEL,
    onNews(payload) {
      const entry = entries.get(Number(payload));
      if (entry) reloadLater(entry);
    },
    onConnected: checkLater,
    log,
  });

  return {
    async find(team_id) {
      const entry = hold(team_id);
      if (!entry.current) await (entry.next ?? entry.loading ?? reload(entry));
      return entry.current;
    },
    findLoaded: (api_token) => byToken.get(api_token),
    async refresh(team_id) {
      const entry = entries.get(team_id);
      if (entry) await reload(entry);
    },
    async close() {
      clearInterval(timer);
      await listener.close();
    },
  };
}

async function readVersions(pool: Pool, team_ids: number[]): Promise<Map<number, number>> {
  const text = `
    select project.id, coalesce(version, 0) as version
      from project left join flag_definitions on team_id = project.id
     where project.id = any($1)`;
  const { rows } = await pool.query<{ id: number; version: number }>({ text, values: [team_ids] });
  return new Map(rows.map(({ id, version }) => [id, version]));
}

interface ProjectRow extends Pick<ProjectFlags, 'version' | 'api_token' | 'timezone' | 'settings'> {
  flags: StoredFlag[];
  cohorts: StoredCohort[];
  group_types: Record<string, number>;
  early_access: PublicEarlyAccessFeature[];
  surveys: PublicSurvey[];
}

/** In the form that the wire has for timestamps. */
const ISO = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const KEY_OF = (column: string) => `(select key from feature_flag where id = ${column} and not deleted)`;

// One statement sees one moment: the version belongs to what is read with it.
const PROJECT = `
  select coalesce((select version from flag_definitions where team_id = project.id), 0) as version,
         api_token, timezone, settings,
         (select coalesce(jsonb_agg(to_jsonb(flag) order by flag.id), '[]')
            from feature_flag as flag where team_id = project.id and not deleted) as flags,
         (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'is_static', is_static, 'filters', filters)), '[]')
            from cohort where team_id = project.id and not deleted) as cohorts,
         (select coalesce(jsonb_object_agg(group_type, group_type_index), '{}')
            from group_type where team_id = project.id) as group_types,
         (select coalesce(jsonb_agg(jsonb_build_object('id', feature.id, 'name', feature.name,
                   'description', feature.description, 'stage', stage, 'documentationUrl', documentation_url,
                   'flagKey', flag.key) order by feature.created_at), '[]')
            from early_access_feature as feature left join feature_flag as flag on flag.id = feature_flag_id
           where feature.team_id = project.id) as early_access,
         (select coalesce(jsonb_agg(
                   jsonb_build_object('id', id, 'name', name, 'type', type, 'questions', questions,
                     'conditions', conditions, 'appearance', appearance, 'start_date', ${ISO('start_date')},
                     'end_date', ${ISO('end_date')}, 'current_iteration', current_iteration,
                     'current_iteration_start_date', ${ISO('current_iteration_start_date')}, 'schedule', schedule,
                     'enable_partial_responses', enable_partial_responses)
                   || jsonb_strip_nulls(jsonb_build_object('linked_flag_key', ${KEY_OF('linked_flag_id')},
                     'targeting_flag_key', ${KEY_OF('targeting_flag_id')},
                     'internal_targeting_flag_key', ${KEY_OF('internal_targeting_flag_id')},
                     'feature_flag_keys', (
                       select jsonb_build_array(
                                jsonb_build_object('key', 'internal_response_sampling_flag_key', 'value', key))
                         from feature_flag where id = internal_response_sampling_flag_id and not deleted)))
                   order by created_at desc, id), '[]')
            from survey where team_id = project.id and not archived) as surveys
    from project where id = $1`;

async function readProject(pool: Pool, team_id: number): Promise<ProjectFlags | undefined> {
  const { rows } = await pool.query<ProjectRow>({ name: 'flag-definitions', text: PROJECT, values: [team_id] });
  const [row] = rows;
  if (!row) return undefined;
  const { version, api_token, timezone, settings, flags, cohorts } = row;
  return {
    team_id,
    version,
    api_token,
    timezone,
    settings,
    flags,
    cohorts,
    groupTypes: new Map(Object.entries(row.group_types)),
    earlyAccess: row.early_access,
    surveys: row.surveys,
    prepared: prepareProject({ flags, cohorts, timezone }),
  };
}
