// How a flag is used, over the management API.
import { z } from 'zod';
import { type Moment, parseMoment } from '../../filters/moment.ts';
import { invalid } from '../../http/errors.ts';
import { type ProjectContext, projectRoute, Reply, type Route } from '../../http/route.ts';
import type { FeatureFlagRow } from '../../metadata/tables.ts';
import type { EventStore } from '../../store/open.ts';
import type { Db } from '../management/sql.ts';
import { countCallsByDay, countCallsByResponse } from './calls.ts';
import { createUsageDashboard, enrichUsageDashboard } from './dashboard.ts';

const Usage = z.strictObject({
  flag_key: z.string(),
  date_from: z.string(),
  date_to: z.string(),
  calls: z.int(),
  last_called_at: z.string().nullable(),
  responses: z.array(
    z.strictObject({ response: z.string(), calls: z.int(), persons: z.int(), last_called_at: z.string() }),
  ),
  days: z.array(z.strictObject({ day: z.string(), response: z.string(), calls: z.int() })),
});

const Outcome = z.strictObject({ success: z.boolean(), error: z.string().optional() });

export function usageRoutes(
  { db, store }: { db: Db; store: EventStore },
  load: (context: Pick<ProjectContext, 'project' | 'params'>) => Promise<FeatureFlagRow>,
): Route[] {
  return [
    projectRoute('POST', '/feature_flags/:id/dashboard/', {
      scope: 'feature_flag:write',
      summary: 'Make the dashboard that shows how a flag is used',
      returns: Outcome,
      load,
      async handle({ found, user }) {
        await createUsageDashboard(db, found, user.id);
        return { success: true };
      },
    }),

    projectRoute('POST', '/feature_flags/:id/enrich_usage_dashboard/', {
      scope: 'feature_flag:write',
      summary: "Add what people do with the flag's feature to its dashboard",
      returns: Outcome,
      load,
      async handle({ found }) {
        const error = await enrichUsageDashboard(db, found);
        return error === undefined ? { success: true } : new Reply(400, { success: false, error });
      },
    }),

    projectRoute('GET', '/feature_flags/:id/usage/', {
      scope: 'feature_flag:read',
      summary: 'How often a flag was asked for, by what it was, and by day',
      query: {
        date_from: 'From then on: a date, or `-7d`; 30 days unless given.',
        date_to: 'Up to that; now unless given.',
      },
      returns: Usage,
      load,
      async handle({ found: { team_id, key: flag_key }, query }) {
        const { from } = readMoment(query.get('date_from') || '-30d', 'date_from');
        const { to } = readMoment(query.get('date_to') || '-0s', 'date_to');
        const question = { team_id, flag_key, from, to };
        const [responses, days] = await Promise.all([
          countCallsByResponse(store, question),
          countCallsByDay(store, question),
        ]);
        const calls = responses.reduce((sum, row) => sum + row.calls, 0);
        const last_called_at =
          responses
            .map((row) => row.last_called_at)
            .sort()
            .at(-1) ?? null;
        return { flag_key, date_from: iso(from), date_to: iso(to), calls, last_called_at, responses, days };
      },
    }),
  ];
}

const iso = (micros: number) => new Date(micros / 1_000).toISOString();

function readMoment(text: string, attr: string): Moment {
  const moment = parseMoment(text, Date.now());
  if (!moment) throw invalid(`Invalid ${attr}: give a date, a time, or so long before now, such as -7d.`, attr);
  return moment;
}
