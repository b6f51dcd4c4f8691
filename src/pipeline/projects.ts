// What the pipeline knows of projects: their rules, group types, and whether they have events already.
import type { Pool } from 'pg';
import type { ProjectRules } from './prepare-event.ts';

export interface KnownProject {
  rules: ProjectRules;
  group_types: ReadonlyMap<string, number>;
  ingested_event: boolean;
}

interface ProjectRow {
  id: number;
  ingested_event: boolean;
  settings: Record<string, unknown>;
  group_types: Record<string, number> | null;
}

/** A changed setting takes effect within this time. */
const FRESH_MS = 5_000;

export class KnownProjects {
  readonly #pool: Pool;
  readonly #projects = new Map<number, { project: KnownProject | undefined; readAt: number }>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** After this, `find` answers for these projects. */
  async refresh(team_ids: Iterable<number>): Promise<void> {
    const now = performance.now();
    const stale = [...new Set(team_ids)].filter(
      (id) => now - (this.#projects.get(id)?.readAt ?? -FRESH_MS) >= FRESH_MS,
    );
    if (stale.length === 0) return;
    const { rows } = await this.#pool.query<ProjectRow>(
      `select id, ingested_event, settings,
              (select jsonb_object_agg(group_type, group_type_index) from group_type where team_id = project.id)
                as group_types
         from project where id = any($1::integer[])`,
      [stale],
    );
    for (const id of stale) this.#projects.set(id, { project: undefined, readAt: now });
    for (const { id, ingested_event, settings, group_types } of rows) {
      const project = {
        rules: readRules(settings),
        group_types: new Map(Object.entries(group_types ?? {})),
        ingested_event,
      };
      this.#projects.set(id, { project, readAt: now });
    }
  }

  /** Undefined for a project that does not exist. */
  find(team_id: number): KnownProject | undefined {
    return this.#projects.get(team_id)?.project;
  }

  /** What a batch has changed. */
  learn(team_id: number, group_types: ReadonlyMap<string, number>, hasEvents: boolean): void {
    const known = this.#projects.get(team_id);
    if (!known?.project) return;
    const { rules, ingested_event } = known.project;
    known.project = { rules, group_types, ingested_event: ingested_event || hasEvents };
  }

  clear(): void {
    this.#projects.clear();
  }
}

function readRules(settings: Record<string, unknown>): ProjectRules {
  const { anonymize_ips, person_processing_opt_out, drop_events_older_than_seconds: maxAge } = settings;
  return {
    anonymize_ips: anonymize_ips === true,
    person_processing_opt_out: person_processing_opt_out === true,
    drop_events_older_than_seconds: typeof maxAge === 'number' && maxAge > 0 ? maxAge : 0,
  };
}
