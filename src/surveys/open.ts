// Surveys, ready to be mounted; while the program runs, those that come again are moved to their next round, those that
// have enough answers are ended, and those that spread their answers ask as many people as the day allows.
import type { Route } from '../http/route.ts';
import type { Logger } from '../platform/logger.ts';
import { advanceRounds } from './change.ts';
import { endAnswered } from './end-answered.ts';
import { type SurveyParts, surveyRoutes } from './routes.ts';
import { spreadAnswers } from './spread-answers.ts';

const LOOK_EVERY_MS = 60_000;

export interface Surveys {
  routes: Route[];
  close(): void;
}

export function openSurveys(parts: SurveyParts, log: Logger): Surveys {
  const look = async () => {
    await advanceRounds(parts.db).catch((error) => log.warn({ err: error }, 'rounds of surveys were not looked at'));
    await endAnswered(parts).catch((error) => log.debug({ err: error }, 'answers to surveys were not counted'));
    await spreadAnswers(parts).catch((error) => log.debug({ err: error }, 'answers to surveys were not spread'));
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  void look();
  return { routes: surveyRoutes(parts), close: () => clearInterval(timer) };
}
