// Opens what a query may use to answer.
import { type Statement, settled } from '../filters/ask.ts';
import { BoundValues } from '../filters/bound-values.ts';
import { invalid } from '../http/errors.ts';
import { type Engine, EngineRefusal } from './ask.ts';
import { compileExpression, compileSelect, type DefinedTypes, definedKey } from './hogql/compile.ts';
import { listExpressions, listPropertyNames } from './hogql/expressions.ts';
import type { HogqlParser } from './hogql/parse.ts';
import type { DefinedType } from './hogql/value.ts';
import type { Action, Cohort, QueryContext, QueryProject } from './kind.ts';
import { hasOverrides } from './overrides.ts';
import { ProjectEvents } from './sql/project-events.ts';

export interface PropertyDefinition {
  kind: 'event' | 'person' | 'group';
  name: string;
  type: DefinedType;
}

/** Facts that other features know; `app.ts` says where they come from. */
export interface QueryFacts {
  /** The live actions of the project. */
  listActions(team_id: number): Promise<Action[]>;
  findCohort(team_id: number, ref: number | string): Promise<Cohort | undefined>;
  /** The uuids of those who are in the cohort now. */
  listCohortMembers(team_id: number, id: number): Promise<string[]>;
  listCohorts(team_id: number, isStatic: boolean): Promise<number[]>;
  /** What is known about properties of these names. */
  listPropertyTypes(team_id: number, names: readonly string[]): Promise<PropertyDefinition[]>;
}

export interface ContextParts {
  engine: Engine;
  facts: QueryFacts;
  parser: HogqlParser;
}

export interface ContextOptions {
  now: number;
  signal: AbortSignal;
  /** By which the engine tells how far it is. */
  label?: string | undefined;
  /** The JSON of the query: what it mentions is fetched before it is run. */
  query: unknown;
  /** See `OverrideGuesses`; looked for when it is not known. */
  hasOverrides?: boolean | undefined;
}

export async function openContext(
  parts: ContextParts,
  project: QueryProject,
  { now, signal, label, query, ...known }: ContextOptions,
): Promise<QueryContext> {
  const { engine, facts, parser } = parts;
  const asker = { team_id: project.id, signal, label };
  const asked: Statement[] = [];
  const members = new Map<number | string, Promise<string[]>>();

  const [{ actions, types, hasTexts }, isOverridden] = await Promise.all([
    readMentioned(parts, project, query),
    known.hasOverrides ?? hasOverrides(engine, asker),
  ]);
  const actionsById = new Map(actions.map((action) => [action.id, action]));
  let hasOwnText = hasTexts;

  /** What the engine refuses is the caller's doing only if the caller's own expressions are in it. */
  const ask = async <T>(printed: Statement, run: (statement: Statement) => Promise<T>): Promise<T> => {
    const statement = await settled(printed);
    asked.push(statement);
    signal.throwIfAborted();
    return run(statement).catch((error: unknown) => {
      throw error instanceof EngineRefusal && hasOwnText ? error.toApiError() : error;
    });
  };

  const context: QueryContext = {
    project,
    now,
    signal,
    asked,
    ask: <Row>(statement: Statement) => ask(statement, (ready) => engine.rows<Row>(asker, ready)),
    askTable: (statement) => ask(statement, (ready) => engine.table(asker, ready)),
    events: (bound = new BoundValues()) =>
      new ProjectEvents(
        {
          project,
          now,
          hasOverrides: isOverridden,
          action: context.action,
          cohortMembers: context.cohortMembers,
          compile: (expression, events) => compileExpression(parser, context, types, expression, events),
        },
        bound,
      ),
    async select(query, given) {
      hasOwnText = true;
      const text = typeof query === 'string' ? query : '';
      if (text) await parser.prepare([text], 'select');
      const tree = typeof query === 'string' ? parser.select(query) : query;
      return compileSelect(tree, text, context, await readTypes(facts, project.id, tree), given);
    },
    async parse(texts) {
      await parser.prepare(texts);
      return texts.map((text) => parser.expression(text));
    },
    action(id) {
      const action = actionsById.get(id);
      if (!action) throw invalid(`Action ID ${id} does not exist!`, 'id');
      return action;
    },
    async cohort(ref) {
      const cohort = await facts.findCohort(project.id, ref);
      if (!cohort) throw invalid(`Cohort with ID ${ref} does not exist.`, 'id');
      return cohort;
    },
    cohortMembers(ref) {
      const known = members.get(ref);
      if (known) return known;
      const found = context.cohort(ref).then(({ id }) => facts.listCohortMembers(project.id, id));
      members.set(ref, found);
      return found;
    },
    async cohortPeople(isStatic) {
      const people = { cohorts: [] as number[], persons: [] as string[] };
      for (const id of await facts.listCohorts(project.id, isStatic)) {
        for (const person of await facts.listCohortMembers(project.id, id)) {
          people.cohorts.push(id);
          people.persons.push(person);
        }
        if (people.persons.length > COHORT_PEOPLE_MAX) throw tooManyInCohorts();
      }
      return people;
    },
    async earliest() {
      const [first] = await context.ask<{ micros: number; count: number }>({
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

/** Actions, if any are spoken of, and all expressions, also those inside actions and the project's own filters. */
async function readMentioned({ facts, parser }: ContextParts, project: QueryProject, query: unknown) {
  const written = JSON.stringify(query ?? null);
  const actions = /action/i.test(written) ? await facts.listActions(project.id) : [];
  const texts = listExpressions([query, project.testAccountFilters, actions]);
  if (texts.size === 0) return { actions, types: new Map() as DefinedTypes, hasTexts: false };
  await parser.prepare(texts);
  const trees = [...texts].map((text) => readQuietly(parser, text));
  return { actions, types: await readTypes(facts, project.id, trees), hasTexts: true };
}

/** A bad expression is refused where it is used; one that is mentioned and not used does no harm. */
function readQuietly(parser: HogqlParser, text: string): unknown {
  try {
    return parser.expression(text);
  } catch {
    return undefined;
  }
}

async function readTypes(facts: QueryFacts, team_id: number, tree: unknown): Promise<DefinedTypes> {
  const names = [...listPropertyNames(tree)];
  const definitions = names.length > 0 ? await facts.listPropertyTypes(team_id, names) : [];
  return new Map(definitions.map(({ kind, name, type }) => [definedKey(kind, name), type]));
}

/** They travel to the engine with the statement. */
const COHORT_PEOPLE_MAX = 500_000;

const tooManyInCohorts = () =>
  invalid(
    `There are more than ${COHORT_PEOPLE_MAX} people in all cohorts together; ask about one of them with \`person_id in cohort …\`.`,
  );
