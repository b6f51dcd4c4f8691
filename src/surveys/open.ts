// Surveys, ready to be mounted; surveys that come again are moved to their next round while the program runs.
import type { Route } from '../http/route.ts';
import type { Logger } from '../platform/logger.ts';
import { advanceRounds } from './change.ts';
import { type SurveyParts, surveyRoutes } from './routes.ts';

const ADVANCE_EVERY_MS = 60_000;

export interface Surveys {
  routes: Route[];
  close(): void;
}

export function openSurveys(parts: SurveyParts, log: Logger): Surveys {
  const advance = () =>
    void advanceRounds(parts.db).catch((error) => log.warn({ err: error }, 'rounds of surveys were not looked at'));
  const timer = setInterval(advance, ADVANCE_EVERY_MS);
  timer.unref();
  advance();
  return { routes: surveyRoutes(parts), close: () => clearInterval(timer) };
}
