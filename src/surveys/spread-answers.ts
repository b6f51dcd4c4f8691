// Where answers are spread over days: whom the flag of the survey lets through follows the day and the answers so far.
import { isDeepStrictEqual } from 'node:util';
import { changeFlag } from '../flags/management/change.ts';
import { findFlag } from '../flags/management/sql.ts';
import type { EventStore } from '../store/open.ts';
import { planSampling, samplingFilters, shareOf } from './sampling.ts';
import { type Db, listSampled } from './sql.ts';
import { countResponses } from './stats.ts';

export async function spreadAnswers({ db, store }: { db: Db; store: EventStore }): Promise<void> {
  for (const [team_id, surveys] of Map.groupBy(await listSampled(db), (survey) => survey.team_id)) {
    const counts = await countResponses(store, { team_id, survey_ids: surveys.map(({ id }) => id) });
    for (const survey of surveys) {
      const plan = planSampling(survey);
      const flag = await findFlag(db, team_id, survey.internal_response_sampling_flag_id ?? 0);
      if (!plan || !flag) continue;
      const filters = samplingFilters(shareOf(plan, counts[survey.id] ?? 0, Date.now()));
      if (isDeepStrictEqual(flag.filters.groups, filters.groups)) continue;
      await changeFlag(db, flag, undefined, { filters });
    }
  }
}
