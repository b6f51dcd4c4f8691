// Surveys over the management API.
import { z } from 'zod';
import { parseMoment } from '../filters/moment.ts';
import { activityRoutes } from '../flags/activity.ts';
import type { Definitions } from '../flags/definitions.ts';
import { loaderByUuid } from '../flags/load.ts';
import { findAuthors } from '../flags/management/sql.ts';
import { invalid } from '../http/errors.ts';
import { paged, readPage } from '../http/paging.ts';
import { created, empty, projectRoute, type Route } from '../http/route.ts';
import type { SurveyRow } from '../metadata/tables-flags.ts';
import type { EventStore } from '../store/open.ts';
import { changeSurvey, createSurvey, deleteSurvey } from './change.ts';
import { type Db, findFlags, findSurvey, listSurveys } from './sql.ts';
import { countResponses, readStats, type StatsQuestion } from './stats.ts';
import { NewSurvey, Survey, SurveyChange, SurveyPage, toSurvey } from './wire.ts';

export interface SurveyParts {
  db: Db;
  store: EventStore;
  definitions: Definitions;
}

const READ = { scope: 'survey:read' };
const WRITE = { scope: 'survey:write' };
/** More than anybody has; what is counted over all surveys is bounded by it. */
const SURVEYS_MAX = 10_000;

const EventStats = z.strictObject({
  total_count: z.int(),
  total_count_only_seen: z.int(),
  unique_persons: z.int(),
  unique_persons_only_seen: z.int(),
  first_seen: z.string().nullable(),
  last_seen: z.string().nullable(),
});
const stats = {
  stats: z.strictObject({ 'survey shown': EventStats, 'survey dismissed': EventStats, 'survey sent': EventStats }),
  rates: z.strictObject({
    response_rate: z.number(),
    dismissal_rate: z.number(),
    unique_users_response_rate: z.number(),
    unique_users_dismissal_rate: z.number(),
  }),
};
const DATES = { date_from: 'Events from then on: a date, or `-7d`.', date_to: 'Events before that.' };

export function surveyRoutes({ db, store, definitions }: SurveyParts): Route[] {
  const load = loaderByUuid((team_id, id) => findSurvey(db, team_id, id));
  const show = async (surveys: readonly SurveyRow[]) => {
    const authors = await findAuthors(
      db,
      surveys.map(({ created_by_id }) => created_by_id),
    );
    const flags = await findFlags(db, surveys);
    return surveys.map((survey) => toSurvey(survey, { authors, flags }));
  };
  const showOne = async (survey: SurveyRow) => (await show([survey]))[0];
  const listIds = async (team_id: number, archived: boolean | undefined) =>
    (await listSurveys(db, team_id, { search: '', archived, limit: SURVEYS_MAX, offset: 0 })).surveys.map(
      ({ id }) => id,
    );

  return [
    projectRoute('GET', '/surveys/', {
      ...READ,
      summary: 'List the surveys, newest first',
      query: {
        search: 'Finds part of the name or the description.',
        archived: 'true or false.',
        limit: 'Page size, 100 unless given.',
        offset: 'Where the page starts.',
      },
      returns: SurveyPage,
      async handle({ project, query, url }) {
        const page = readPage(query);
        const archived = { true: true, false: false }[query.get('archived')?.toLowerCase() ?? ''];
        const { count, surveys } = await listSurveys(db, project.id, {
          ...page,
          archived,
          search: query.get('search') ?? '',
        });
        return paged(url, page, count, await show(surveys));
      },
    }),

    projectRoute('POST', '/surveys/', {
      ...WRITE,
      summary: 'Create a survey, with a flag that keeps from asking twice',
      body: NewSurvey,
      returns: Survey,
      status: 201,
      async handle({ project, user, body }) {
        const survey = await createSurvey(db, project.id, user, body);
        await definitions.refresh(project.id);
        return created(await showOne(survey));
      },
    }),

    projectRoute('GET', '/surveys/stats/', {
      ...READ,
      summary: 'How all surveys that are not archived are received',
      query: DATES,
      returns: z.strictObject({ ...stats, start_date: z.string().nullable(), end_date: z.string().nullable() }),
      async handle({ project, query }) {
        const survey_ids = await listIds(project.id, false);
        return {
          ...(await readStats(store, { team_id: project.id, survey_ids, ...readDates(query) })),
          ...dates(query),
        };
      },
    }),

    projectRoute('GET', '/surveys/responses_count/', {
      ...READ,
      summary: 'Answers to every survey',
      returns: z.record(z.string(), z.int()),
      handle: async ({ project }) =>
        countResponses(store, { team_id: project.id, survey_ids: await listIds(project.id, undefined) }),
    }),

    ...activityRoutes(db, 'Survey', '/surveys/', load),

    projectRoute('GET', '/surveys/:id/', {
      ...READ,
      summary: 'Read a survey',
      returns: Survey,
      load,
      handle: ({ found }) => showOne(found),
    }),

    projectRoute('PATCH', '/surveys/:id/', {
      ...WRITE,
      summary: 'Change, start or end a survey',
      body: SurveyChange,
      returns: Survey,
      load,
      async handle({ found, user, body }) {
        const survey = await changeSurvey(db, found, user, body);
        await definitions.refresh(found.team_id);
        return showOne(survey);
      },
    }),

    projectRoute('DELETE', '/surveys/:id/', {
      ...WRITE,
      summary: 'Delete a survey and the flags that were made for it',
      status: 204,
      load,
      async handle({ found, user }) {
        await deleteSurvey(db, found, user);
        await definitions.refresh(found.team_id);
        return empty(204);
      },
    }),

    projectRoute('GET', '/surveys/:id/stats/', {
      ...READ,
      summary: 'How a survey is received',
      query: DATES,
      returns: z.strictObject({
        ...stats,
        survey_id: z.uuid(),
        start_date: z.string().nullable(),
        end_date: z.string().nullable(),
      }),
      load,
      async handle({ found: { id, team_id }, query }) {
        const counted = await readStats(store, { team_id, survey_ids: [id], ...readDates(query) });
        return { ...counted, survey_id: id, ...dates(query) };
      },
    }),
  ];
}

const dates = (query: URLSearchParams) => ({ start_date: query.get('date_from'), end_date: query.get('date_to') });

function readDates(query: URLSearchParams): Pick<StatsQuestion, 'from' | 'to'> {
  const read = (name: 'date_from' | 'date_to') => {
    const text = query.get(name);
    if (!text) return undefined;
    const moment = parseMoment(text, Date.now());
    if (!moment) throw invalid(`Invalid ${name}: give a date, a time, or so long before now, such as -7d.`, name);
    return moment;
  };
  return { from: read('date_from')?.from, to: read('date_to')?.to };
}
