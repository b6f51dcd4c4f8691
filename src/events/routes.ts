// Reading events back.
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { parseMoment } from '../filters/moment.ts';
import { parseFilterText } from '../filters/parse.ts';
import { invalid, notFound } from '../http/errors.ts';
import { parseUuid } from '../http/fields.ts';
import { readPage } from '../http/paging.ts';
import { projectRoute, type Route } from '../http/route.ts';
import type { Database, ProjectRow } from '../metadata/tables.ts';
import { findPersonsOfIds } from '../people/read.ts';
import { findPersonUuid } from '../people/refer.ts';
import type { EventStore } from '../store/open.ts';
import type { Micros } from '../store/tables/rows.ts';
import {
  type EventPlace,
  type EventQuestion,
  type EventRead,
  findEvent,
  listCustomEventNames,
  listEvents,
  listPropertyValues,
} from './sql.ts';
import { Event, EventList, jsonReply, toEventListText, toEventText, toTimestamp } from './wire.ts';

const LIMIT_MAX = 50_000;
/** Clocks differ a little; an event from the near future is as good as now. */
const NEAR_FUTURE_MS = 5_000;

/** How the events of an action are found; undefined when there is no such action. */
export type FindActionEvents = (project: ProjectRow, id: number) => Promise<EventQuestion['among']>;

export const eventRoutes = (db: Kysely<Database>, store: EventStore, findActionEvents: FindActionEvents): Route[] => {
  const withPersons = async (team_id: number, events: readonly EventRead[]): Promise<string[]> => {
    const ids = [...new Set(events.map(({ distinct_id }) => distinct_id))];
    const persons = await findPersonsOfIds(db, team_id, ids);
    return events.map((event) => toEventText(event, persons.get(event.distinct_id)));
  };

  return [
    projectRoute('GET', '/events/', {
      summary: 'List events, newest first',
      scope: 'query:read',
      limit: 'analytics',
      returns: EventList,
      query: {
        event: 'Only events of this name.',
        distinct_id: 'Only events with this distinct id.',
        action_id: 'Only events that belong to this action.',
        person_id: 'Only events that belong to this person now; its uuid or its number.',
        properties: 'Filters, as JSON: `[{"key": "plan", "value": ["pro"], "operator": "exact", "type": "event"}]`.',
        before: 'Only events before this time. Default: now.',
        after: 'Only events after this time.',
        orderBy: '`["timestamp"]` for the oldest first. Default: `["-timestamp"]`.',
        limit: `How many; at most ${LIMIT_MAX}. Default: 100.`,
        offset: 'How many to pass over. Following `next` is quicker and never misses one.',
      },
      async handle({ project, query, url }) {
        const question = await readQuestion(db, project.id, query, Date.now());
        const action = query.get('action_id');
        const among = action ? await findActionEvents(project, Number(action)) : undefined;
        if (action && !among) return jsonReply(toEventListText(null, []));
        if (!question) return jsonReply(toEventListText(null, []));
        const { limit } = question;
        const events = await listEvents(store, { ...question, among, limit: limit + 1 });
        const page = events.slice(0, limit);
        const last = page.at(-1);
        const next = last && events.length > limit ? nextLink(url, last, question.oldestFirst) : null;
        return jsonReply(toEventListText(next, await withPersons(project.id, page)));
      },
    }),

    projectRoute('GET', '/events/values/', {
      summary: 'List the commonest values of a property',
      scope: 'query:read',
      limit: 'event_values',
      returns: z.array(z.strictObject({ name: z.unknown() })),
      query: {
        key: 'The property, or `custom_event` for the names of events that are your own.',
        value: 'Only values that contain this.',
        event_name: 'Only on events of this name; may be given more than once.',
      },
      async handle({ project, query }) {
        const key = query.get('key');
        if (!key) return [];
        if (key === 'custom_event') {
          return (await listCustomEventNames(store, project.id)).map((name) => ({ name }));
        }
        const values = await listPropertyValues(store, project.id, {
          key,
          part: query.get('value') ?? '',
          events: query.getAll('event_name'),
          now: Date.now() * 1_000,
        });
        // A list counts as its members.
        const parsed: unknown[] = values.map((value) => JSON.parse(value));
        return [...new Set(parsed.flat())].map((name) => ({ name }));
      },
    }),

    projectRoute('GET', '/events/:id/', {
      summary: 'Retrieve an event',
      scope: 'query:read',
      limit: 'analytics',
      returns: Event,
      async handle({ project, params }) {
        const uuid = parseUuid(params.id ?? '');
        if (!uuid) throw invalid('Invalid UUID', null, 'invalid');
        const event = await findEvent(store, project.id, uuid);
        if (!event) throw notFound(`No events exist for event UUID ${uuid}`);
        const [text = ''] = await withPersons(project.id, [event]);
        return jsonReply(text);
      },
    }),
  ];
};

/** What the query asks for; undefined when nothing can fit. */
async function readQuestion(
  db: Kysely<Database>,
  team_id: number,
  query: URLSearchParams,
  nowMs: number,
): Promise<EventQuestion | undefined> {
  const filter = parseFilterText(query.get('properties'), { type: 'event', nowMs });
  const named = query.get('person_id');
  const person_id = named ? await findPersonUuid(db, team_id, named) : undefined;
  if (named && person_id === undefined) return undefined;
  const { limit, offset } = readPage(query);
  const time = { before: readTime(query, 'before', nowMs), after: readTime(query, 'after', nowMs) };
  const oldestFirst = readOldestFirst(query.get('orderBy'));
  const beyond = readPlace(query.get('cursor'), oldestFirst ? time.after : time.before);
  return {
    team_id,
    filter,
    person_id,
    event: query.get('event') || undefined,
    distinct_id: query.get('distinct_id') || undefined,
    // The page before ended within this time, and the rest of what happened then belongs to this one.
    before: (time.before ?? (nowMs + NEAR_FUTURE_MS) * 1_000) + (beyond && !oldestFirst ? 1 : 0),
    after: time.after !== undefined && beyond && oldestFirst ? time.after - 1 : time.after,
    beyond,
    oldestFirst,
    limit: Math.min(limit, LIMIT_MAX),
    offset,
  };
}

function readTime(query: URLSearchParams, name: 'before' | 'after', nowMs: number): Micros | undefined {
  const text = query.get(name);
  if (!text) return undefined;
  const moment = parseMoment(text, nowMs);
  if (!moment) throw invalid('This must be a date such as 2025-02-03, 2025-02-03T10:11:12Z or -7d.', name);
  return moment.from;
}

function readOldestFirst(orderBy: string | null): boolean {
  const wanted = orderBy?.replace(/[[\]"\s]/g, '') || '-timestamp';
  if (wanted === '-timestamp' || wanted === 'timestamp') return wanted === 'timestamp';
  throw invalid('Events can be ordered by ["-timestamp"] or ["timestamp"].', 'orderBy');
}

/** The cursor completes the time in `before` or `after`, which stand in the link for those who read it. */
function readPlace(cursor: string | null, micros: Micros | undefined): EventPlace | undefined {
  if (cursor === null) return undefined;
  const [, partition, position] = /^(\d{1,9})-(\d{1,15})$/.exec(cursor) ?? [];
  if (partition === undefined || micros === undefined) {
    throw invalid('Invalid cursor; follow the `next` link as it is.', 'cursor');
  }
  return { micros, log_partition: Number(partition), log_position: Number(position) };
}

function nextLink(url: URL, { micros, log_partition, log_position }: EventPlace, oldestFirst: boolean): string {
  const link = new URL(url);
  link.searchParams.delete('offset');
  link.searchParams.set(oldestFirst ? 'after' : 'before', toTimestamp(micros));
  link.searchParams.set('cursor', `${log_partition}-${log_position}`);
  return link.href;
}
