// What is known about a run that nobody waits for, as the wire has it.
import { ApiError, serverError } from '../http/errors.ts';
import type { QueryRunRow } from '../metadata/tables-query.ts';
import type { Logger } from '../platform/logger.ts';
import type { Progress } from './ask.ts';

export interface QueryStatus {
  id: string;
  query_async: true;
  team_id: number;
  insight_id: number | null;
  dashboard_id: number | null;
  error: boolean;
  complete: boolean;
  error_message: string | null;
  results: unknown;
  start_time: string | null;
  pickup_time: string | null;
  end_time: string | null;
  expiration_time: string | null;
  task_id: string | null;
  query_progress: Progress | null;
  labels: string[] | null;
}

export function toStatus(run: QueryRunRow): QueryStatus {
  const { id, team_id, insight_id, dashboard_id, answer, error_status, error_message } = run;
  return {
    id,
    query_async: true,
    team_id,
    insight_id,
    dashboard_id,
    error: error_status !== null,
    complete: run.ended_at !== null,
    error_message,
    results: answer === null ? null : JSON.parse(answer),
    start_time: run.started_at,
    pickup_time: run.picked_up_at,
    end_time: run.ended_at,
    expiration_time: run.expires_at,
    task_id: null,
    query_progress: null,
    labels: null,
  };
}

export function toFailure(error: unknown, log: Logger): { error_status: number; error_message: string } {
  if (error instanceof ApiError) return { error_status: error.status, error_message: error.message };
  log.error({ err: error }, 'a query failed');
  return { error_status: 500, error_message: serverError().message };
}
