// Public shapes of persons and groups.
import { z } from 'zod';
import { anything, bool, dict, list, nullable, optional, text, verbatim } from '../http/fields.ts';
import type { GroupsRow, GroupTypeRow, ProjectRow } from '../metadata/tables.ts';
import { personName, tellingFirst } from './name.ts';
import type { PersonWithIds } from './read.ts';

const properties = z.record(z.string(), z.unknown());

// Persons

export const Person = z.strictObject({
  id: z.int(),
  name: z.string(),
  distinct_ids: z.array(z.string()),
  properties,
  created_at: z.iso.datetime(),
  uuid: z.uuid(),
});

export function toPerson(person: PersonWithIds, project: ProjectRow): z.output<typeof Person> {
  const { id, uuid, created_at, properties } = person;
  const distinct_ids = tellingFirst(person.distinct_ids);
  return { id, name: nameOf(person, project), distinct_ids, properties, created_at, uuid };
}

/** In lists a person is known by its uuid, and carries what a person behind a point of a chart carries. */
export const ListedPerson = z.strictObject({
  type: z.literal('person'),
  id: z.uuid(),
  uuid: z.uuid(),
  created_at: z.iso.datetime(),
  properties,
  is_identified: z.boolean(),
  name: z.string(),
  distinct_ids: z.array(z.string()),
  matched_recordings: z.array(z.unknown()),
  value_at_data_point: z.null(),
});

export const PersonList = z.strictObject({
  results: z.array(ListedPerson),
  next: z.string().nullable(),
  previous: z.string().nullable(),
  /** Only when `include_total` was asked for: counting takes longer than listing. */
  count: z.int().optional(),
});

export function toListedPerson(person: PersonWithIds, project: ProjectRow): z.output<typeof ListedPerson> {
  const { uuid, created_at, properties, is_identified, distinct_ids } = person;
  return {
    type: 'person',
    id: uuid,
    uuid,
    created_at,
    properties,
    is_identified,
    name: nameOf(person, project),
    distinct_ids,
    matched_recordings: [],
    value_at_data_point: null,
  };
}

function nameOf(person: PersonWithIds, { settings }: ProjectRow): string {
  const chosen = settings.person_display_name_properties;
  return personName(person, Array.isArray(chosen) && chosen.length > 0 ? chosen.map(String) : undefined);
}

export const PersonChange = z.object({ properties: dict('Properties to set; others stay as they are.') });

export const PropertyChange = z.object({
  key: verbatim({ about: 'Name of the property.' }),
  value: anything('Its new value.'),
});

export const PropertyRemoval = z.object({ $unset: verbatim({ about: 'Name of the property to remove.' }) });

export const Split = z.object({
  main_distinct_id: optional(nullable(verbatim({ about: 'The id that stays. Default: the first.' }))),
  distinct_ids_to_split: optional(
    nullable(
      list(verbatim(), 'Only these ids get a person of their own; all others stay. Default: all but the main one.'),
    ),
  ),
});

export const BulkDelete = z.object({
  ids: optional(nullable(list(text(), 'Uuids of persons, 1,000 at most.'))),
  distinct_ids: optional(nullable(list(verbatim(), 'Or one distinct id of each, 1,000 at most.'))),
  delete_events: optional(bool('Also delete all of their events.')),
  keep_person: optional(bool()),
});

export const BulkDeleted = z.strictObject({
  persons_found: z.int(),
  persons_deleted: z.int(),
  events_queued_for_deletion: z.boolean(),
  recordings_queued_for_deletion: z.boolean(),
  deletion_errors: z.array(z.unknown()),
});

// Groups

export const Group = z.strictObject({
  group_type_index: z.int(),
  group_key: z.string(),
  group_properties: properties,
  created_at: z.iso.datetime(),
});

export const GroupList = z.strictObject({ next: z.string().nullable(), previous: z.null(), results: z.array(Group) });

export function toGroup({ group_type_index, group_key, properties, created_at }: GroupsRow): z.output<typeof Group> {
  return { group_type_index, group_key, group_properties: properties, created_at };
}

export const GroupType = z.strictObject({
  group_type: z.string(),
  group_type_index: z.int(),
  name_singular: z.string().nullable(),
  name_plural: z.string().nullable(),
  detail_dashboard: z.int().nullable(),
  default_columns: z.array(z.string()).nullable(),
  created_at: z.iso.datetime(),
});

export function toGroupType(row: GroupTypeRow): z.output<typeof GroupType> {
  const { group_type, group_type_index, name_singular, name_plural, created_at } = row;
  return {
    group_type,
    group_type_index,
    name_singular,
    name_plural,
    detail_dashboard: null,
    default_columns: null,
    created_at,
  };
}
