// Public shapes of event and property definitions.
import { z } from 'zod';
import { bool, choice, integer, list, nullable, optional, text } from '../../http/fields.ts';
import type { AccountRow, EventDefinitionRow } from '../../metadata/tables.ts';
import { toUserBasic, UserBasic } from '../../projects/wire.ts';
import type { SeenPropertyDefinition } from './sql.ts';

type Accounts = ReadonlyMap<number, AccountRow>;

const toUser = (accounts: Accounts, id: number | null) => {
  const account = id === null ? undefined : accounts.get(id);
  return account ? toUserBasic(account) : null;
};

const time = z.iso.datetime();
const person = UserBasic.nullable();

// Events

export const EventDefinition = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  owner: person,
  description: z.string(),
  tags: z.array(z.string()),
  created_at: time.nullable(),
  updated_at: time.nullable(),
  updated_by: person,
  last_seen_at: time.nullable(),
  last_updated_at: time.nullable(),
  verified: z.boolean(),
  verified_at: time.nullable(),
  verified_by: person,
  hidden: z.boolean(),
  is_action: z.boolean(),
  action_id: z.int().nullable(),
  is_calculating: z.boolean(),
  last_calculated_at: time.nullable(),
  created_by: person,
  post_to_slack: z.boolean(),
  default_columns: z.array(z.string()),
});

export function toEventDefinition(row: EventDefinitionRow, accounts: Accounts): z.output<typeof EventDefinition> {
  const { id, name, description, tags, created_at, updated_at, last_seen_at, verified, verified_at, hidden } = row;
  return {
    id,
    name,
    owner: toUser(accounts, row.owner_id),
    description,
    tags,
    created_at,
    updated_at,
    updated_by: toUser(accounts, row.updated_by_id),
    last_seen_at,
    last_updated_at: updated_at,
    verified,
    verified_at,
    verified_by: toUser(accounts, row.verified_by_id),
    hidden,
    // What the wire says of actions, which stand in the same list elsewhere.
    is_action: false,
    action_id: null,
    is_calculating: false,
    last_calculated_at: null,
    created_by: null,
    post_to_slack: false,
    default_columns: [],
  };
}

const description = optional(nullable(text({ max: 10_000, blank: true })));
const tags = optional(list(text({ max: 255 })));

export const EventDefinitionChange = z.object({
  description,
  tags,
  verified: optional(bool()),
  hidden: optional(bool()),
  owner: optional(nullable(integer({ about: 'Number of a user of the organization.' }))),
});

// Properties

const PROPERTY_TYPES = ['DateTime', 'String', 'Numeric', 'Boolean', 'Duration'] as const;

export const PropertyDefinition = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  is_numerical: z.boolean(),
  updated_at: time.nullable(),
  updated_by: person,
  is_seen_on_filtered_events: z.boolean().nullable(),
  property_type: z.literal(PROPERTY_TYPES).nullable(),
  verified: z.boolean(),
  verified_at: time.nullable(),
  verified_by: person,
  hidden: z.boolean(),
});

export function toPropertyDefinition(
  row: SeenPropertyDefinition,
  accounts: Accounts,
): z.output<typeof PropertyDefinition> {
  const { id, name, description, tags, updated_at, property_type, verified, verified_at, hidden, is_seen } = row;
  return {
    id,
    name,
    description,
    tags,
    is_numerical: property_type === 'Numeric',
    updated_at,
    updated_by: toUser(accounts, row.updated_by_id),
    is_seen_on_filtered_events: is_seen,
    property_type,
    verified,
    verified_at,
    verified_by: toUser(accounts, row.verified_by_id),
    hidden,
  };
}

export const PropertyDefinitionChange = z.object({
  description,
  tags,
  verified: optional(bool()),
  hidden: optional(bool()),
  property_type: optional(nullable(choice(PROPERTY_TYPES))),
});

/** Tags are compared without case or surrounding space, so they are kept like that, each once. */
export const tidyTags = (given: readonly string[]): string[] =>
  [...new Set(given.map((tag) => tag.trim().toLowerCase()))].sort();
