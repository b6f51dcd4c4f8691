// Persons: reading, changing and deleting them.
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type Filter, parseFilterText } from '../filters/parse.ts';
import { invalid, notFound } from '../http/errors.ts';
import { parseUuid } from '../http/fields.ts';
import { readPage } from '../http/paging.ts';
import { empty, type ProjectContext, projectRoute, Reply, type Route } from '../http/route.ts';
import type { Database } from '../metadata/tables.ts';
import type { EventStore } from '../store/open.ts';
import { deletePersons, splitPerson } from './delete.ts';
import { groupRoutes } from './group-routes.ts';
import { listPage } from './list-page.ts';
import { listPersonValues } from './matching.ts';
import { findPersonsOfIds, listPersons, type PersonWithIds } from './read.ts';
import { findNamedPerson, isPersonReference } from './refer.ts';
import {
  BulkDelete,
  BulkDeleted,
  Person,
  PersonChange,
  PersonList,
  PropertyChange,
  PropertyRemoval,
  Split,
  toListedPerson,
  toPerson,
} from './wire.ts';

/** An event that the program sends to a project itself, to take the way that all events take. */
export interface OwnEvent {
  team_id: number;
  event: string;
  distinct_id: string;
  properties: Record<string, unknown>;
}
export type CaptureOwn = (event: OwnEvent) => Promise<void>;

const LIMIT_MAX = 10_000;
const BULK_MAX = 1_000;

export const peopleRoutes = (db: Kysely<Database>, store: EventStore, capture: CaptureOwn): Route[] => {
  const load = async ({ project, params }: Omit<ProjectContext, 'body' | 'found'>): Promise<PersonWithIds> => {
    const named = params.id ?? '';
    if (!isPersonReference(named)) {
      throw invalid(
        `The ID provided does not look like a personID. If you are using a distinctId, please use /persons?distinct_id=${named} instead.`,
      );
    }
    const person = await findNamedPerson(db, project.id, named);
    if (!person) throw notFound();
    return person;
  };

  /** Properties change by an event like any other, so a change and what clients send keep their order. */
  const change = async (person: PersonWithIds, event: string, properties: Record<string, unknown>): Promise<void> => {
    const [distinct_id] = person.distinct_ids;
    if (distinct_id === undefined) throw invalid('A person without any distinct id cannot be changed.');
    await capture({ team_id: person.team_id, event, distinct_id, properties });
  };

  return [
    projectRoute('GET', '/persons/', {
      summary: 'List persons, newest first',
      scope: 'person:read',
      limit: 'analytics',
      returns: PersonList,
      query: {
        search: 'Finds part of an e-mail address, of a name or of a distinct id.',
        distinct_id: 'Only the person with this distinct id.',
        email: 'Only persons with this e-mail address.',
        properties: 'Filters, as JSON: `[{"key": "plan", "value": "pro", "operator": "exact", "type": "person"}]`.',
        limit: `How many; at most ${LIMIT_MAX}. Default: 100.`,
        offset: 'How many to pass over.',
        cursor: 'Where the page before ended; part of `next`.',
        include_total: 'Also count them all.',
      },
      async handle({ project, query, url }) {
        const { limit, offset } = readPage(query);
        const filter = parseFilterText(query.get('properties'), { type: 'person', nowMs: Date.now() });
        const page = await listPage(db, store, url, {
          team_id: project.id,
          filter: isEmpty(filter) ? undefined : filter,
          search: query.get('search') || undefined,
          distinct_id: query.get('distinct_id') || undefined,
          email: query.get('email') || undefined,
          limit: Math.min(limit, LIMIT_MAX),
          offset,
          cursor: query.get('cursor'),
          countAll: query.has('include_total'),
        });
        return { ...page, results: page.results.map((person) => toListedPerson(person, project)) };
      },
    }),

    projectRoute('GET', '/persons/values/', {
      summary: 'List the commonest values of a property',
      scope: 'person:read',
      limit: 'event_values',
      returns: z.array(z.strictObject({ name: z.unknown(), count: z.int() })),
      query: { key: 'The property.', value: 'Only values that contain this.' },
      async handle({ project, query }) {
        const key = query.get('key');
        if (!key) return [];
        const values = await listPersonValues(store, project.id, key, query.get('value') ?? '');
        return values.map(({ value, count }) => ({ name: JSON.parse(value), count }));
      },
    }),

    projectRoute('POST', '/persons/bulk_delete/', {
      summary: 'Delete up to 1,000 persons',
      scope: 'person:write',
      body: BulkDelete,
      returns: BulkDeleted,
      status: 202,
      async handle({ project, body }) {
        requireDeletion(body.keep_person === true);
        const found = await findAll(db, project.id, body.ids ?? [], body.distinct_ids ?? []);
        const delete_events = body.delete_events === true;
        const persons_deleted = await deletePersons(db, project.id, found, { delete_events });
        return {
          persons_found: found.length,
          persons_deleted,
          events_queued_for_deletion: delete_events && found.length > 0,
          recordings_queued_for_deletion: false,
          deletion_errors: [],
        };
      },
    }),

    projectRoute('GET', '/persons/:id/', {
      summary: 'Retrieve a person',
      scope: 'person:read',
      returns: Person,
      load,
      handle: ({ found, project }) => toPerson(found, project),
    }),

    ...(['PATCH', 'PUT'] as const).map((method) =>
      projectRoute(method, '/persons/:id/', {
        summary: 'Set properties of a person',
        scope: 'person:write',
        status: 202,
        body: PersonChange,
        load,
        async handle({ found, body }) {
          await change(found, '$set', { $set: body.properties });
          return empty(202);
        },
      }),
    ),

    projectRoute('DELETE', '/persons/:id/', {
      summary: 'Delete a person',
      scope: 'person:write',
      status: 202,
      query: { delete_events: '`true` to delete all of its events, too.' },
      load,
      async handle({ found, project, query }) {
        requireDeletion(isOn(query.get('keep_person')));
        await deletePersons(db, project.id, [found.uuid], { delete_events: isOn(query.get('delete_events')) });
        return empty(202);
      },
    }),

    projectRoute('POST', '/persons/:id/split/', {
      summary: 'Give distinct ids of a person persons of their own: all but one, or those that are named',
      scope: 'person:write',
      body: Split,
      returns: z.strictObject({ success: z.literal(true) }),
      status: 201,
      load,
      async handle({ found, project, body }) {
        await splitPerson(db, project.id, found.uuid, idsToSplit(found.distinct_ids, body));
        return new Reply(201, { success: true });
      },
    }),

    projectRoute('POST', '/persons/:id/update_property/', {
      summary: 'Set a property of a person',
      scope: 'person:write',
      status: 202,
      body: PropertyChange,
      load,
      async handle({ found, body }) {
        if (body.value === undefined) throw invalid('This field is required.', 'value', 'required');
        await change(found, '$set', { $set: { [body.key]: body.value } });
        return empty(202);
      },
    }),

    projectRoute('POST', '/persons/:id/delete_property/', {
      summary: 'Remove a property of a person',
      scope: 'person:write',
      body: PropertyRemoval,
      returns: z.strictObject({ success: z.literal(true) }),
      status: 201,
      load,
      async handle({ found, body }) {
        await change(found, '$delete_person_property', { $unset: [body.$unset] });
        return new Reply(201, { success: true });
      },
    }),

    ...groupRoutes(db),
  ];
};

/** The ids that leave their person, of whom at least one stays. */
function idsToSplit(
  ids: readonly string[],
  { main_distinct_id: main, distinct_ids_to_split: named }: z.infer<typeof Split>,
) {
  const isOwn = (id: string) => ids.includes(id);
  if (main && !isOwn(main)) throw invalid('This is not a distinct id of the person.', 'main_distinct_id');
  if (!named || named.length === 0) return ids.filter((id) => id !== (main ?? ids[0]));
  const stranger = named.find((id) => !isOwn(id));
  if (stranger !== undefined) {
    throw invalid(`${JSON.stringify(stranger)} is not a distinct id of the person.`, 'distinct_ids_to_split');
  }
  if (main && named.includes(main)) throw invalid('The main distinct id stays.', 'distinct_ids_to_split');
  if (ids.every((id) => named.includes(id))) {
    throw invalid('One distinct id must stay with the person.', 'distinct_ids_to_split');
  }
  return named;
}

const isEmpty = (filter: Filter): boolean => filter.kind === 'group' && filter.members.length === 0;

/** A parameter that is there means yes, unless it says no. */
const isOn = (text: string | null): boolean =>
  text !== null && !['false', '0', 'no', 'off'].includes(text.toLowerCase());

function requireDeletion(keepPerson: boolean): void {
  if (keepPerson) throw invalid('Deleting events while keeping the person is not supported.', 'keep_person');
}

/** The uuids of the persons that are named, by one kind of id or the other. */
async function findAll(
  db: Kysely<Database>,
  team_id: number,
  ids: readonly string[],
  distinct_ids: readonly string[],
): Promise<string[]> {
  if (ids.length > 0 && distinct_ids.length > 0) {
    throw invalid('You must provide either distinct_ids or ids, not both');
  }
  if (ids.length === 0 && distinct_ids.length === 0) {
    throw invalid('You need to specify either distinct_ids or ids');
  }
  if (ids.length > BULK_MAX) throw invalid(`You can only pass ${BULK_MAX} ids in one call`);
  if (distinct_ids.length > BULK_MAX) throw invalid(`You can only pass ${BULK_MAX} distinct_ids in one call`);
  if (distinct_ids.length > 0) {
    const persons = await findPersonsOfIds(db, team_id, distinct_ids);
    return [...new Set([...persons.values()].map(({ uuid }) => uuid))];
  }
  const uuids = ids.map((id) => {
    const uuid = parseUuid(id);
    if (!uuid) throw invalid(`"${id}" is not the uuid of a person.`, 'ids');
    return uuid;
  });
  return (await listPersons(db, team_id, { uuids }, { limit: BULK_MAX })).map(({ uuid }) => uuid);
}
