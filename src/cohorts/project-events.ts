// The events of a project as cohorts look at them: with the project's actions, and with who is in its other cohorts.
import { findAction } from '../actions/sql.ts';
import { ask, settled } from '../filters/ask.ts';
import { BoundValues } from '../filters/bound-values.ts';
import type { ProjectFlags } from '../flags/definitions.ts';
import { invalid } from '../http/errors.ts';
import type { Action, ActionStep } from '../query/kind.ts';
import { ProjectEvents } from '../query/sql/project-events.ts';
import { toQueryProject } from '../query/wire.ts';
import type { EventStore } from '../store/open.ts';
import { actionsOf, type Behaviour, behaviourSql } from './behaviour.ts';
import type { Db } from './sql.ts';

export interface DoersParts {
  db: Db;
  store: EventStore;
  /** The uuids of the persons who are in another cohort now. */
  listMembers(cohort_id: number): Promise<string[]>;
}

/** The uuids of the persons who did that. */
export async function findDoers(project: ProjectFlags, behaviour: Behaviour, parts: DoersParts): Promise<Set<string>> {
  const { team_id, timezone, settings } = project;
  const actions = await readActions(parts.db, team_id, actionsOf(behaviour));
  const events = new ProjectEvents(
    {
      project: toQueryProject({ id: team_id, timezone, settings: { ...settings } }),
      now: behaviour.now / 1_000,
      hasOverrides: true,
      action: (id) => actions.get(id)!,
      cohortMembers: parts.listMembers,
      compile() {
        throw invalid('A cohort cannot go by an action with an SQL expression in its steps.', 'filters');
      },
    },
    new BoundValues(),
  );
  const rows = await ask<{ person: string }>(parts.store, await settled(behaviourSql(events, behaviour)));
  return new Set(rows.map(({ person }) => person));
}

export async function readActions(db: Db, team_id: number, ids: readonly number[]): Promise<Map<number, Action>> {
  const found = await Promise.all(ids.map((id) => readAction(db, team_id, id)));
  return new Map(found.map((action) => [action.id, action]));
}

async function readAction(db: Db, team_id: number, id: number): Promise<Action> {
  const row = id < 2 ** 31 ? await findAction(db, team_id, id) : undefined;
  if (!row || row.deleted) throw invalid(`Action ID ${id} does not exist!`, 'filters');
  return { id, name: row.name ?? `Action ${id}`, steps: row.steps as ActionStep[] };
}
