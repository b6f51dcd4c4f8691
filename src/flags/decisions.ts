// What was decided by nothing but a stored person. It holds until that person changes, or the definitions do; neither is
// kept alive by it.
import type { ProjectFlags } from './definitions.ts';
import type { Evaluation } from './evaluation/evaluate.ts';
import type { PersonFacts } from './stored-facts.ts';

interface Decisions {
  /** Conditions on dates come true by themselves, so what they decided is only good for a moment. */
  hasDates: boolean;
  byPerson: WeakMap<PersonFacts, { evaluation: Evaluation; at: number }>;
}

const DATED_MS_MAX = 2_000;
const DATE_OPERATOR = /"operator":"is_date_/;

const known = new WeakMap<ProjectFlags, Decisions>();

function decisionsOf(project: ProjectFlags): Decisions {
  let decisions = known.get(project);
  if (!decisions) {
    const filters = JSON.stringify([project.flags.map((flag) => flag.filters), project.cohorts]);
    decisions = { hasDates: DATE_OPERATOR.test(filters), byPerson: new WeakMap() };
    known.set(project, decisions);
  }
  return decisions;
}

/** What all flags of the project are for this person, if that was decided before. */
export function findDecision(
  project: ProjectFlags,
  person: PersonFacts,
  now = performance.now(),
): Evaluation | undefined {
  const { hasDates, byPerson } = decisionsOf(project);
  const found = byPerson.get(person);
  return found && !(hasDates && now - found.at > DATED_MS_MAX) ? found.evaluation : undefined;
}

export function keepDecision(
  project: ProjectFlags,
  person: PersonFacts,
  evaluation: Evaluation,
  at = performance.now(),
): void {
  decisionsOf(project).byPerson.set(person, { evaluation, at });
}
