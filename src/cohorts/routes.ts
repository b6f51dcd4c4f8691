// Cohorts over the management API.
import { z } from 'zod';
import { activityRoutes, recordActivity } from '../flags/activity.ts';
import { isBehavioral, readCohortId } from '../flags/evaluation/cohort.ts';
import { loaderById } from '../flags/load.ts';
import { listFilters } from '../flags/local-evaluation.ts';
import { findAuthors } from '../flags/management/sql.ts';
import { invalid } from '../http/errors.ts';
import { paged, readPage } from '../http/paging.ts';
import { created, empty, projectRoute, type Route } from '../http/route.ts';
import type { AccountRow, CohortRow } from '../metadata/tables.ts';
import { listPersons } from '../people/read.ts';
import { ListedPerson, toListedPerson } from '../people/wire.ts';
import { type AskQuery, listPersonsByQuery } from './by-query.ts';
import { type CalculateParts, calculate, listPersonsOf } from './calculate.ts';
import { checkCohortFilters, listActionIds } from './check-filters.ts';
import { cohortFromFlagRoute } from './from-flag.ts';
import { readActions } from './project-events.ts';
import { addMembers, addMembersByUuid, findCohort, insertCohort, listLiveCohorts, updateCohort } from './sql.ts';
import { Cohort, CohortChange, CohortPage, NewCohort, readCsvIds, toCohort } from './wire.ts';

const READ = { scope: 'cohort:read' };
const WRITE = { scope: 'cohort:write' };

export interface CohortParts extends CalculateParts {
  askQuery: AskQuery;
}

export function cohortRoutes(parts: CohortParts): Route[] {
  const { db, definitions, askQuery } = parts;

  const load = loaderById((team_id, id) => findCohort(db, team_id, id));
  const show = async (cohorts: readonly CohortRow[]) => {
    const authors = await findAuthors(
      db,
      cohorts.map(({ created_by_id }) => created_by_id),
    );
    return cohorts.map((cohort) => toCohort(cohort, authors));
  };
  const showOne = async (cohort: CohortRow) => (await show([cohort]))[0];

  const isUsedByFlags = async ({ team_id, id }: CohortRow): Promise<boolean> => {
    const flags = (await definitions.find(team_id))?.flags ?? [];
    const filters = flags.flatMap((flag) => listFilters(flag.filters));
    return filters.some(({ type, value }) => type === 'cohort' && readCohortId(value) === id);
  };

  const check = async (team_id: number, filters: Record<string, unknown>, found?: CohortRow): Promise<void> => {
    checkCohortFilters(filters, {
      id: found?.id,
      cohorts: await listLiveCohorts(db, team_id),
      isUsedByFlags: found !== undefined && (await isUsedByFlags(found)),
    });
    await readActions(db, team_id, listActionIds(filters));
  };

  const record = (user: AccountRow, before: CohortRow | undefined, after: CohortRow) =>
    recordActivity(db, {
      scope: 'Cohort',
      team_id: after.team_id,
      user_id: user.id,
      id: after.id,
      name: after.name,
      before,
      after,
      fields: ['name', 'description', 'filters', 'is_static', 'deleted'],
    });

  /** A static cohort is counted at once; any other while nobody waits. */
  const settle = async (cohort: CohortRow): Promise<CohortRow> => {
    await definitions.refresh(cohort.team_id);
    if (!cohort.is_static) {
      void calculate(parts, cohort);
      return cohort;
    }
    await calculate(parts, cohort);
    return (await findCohort(db, cohort.team_id, cohort.id)) ?? cohort;
  };

  return [
    cohortFromFlagRoute(parts),

    projectRoute('GET', '/cohorts/', {
      ...READ,
      summary: 'List the cohorts, newest first',
      query: {
        search: 'Finds part of the name.',
        hide_behavioral_cohorts: 'true: only those that flags can go by.',
        limit: 'Page size, 100 unless given.',
        offset: 'Where the page starts.',
      },
      returns: CohortPage,
      async handle({ project, query, url }) {
        const page = readPage(query);
        const search = query.get('search')?.toLowerCase() ?? '';
        const hidesBehavioral = query.get('hide_behavioral_cohorts') === 'true';
        const all = (await listLiveCohorts(db, project.id)).filter(
          ({ name, filters }) =>
            (name ?? '').toLowerCase().includes(search) && !(hidesBehavioral && isBehavioral(filters)),
        );
        return paged(url, page, all.length, await show(all.slice(page.offset, page.offset + page.limit)));
      },
    }),

    projectRoute('POST', '/cohorts/', {
      ...WRITE,
      summary: 'Create a cohort: by filters, of people who are named, or of those whom a query finds',
      body: NewCohort,
      returns: Cohort,
      status: 201,
      async handle({ project, user, body }) {
        const { csv, is_static = false, filters, query, ...columns } = body;
        if (query && filters) throw invalid('Cannot set both query and filters at the same time.');
        if (query && !is_static) throw invalid('Cannot create a dynamic cohort with a query. Set is_static to true.');
        if (!is_static && filters) await check(project.id, filters);
        const uuids = query ? await listPersonsByQuery(askQuery, project, query) : [];
        const cohort = await insertCohort(db, project.id, {
          ...columns,
          is_static,
          filters: is_static ? null : (filters ?? null),
          query: query ?? null,
          is_calculating: !is_static,
          created_by_id: user.id,
        });
        if (is_static && csv) await addMembers(db, cohort, readCsvIds(csv));
        await addMembersByUuid(db, cohort, uuids);
        await record(user, undefined, cohort);
        return created(await showOne(await settle(cohort)));
      },
    }),

    projectRoute('GET', '/cohorts/:id/', {
      ...READ,
      summary: 'Read a cohort',
      returns: Cohort,
      load,
      handle: ({ found }) => showOne(found),
    }),

    projectRoute('PATCH', '/cohorts/:id/', {
      ...WRITE,
      summary: 'Change, delete or restore a cohort; add people to a static one',
      body: CohortChange,
      returns: Cohort,
      load,
      async handle({ found, user, body }) {
        const { csv, filters, ...columns } = body;
        if (filters && !found.is_static) await check(found.team_id, filters, found);
        const changes = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
        const isNew = filters !== undefined && !found.is_static;
        const cohort = await updateCohort(db, found.id, {
          ...changes,
          ...(isNew && { filters, is_calculating: true }),
        });
        if (found.is_static && csv) await addMembers(db, cohort, readCsvIds(csv));
        await record(user, found, cohort);
        return showOne(await settle(cohort));
      },
    }),

    ...activityRoutes(db, 'Cohort', '/cohorts/', load),

    // A cohort is deleted by PATCHing `deleted`.
    projectRoute('DELETE', '/cohorts/:id/', {
      ...WRITE,
      summary: 'Refused: a cohort is deleted by setting `deleted`',
      status: 405,
      handle: () => empty(405),
    }),

    projectRoute('GET', '/cohorts/:id/persons/', {
      ...READ,
      summary: 'The persons in a cohort',
      query: { limit: 'Page size, 100 unless given.', offset: 'Where the page starts.' },
      returns: z.strictObject({
        results: z.array(ListedPerson),
        next: z.string().nullable(),
        previous: z.string().nullable(),
      }),
      load,
      async handle({ found, project, url, query }) {
        const page = readPage(query);
        const uuids = await listPersonsOf(parts, found);
        const shown = uuids.slice(page.offset, page.offset + page.limit);
        const persons =
          shown.length === 0 ? [] : await listPersons(db, project.id, { uuids: shown }, { limit: shown.length });
        const { count, ...rest } = paged(
          url,
          page,
          uuids.length,
          persons.map((person) => toListedPerson(person, project)),
        );
        return rest;
      },
    }),

    projectRoute('GET', '/cohorts/:id/duplicate_as_static_cohort/', {
      ...WRITE,
      summary: 'A static cohort of those who are in this one now',
      returns: Cohort,
      load,
      async handle({ found, user }) {
        if (found.is_static) throw invalid('Cannot duplicate a static cohort as a static cohort.');
        const uuids = await listPersonsOf(parts, found);
        const name = `${found.name ?? ''} (static copy)`.slice(0, 400);
        const copy = await insertCohort(db, found.team_id, { name, is_static: true, created_by_id: user.id });
        await addMembersByUuid(db, copy, uuids);
        return showOne(await settle(copy));
      },
    }),
  ];
}
