// The people for whom a flag is on now, as a static cohort.
import { z } from 'zod';
import { evaluateFlags, withDependencies } from '../flags/evaluation/evaluate.ts';
import { findAuthors } from '../flags/management/sql.ts';
import { scanPersons } from '../flags/scan-persons.ts';
import { invalid, notFound } from '../http/errors.ts';
import { created, projectRoute, type Route } from '../http/route.ts';
import { type CalculateParts, calculate } from './calculate.ts';
import { findCohort, insertCohort, replaceMembers } from './sql.ts';
import { Cohort, toCohort } from './wire.ts';

export const cohortFromFlagRoute = (parts: CalculateParts): Route =>
  projectRoute('POST', '/feature_flags/:id/create_static_cohort_for_flag/', {
    scope: 'cohort:write',
    summary: 'Make a static cohort of the people for whom a flag is on now',
    returns: z.strictObject({ cohort: Cohort }),
    status: 201,
    async handle({ project, params, user }) {
      const { key, uuids } = await findEnabled(parts, project.id, params.id ?? '');
      const at = new Date().toISOString().slice(0, 19).replace('T', ' ');
      const name = `Users with feature flag ${key} enabled at ${at}`.slice(0, 400);
      const made = await insertCohort(parts.db, project.id, { name, is_static: true, created_by_id: user.id });
      await replaceMembers(parts.db, made, uuids);
      await calculate(parts, made);
      const cohort = (await findCohort(parts.db, project.id, made.id)) ?? made;
      return created({ cohort: toCohort(cohort, await findAuthors(parts.db, [user.id])) });
    },
  });

/** A person has the flag when any of their ids has it: that is how their next request would find it. */
async function findEnabled({ pool, definitions }: CalculateParts, team_id: number, id: string) {
  const project = await definitions.find(team_id);
  const stored = project?.flags.find((flag) => String(flag.id) === id);
  if (!project || !stored) throw notFound();
  const flag = project.prepared.byId.get(stored.id);
  if (!flag) return { key: stored.key, uuids: [] };
  if (flag.isGroupFlag) throw invalid('A flag that goes by groups has no people to make a cohort of.');
  const flags = withDependencies(project.prepared, [flag]);
  const isOn = (evaluated: ReturnType<typeof evaluateFlags>) => evaluated.answers[0]?.enabled === true;
  const uuids: string[] = [];
  for await (const { uuid, subject, distinct_ids } of scanPersons(pool, team_id)) {
    const isEnabled = distinct_ids.some((distinct_id) =>
      isOn(evaluateFlags(flags, { ...subject, distinct_id }, (one) => one === flag)),
    );
    if (isEnabled) uuids.push(uuid);
  }
  return { key: stored.key, uuids };
}
