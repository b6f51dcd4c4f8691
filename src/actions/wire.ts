// Public shapes of actions. The only file that knows them.
import { z } from 'zod';
import { invalid } from '../http/errors.ts';
import { anything, bool, datetime, isDict, list, nullable, optional, text } from '../http/fields.ts';
import type { AccountRow } from '../metadata/tables.ts';
import type { ActionRow } from '../metadata/tables-query.ts';
import { pagedOf, toUserBasic, UserBasic } from '../projects/wire.ts';
import type { ActionStep } from '../query/kind.ts';

const Step = z.strictObject({
  event: z.string().nullable(),
  properties: z.unknown(),
  selector: z.string().nullable(),
  tag_name: z.string().nullable(),
  text: z.string().nullable(),
  text_matching: z.string().nullable(),
  href: z.string().nullable(),
  href_matching: z.string().nullable(),
  url: z.string().nullable(),
  url_matching: z.string().nullable(),
});

export const Action = z.strictObject({
  id: z.int(),
  name: z.string().nullable(),
  description: z.string(),
  tags: z.array(z.string()),
  post_to_slack: z.boolean(),
  slack_message_format: z.string(),
  steps: z.array(Step),
  created_at: z.string(),
  created_by: UserBasic.nullable(),
  deleted: z.boolean(),
  is_calculating: z.boolean(),
  last_calculated_at: z.string(),
  team_id: z.int(),
  is_action: z.literal(true),
  bytecode_error: z.null(),
  pinned_at: z.string().nullable(),
  creation_context: z.null(),
  user_access_level: z.literal('editor'),
});
export const ActionPage = pagedOf(Action);

const MATCHINGS = ['contains', 'regex', 'exact'] as const;

const fields = {
  description: optional(text({ blank: true })),
  tags: optional(list(text())),
  post_to_slack: optional(bool()),
  slack_message_format: optional(text({ max: 1_200, blank: true })),
  steps: optional(
    list(anything('`{"event": …, "url": …, "selector": …, "properties": […]}`; any one of them will do.')),
  ),
  deleted: optional(bool('True deletes the action, false brings it back.')),
  pinned_at: optional(nullable(datetime())),
};

export const NewAction = z.object({ ...fields, name: optional(nullable(text({ max: 400 }))) });
export const ActionChange = NewAction;

const STEPS_MAX = 50;

/** What of each step can be matched; anything else that a client sends along is left out. */
export function parseSteps(given: readonly unknown[]): ActionStep[] {
  if (given.length > STEPS_MAX) throw invalid(`An action may have at most ${STEPS_MAX} steps.`, 'steps');
  return given.map((step) => {
    if (!isDict(step)) throw invalid('Each step must be an object.', 'steps');
    return {
      event: readText(step, 'event'),
      properties: Array.isArray(step.properties) ? step.properties : [],
      selector: readText(step, 'selector'),
      tag_name: readText(step, 'tag_name'),
      text: readText(step, 'text'),
      text_matching: readMatching(step, 'text_matching'),
      href: readText(step, 'href'),
      href_matching: readMatching(step, 'href_matching'),
      url: readText(step, 'url'),
      url_matching: readMatching(step, 'url_matching') ?? 'contains',
    };
  });
}

function readText(step: Record<string, unknown>, name: string): string | null {
  const value = step[name];
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string' && value.length <= 10_000) return value;
  throw invalid(`"${name}" of a step must be a text.`, 'steps');
}

function readMatching(step: Record<string, unknown>, name: string): (typeof MATCHINGS)[number] | null {
  const value = step[name];
  if (value === undefined || value === null || value === '') return null;
  const found = MATCHINGS.find((matching) => matching === value);
  if (found) return found;
  throw invalid(`"${name}" of a step must be one of ${MATCHINGS.join(', ')}.`, 'steps');
}

export function toAction(row: ActionRow, authors: ReadonlyMap<number, AccountRow>): z.output<typeof Action> {
  const author = authors.get(row.created_by_id ?? 0);
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    tags: row.tags,
    post_to_slack: row.post_to_slack,
    slack_message_format: row.slack_message_format,
    steps: row.steps as z.output<typeof Step>[],
    created_at: row.created_at,
    created_by: author ? toUserBasic(author) : null,
    deleted: row.deleted,
    is_calculating: false,
    last_calculated_at: row.updated_at,
    team_id: row.team_id,
    is_action: true,
    bytecode_error: null,
    pinned_at: row.pinned_at,
    creation_context: null,
    user_access_level: 'editor',
  };
}
