// Opens what a query may use to answer.
import { ask, type Statement } from '../filters/ask.ts';
import { BoundValues } from '../filters/bound-values.ts';
import { invalid } from '../http/errors.ts';
import type { EventStore } from '../store/open.ts';
import type { Action, Cohort, QueryContext, QueryProject } from './kind.ts';
import type { EventsSql } from './sql/events-sql.ts';
import { ProjectEvents } from './sql/project-events.ts';

/** Facts that other features know; `app.ts` says where they come from. */
export interface QueryFacts {
  /** The live actions of the project. */
  listActions(team_id: number): Promise<Action[]>;
  findCohort(team_id: number, id: number): Promise<Cohort | undefined>;
  /** The uuids of those who are in the cohort now. */
  listCohortMembers(team_id: number, id: number): Promise<string[]>;
}

export interface ContextParts {
  store: EventStore;
  facts: QueryFacts;
  /** SQL of a HogQL expression over events. */
  compile(expression: string, events: EventsSql, context: QueryContext): string;
  /** Asks the engine within the limits of a query. */
  ask?: <Row>(store: EventStore, statement: Statement, signal: AbortSignal) => Promise<Row[]>;
}

export interface ContextOptions {
  now: number;
  signal: AbortSignal;
  /** Whether the query may speak of actions; otherwise they are not loaded. */
  usesActions?: boolean;
}

export async function openContext(
  parts: ContextParts,
  project: QueryProject,
  { now, signal, usesActions = true }: ContextOptions,
): Promise<QueryContext> {
  const { store, facts } = parts;
  const askEngine = parts.ask ?? (<Row>(from: EventStore, statement: Statement) => ask<Row>(from, statement));
  const asked: Statement[] = [];

  const askBound = async <Row>({ text, params }: Statement): Promise<Row[]> => {
    const statement = { text, params: await settle(params) };
    asked.push(statement);
    signal.throwIfAborted();
    return askEngine<Row>(store, statement, signal);
  };

  const [actions, hasOverrides] = await Promise.all([
    usesActions ? facts.listActions(project.id) : [],
    findOverrides(project.id, (statement) => askEngine<{ found: number }>(store, statement, signal)),
  ]);
  const actionsById = new Map(actions.map((action) => [action.id, action]));
  const members = new Map<number, Promise<string[]>>();

  const context: QueryContext = {
    project,
    now,
    signal,
    asked,
    ask: askBound,
    events: (bound = new BoundValues()) =>
      new ProjectEvents(
        {
          project,
          now,
          hasOverrides,
          action: context.action,
          cohortMembers: context.cohortMembers,
          compile: (expression, events) => parts.compile(expression, events, context),
        },
        bound,
      ),
    action(id) {
      const action = actionsById.get(id);
      if (!action) throw invalid(`Action ID ${id} does not exist!`, 'id');
      return action;
    },
    async cohort(id) {
      const cohort = await facts.findCohort(project.id, id);
      if (!cohort) throw invalid(`Cohort with ID ${id} does not exist.`, 'id');
      return cohort;
    },
    cohortMembers(id) {
      const known = members.get(id);
      if (known) return known;
      const found = context.cohort(id).then(() => facts.listCohortMembers(project.id, id));
      members.set(id, found);
      return found;
    },
    async earliest() {
      const [first] = await askBound<{ micros: number; count: number }>({
        text: `
          SELECT toUnixTimestamp64Micro(min(timestamp)) AS micros, count() AS count
            FROM events
           WHERE team_id = {team_id:Int64}`,
        params: { team_id: project.id },
      });
      return first && first.count > 0 ? Math.floor(first.micros / 1_000) : now;
    },
  };
  return context;
}

async function findOverrides(
  team_id: number,
  askEngine: (statement: Statement) => Promise<{ found: number }[]>,
): Promise<boolean> {
  const rows = await askEngine({
    text: 'SELECT 1 AS found FROM person_distinct_id_overrides WHERE team_id = {team_id:Int64} LIMIT 1',
    params: { team_id },
  });
  return rows.length > 0;
}

/** Some values, such as the members of a cohort, are still being fetched when the statement is printed. */
async function settle(params: Statement['params']): Promise<Record<string, unknown>> {
  const entries = Object.entries(params);
  return Object.fromEntries(await Promise.all(entries.map(async ([name, value]) => [name, await value])));
}
