// Event and property definitions: what the pipeline saw, and what people wrote about it.
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { invalid, notFound } from '../../http/errors.ts';
import { parseUuid } from '../../http/fields.ts';
import { paged, readPage } from '../../http/paging.ts';
import { type ProjectContext, projectRoute, type Route } from '../../http/route.ts';
import type { Database, EventDefinitionRow, PropertyDefinitionRow } from '../../metadata/tables.ts';
import { pagedOf } from '../../projects/wire.ts';
import { readEventFilter, readEventOrder, readPropertyFilter, readTexts } from './read-query.ts';
import {
  findAccounts,
  findEventDefinition,
  findEventDefinitionByName,
  findPropertyDefinition,
  isMember,
  listEventDefinitions,
  listEventsWith,
  listPropertyDefinitions,
  type SeenPropertyDefinition,
  updateEventDefinition,
  updatePropertyDefinition,
} from './sql.ts';
import { changeStanding } from './verify.ts';
import {
  EventDefinition,
  EventDefinitionChange,
  PropertyDefinition,
  PropertyDefinitionChange,
  tidyTags,
  toEventDefinition,
  toPropertyDefinition,
} from './wire.ts';

type Asking = Omit<ProjectContext, 'body' | 'found'>;

export const definitionRoutes = (db: Kysely<Database>): Route[] => {
  const showEvents = async (rows: readonly EventDefinitionRow[]) => {
    const accounts = await findAccounts(
      db,
      rows.flatMap(({ owner_id, updated_by_id, verified_by_id }) => [owner_id, updated_by_id, verified_by_id]),
    );
    return rows.map((row) => toEventDefinition(row, accounts));
  };
  const showProperties = async (rows: readonly SeenPropertyDefinition[]) => {
    const accounts = await findAccounts(
      db,
      rows.flatMap(({ updated_by_id, verified_by_id }) => [updated_by_id, verified_by_id]),
    );
    return rows.map((row) => toPropertyDefinition(row, accounts));
  };
  const showProperty = async (row: PropertyDefinitionRow) => (await showProperties([{ ...row, is_seen: null }]))[0];

  const loadEvent = async ({ project, params }: Asking) =>
    required(await byUuid(params.id, (id) => findEventDefinition(db, project.id, id)));
  const loadProperty = async ({ project, params }: Asking) =>
    required(await byUuid(params.id, (id) => findPropertyDefinition(db, project.id, id)));

  return [
    projectRoute('GET', '/event_definitions/', {
      summary: 'List event definitions',
      scope: 'event_definition:read',
      returns: pagedOf(EventDefinition),
      query: {
        search: 'Words that are all part of the name.',
        names: 'Only these names, separated by commas.',
        event_type: '`event_custom` for your own, `event_posthog` for those of the SDKs.',
        ordering: '`name`, `last_seen_at` or `created_at`, with `-` before it for the other way round.',
        verified: '`true` or `false`.',
        tags: 'JSON list of tags; any of them will do.',
        exclude_hidden: '`true` to leave out what is hidden.',
      },
      async handle({ project, query, url }) {
        const page = readPage(query);
        const found = await listEventDefinitions(db, project.id, readEventFilter(query), readEventOrder(query), page);
        return paged(url, page, found.count, await showEvents(found.rows));
      },
    }),

    projectRoute('GET', '/event_definitions/by_name/', {
      summary: 'Retrieve an event definition by its name',
      scope: 'event_definition:read',
      returns: EventDefinition,
      query: { name: 'The whole name.' },
      async handle({ project, query }) {
        const name = query.get('name');
        if (!name) throw invalid('This query parameter is required.', 'name', 'required');
        return (await showEvents([required(await findEventDefinitionByName(db, project.id, name))]))[0];
      },
    }),

    projectRoute('GET', '/event_definitions/:id/', {
      summary: 'Retrieve an event definition',
      scope: 'event_definition:read',
      returns: EventDefinition,
      load: loadEvent,
      handle: async ({ found }) => (await showEvents([found]))[0],
    }),

    ...(['PATCH', 'PUT'] as const).map((method) =>
      projectRoute(method, '/event_definitions/:id/', {
        summary: 'Describe, tag, verify or hide an event',
        scope: 'event_definition:write',
        body: EventDefinitionChange,
        returns: EventDefinition,
        load: loadEvent,
        async handle({ found, body, user, project }) {
          const { description, tags, owner } = body;
          if (owner && !(await isMember(db, project.organization_id, owner))) {
            throw invalid(`Invalid pk "${owner}" - object does not exist.`, 'owner', 'does_not_exist');
          }
          const changed = await updateEventDefinition(db, found, {
            ...(description !== undefined && { description: description ?? '' }),
            ...(tags && { tags: tidyTags(tags) }),
            ...(owner !== undefined && { owner_id: owner }),
            ...changeStanding(found, body, { user_id: user.id, now: new Date().toISOString() }),
            updated_by_id: user.id,
          });
          return (await showEvents([changed]))[0];
        },
      }),
    ),

    projectRoute('GET', '/property_definitions/', {
      summary: 'List property definitions',
      scope: 'property_definition:read',
      returns: pagedOf(PropertyDefinition),
      query: {
        type: '`event` (the default), `person`, `group` or `session`.',
        group_type_index: 'Which group type, for `group`.',
        search: 'Words that are all part of the name.',
        properties: 'Only these names, separated by commas.',
        is_numerical: '`true` for numbers only.',
        is_feature_flag: '`true` for `$feature/…` only, `false` for all others.',
        event_names: 'JSON list of events; tells which properties were seen on them.',
        filter_by_event_names: '`true` for those properties only.',
        excluded_properties: 'JSON list of names to leave out.',
        exclude_hidden: '`true` to leave out what is hidden.',
      },
      async handle({ project, query, url }) {
        const page = readPage(query);
        const filter = readPropertyFilter(query);
        if (!filter) return paged(url, page, 0, []);
        const found = await listPropertyDefinitions(db, project.id, filter, page);
        return paged(url, page, found.count, await showProperties(found.rows));
      },
    }),

    projectRoute('GET', '/property_definitions/seen_together/', {
      summary: 'Tell on which events a property was seen',
      scope: 'property_definition:read',
      returns: z.record(z.string(), z.boolean()),
      query: { event_names: 'JSON list of events.', property_name: 'The property.' },
      async handle({ project, query }) {
        const events = readTexts(query, 'event_names');
        const property = query.get('property_name');
        if (!events) throw invalid('This query parameter is required.', 'event_names', 'required');
        if (!property) throw invalid('This query parameter is required.', 'property_name', 'required');
        const seen = await listEventsWith(db, project.id, property, events);
        return Object.fromEntries(events.map((event) => [event, seen.has(event)]));
      },
    }),

    projectRoute('GET', '/property_definitions/:id/', {
      summary: 'Retrieve a property definition',
      scope: 'property_definition:read',
      returns: PropertyDefinition,
      load: loadProperty,
      handle: ({ found }) => showProperty(found),
    }),

    ...(['PATCH', 'PUT'] as const).map((method) =>
      projectRoute(method, '/property_definitions/:id/', {
        summary: 'Describe, tag, type, verify or hide a property',
        scope: 'property_definition:write',
        body: PropertyDefinitionChange,
        returns: PropertyDefinition,
        load: loadProperty,
        async handle({ found, body, user }) {
          const { description, tags, property_type } = body;
          const changed = await updatePropertyDefinition(db, found, {
            ...(description !== undefined && { description: description ?? '' }),
            ...(tags && { tags: tidyTags(tags) }),
            ...(property_type !== undefined && { property_type }),
            ...changeStanding(found, body, { user_id: user.id, now: new Date().toISOString() }),
            updated_by_id: user.id,
          });
          return showProperty(changed);
        },
      }),
    ),
  ];
};

async function byUuid<Row>(id = '', find: (uuid: string) => Promise<Row | undefined>): Promise<Row | undefined> {
  const uuid = parseUuid(id);
  return uuid ? find(uuid) : undefined;
}

function required<Row>(row: Row | undefined): Row {
  if (row === undefined) throw notFound();
  return row;
}
