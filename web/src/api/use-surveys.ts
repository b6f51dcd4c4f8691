// Surveys: asked in the app, answered by events.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Page } from './client.ts';
import { pagesOf } from './next-page.ts';
import type { StoredEvent } from './use-events.ts';
import { projectPath, useProjectId } from './use-project.ts';

export type QuestionType = 'open' | 'rating' | 'single_choice' | 'multiple_choice' | 'link';

export interface Question {
  id?: string;
  type: QuestionType;
  question: string;
  description?: string;
  optional?: boolean;
  buttonText?: string;
  choices?: string[];
  /** Of a rating. */
  scale?: number;
  display?: 'number' | 'emoji';
  lowerBoundLabel?: string;
  upperBoundLabel?: string;
  link?: string;
}

export interface SurveyConditions {
  url?: string;
  urlMatchType?: 'exact' | 'icontains' | 'regex';
  seenSurveyWaitPeriodInDays?: number;
}

export interface Survey {
  id: string;
  name: string;
  description: string;
  type: 'popover' | 'widget' | 'api' | 'external_survey';
  questions: Question[] | null;
  conditions: SurveyConditions | null;
  appearance: Record<string, unknown> | null;
  linked_flag_id: number | null;
  linked_flag: { id: number; key: string } | null;
  start_date: string | null;
  end_date: string | null;
  archived: boolean;
  responses_limit: number | null;
  created_at: string;
}

export type SurveyDraft = Pick<
  Survey,
  'name' | 'description' | 'type' | 'questions' | 'conditions' | 'linked_flag_id' | 'responses_limit'
>;
export type SurveyChange = Partial<SurveyDraft & Pick<Survey, 'start_date' | 'end_date' | 'archived'>>;

interface EventStats {
  total_count: number;
  unique_persons: number;
  first_seen: string | null;
  last_seen: string | null;
}

export interface SurveyStats {
  stats: Record<'survey shown' | 'survey dismissed' | 'survey sent', EventStats>;
  rates: { response_rate: number; dismissal_rate: number };
}

const surveysKey = (projectId: number) => ['surveys', projectId] as const;
const surveyKey = (projectId: number, id: string) => ['survey', projectId, id] as const;
const pathOf = (projectId: number, rest = '') => projectPath(projectId, `/surveys/${rest}`);

export const surveysQuery = (projectId: number) =>
  queryOptions({
    queryKey: surveysKey(projectId),
    queryFn: ({ signal }) => api.get<Page<Survey>>(pathOf(projectId), { query: { limit: 500 }, signal }),
  });

/** Answers by survey; one without any is not there. */
export const responseCountsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['survey-responses', projectId],
    queryFn: ({ signal }) => api.get<Record<string, number>>(pathOf(projectId, 'responses_count/'), { signal }),
  });

export const surveyQuery = (projectId: number, id: string) =>
  queryOptions({
    queryKey: surveyKey(projectId, id),
    queryFn: ({ signal }) => api.get<Survey>(pathOf(projectId, `${id}/`), { signal }),
  });

export const surveyStatsQuery = (projectId: number, id: string) =>
  queryOptions({
    queryKey: ['survey-stats', projectId, id],
    queryFn: ({ signal }) => api.get<SurveyStats>(pathOf(projectId, `${id}/stats/`), { signal }),
  });

const ANSWERS_PAGE = 500;

/** The events that hold the answers, newest first. */
export const answersQuery = (projectId: number, id: string) =>
  pagesOf<{ next: string | null; results: StoredEvent[] }>(
    ['survey-answers', projectId, id],
    projectPath(projectId, '/events/'),
    {
      event: 'survey sent',
      properties: JSON.stringify([{ key: '$survey_id', value: [id], operator: 'exact', type: 'event' }]),
      limit: ANSWERS_PAGE,
    },
  );

export function useCreateSurvey() {
  const projectId = useProjectId();
  const client = useQueryClient();
  return useMutation({
    meta: { quiet: true },
    mutationFn: (draft: SurveyDraft) => api.post<Survey>(pathOf(projectId), draft),
    onSuccess: () => client.invalidateQueries({ queryKey: surveysKey(projectId) }),
  });
}

export function useChangeSurvey(id: string, meta: { quiet?: boolean } = {}) {
  const projectId = useProjectId();
  const client = useQueryClient();
  return useMutation({
    meta,
    mutationFn: (change: SurveyChange) => api.patch<Survey>(pathOf(projectId, `${id}/`), change),
    onSuccess: (survey) => {
      client.setQueryData(surveyKey(projectId, id), survey);
      return client.invalidateQueries({ queryKey: surveysKey(projectId) });
    },
  });
}

export function useDeleteSurvey() {
  const projectId = useProjectId();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.delete(pathOf(projectId, `${id}/`)),
    onSuccess: () => client.invalidateQueries({ queryKey: surveysKey(projectId) }),
  });
}
