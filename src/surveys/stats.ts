// How surveys are received, counted from the events that SDKs send about them.
import { ask, type Statement } from '../filters/ask.ts';
import { BoundValues } from '../filters/bound-values.ts';
import type { EventStore } from '../store/open.ts';
import { overriddenIdsSql } from '../store/tables/people.ts';
import type { Micros } from '../store/tables/rows.ts';

const EVENTS = ['survey shown', 'survey dismissed', 'survey sent'] as const;
type SurveyEvent = (typeof EVENTS)[number];

export interface StatsQuestion {
  team_id: number;
  survey_ids: readonly string[];
  from?: Micros | undefined;
  to?: Micros | undefined;
}

export interface EventStats {
  total_count: number;
  total_count_only_seen: number;
  unique_persons: number;
  unique_persons_only_seen: number;
  first_seen: string | null;
  last_seen: string | null;
}

export interface SurveyStats {
  stats: Record<SurveyEvent, EventStats>;
  rates: {
    response_rate: number;
    dismissal_rate: number;
    unique_users_response_rate: number;
    unique_users_dismissal_rate: number;
  };
}

interface Row {
  event: SurveyEvent;
  total: number;
  persons: number;
  first_ms: number;
  last_ms: number;
}

/** Whoever sent an answer after all did not dismiss the survey; an answer that was sent in parts counts once. */
const WHAT_COUNTS = `
  NOT (event = 'survey dismissed' AND JSONExtractBool(properties, '$survey_partially_completed'))`;

/** The events that count, each with the person it belongs to now. */
function countedSql({ team_id, survey_ids, from, to }: StatsQuestion, bound: BoundValues): string {
  const team = bound.bind('Int64', team_id);
  const conditions = [
    `team_id = ${team}`,
    `event IN (${EVENTS.map((event) => bound.text(event)).join(', ')})`,
    `has(${bound.texts(survey_ids)}, JSONExtractString(properties, '$survey_id'))`,
    WHAT_COUNTS,
    ...(from === undefined ? [] : [`timestamp >= ${bound.moment(from)}`]),
    ...(to === undefined ? [] : [`timestamp < ${bound.moment(to)}`]),
  ];
  return `
    SELECT event, survey_id, timestamp, if(moved.distinct_id = '', person_id, moved.person_id) AS person
      FROM (
        SELECT toString(event) AS event, distinct_id, person_id, timestamp, uuid,
               JSONExtractString(properties, '$survey_id') AS survey_id,
               JSONExtractString(properties, '$survey_submission_id') AS submission
          FROM events
         WHERE ${conditions.join(' AND ')}
         ORDER BY timestamp DESC
         LIMIT 1 BY event, if(event = 'survey sent' AND submission != '', submission, toString(uuid))
      ) AS counted
      LEFT JOIN (${overriddenIdsSql(team)}) AS moved ON moved.distinct_id = counted.distinct_id`;
}

/** Whoever both dismissed and sent, on different visits perhaps, has sent. */
function statsSql(question: StatsQuestion): Statement {
  const bound = new BoundValues();
  const text = `
    WITH counted AS (${countedSql(question, bound)}),
         senders AS (SELECT DISTINCT person FROM counted WHERE event = 'survey sent')
    SELECT event, count() AS total,
           uniqExactIf(person, event != 'survey dismissed' OR person NOT IN senders) AS persons,
           toUnixTimestamp64Milli(toDateTime64(min(timestamp), 3)) AS first_ms,
           toUnixTimestamp64Milli(toDateTime64(max(timestamp), 3)) AS last_ms
      FROM counted
     GROUP BY event`;
  return { text, params: bound.params };
}

export async function readStats(store: EventStore, question: StatsQuestion): Promise<SurveyStats> {
  return toStats(question.survey_ids.length === 0 ? [] : await ask<Row>(store, statsSql(question)));
}

function toStats(rows: readonly Row[]): SurveyStats {
  const of = (event: SurveyEvent) => {
    const { total = 0, persons = 0, first_ms, last_ms } = rows.find((row) => row.event === event) ?? {};
    const iso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
    return {
      total_count: total,
      total_count_only_seen: 0,
      unique_persons: persons,
      unique_persons_only_seen: 0,
      first_seen: iso(first_ms),
      last_seen: iso(last_ms),
    };
  };
  const [shown, dismissed, sent] = EVENTS.map(of) as [EventStats, EventStats, EventStats];
  const left = (field: 'total_count' | 'unique_persons') => Math.max(0, shown[field] - dismissed[field] - sent[field]);
  const rate = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100);
  return {
    stats: {
      'survey shown': {
        ...shown,
        total_count_only_seen: left('total_count'),
        unique_persons_only_seen: left('unique_persons'),
      },
      'survey dismissed': dismissed,
      'survey sent': sent,
    },
    rates: {
      response_rate: rate(sent.total_count, shown.total_count),
      dismissal_rate: rate(dismissed.total_count, shown.total_count),
      unique_users_response_rate: rate(sent.unique_persons, shown.unique_persons),
      unique_users_dismissal_rate: rate(dismissed.unique_persons, shown.unique_persons),
    },
  };
}

/** Answers by survey; one without any is not there. */
export async function countResponses(store: EventStore, question: StatsQuestion): Promise<Record<string, number>> {
  if (question.survey_ids.length === 0) return {};
  const bound = new BoundValues();
  const text = `
    SELECT survey_id, count() AS responses FROM (${countedSql(question, bound)})
     WHERE event = 'survey sent' GROUP BY survey_id`;
  const rows = await ask<{ survey_id: string; responses: number }>(store, { text, params: bound.params });
  return Object.fromEntries(rows.map(({ survey_id, responses }) => [survey_id, responses]));
}
