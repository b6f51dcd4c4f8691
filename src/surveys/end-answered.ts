// A survey that wants so many answers ends by itself when it has them.
import type { EventStore } from '../store/open.ts';
import { changeSurvey } from './change.ts';
import { type Db, listLimited } from './sql.ts';
import { countResponses } from './stats.ts';

/** The limit goes with the end, so that a survey which is started again is not ended at once. */
export async function endAnswered({ db, store }: { db: Db; store: EventStore }): Promise<void> {
  for (const [team_id, surveys] of Map.groupBy(await listLimited(db), (survey) => survey.team_id)) {
    const counts = await countResponses(store, { team_id, survey_ids: surveys.map(({ id }) => id) });
    for (const survey of surveys) {
      if ((counts[survey.id] ?? 0) < (survey.responses_limit ?? Number.POSITIVE_INFINITY)) continue;
      await changeSurvey(db, survey, undefined, { end_date: new Date().toISOString(), responses_limit: null });
    }
  }
}
