// Public shapes of dashboards: the 15 fields of a list item, and the whole.
import { z } from 'zod';
import { invalid } from '../http/errors.ts';
import { anything, bool, choice, integer, isDict, list, nullable, optional, text } from '../http/fields.ts';
import { UserBasic } from '../projects/wire.ts';
import { accessOf, EVERYONE_EDITS, INVITED_EDIT, privilegeOf, RESTRICTION_LEVELS } from './levels.ts';
import { Access, AnyObject, type Authors, type Dict, Level, type Onlooker, timestamp, toAuthor } from './shapes.ts';
import type { DashboardFacts } from './sql.ts';
import { TagsField } from './tags.ts';
import { Tile, TileChanges, TileCopies } from './tiles/wire.ts';

export const DashboardBasic = z.strictObject({
  id: z.int(),
  name: z.string().nullable(),
  description: z.string(),
  pinned: z.boolean(),
  created_at: timestamp,
  created_by: UserBasic.nullable(),
  is_shared: z.boolean(),
  deleted: z.boolean(),
  creation_mode: z.enum(['default', 'template', 'duplicate', 'unlisted']),
  tags: z.array(z.string()),
  restriction_level: Level,
  effective_restriction_level: Level,
  effective_privilege_level: Level,
  user_access_level: Access,
  access_control_version: z.enum(['v1', 'v2']),
});

export const Dashboard = z.strictObject({
  ...DashboardBasic.shape,
  use_template: z.string(),
  use_dashboard: z.int().nullable(),
  delete_insights: z.boolean(),
  filters: AnyObject,
  variables: AnyObject,
  tiles: z.array(Tile),
  breakdown_colors: z.array(z.unknown()).nullable(),
  data_color_theme_id: z.int().nullable(),
  persisted_filters: AnyObject.nullable(),
  persisted_variables: AnyObject.nullable(),
  last_accessed_at: timestamp.nullable(),
  last_refresh: timestamp.nullable(),
  team_id: z.int(),
});

export function toDashboardBasic(
  dashboard: DashboardFacts,
  authors: Authors,
  viewer: Onlooker,
): z.output<typeof DashboardBasic> {
  const { id, name, description, pinned, created_at, is_shared, deleted, creation_mode, tags } = dashboard;
  const { restriction_level } = dashboard;
  const isPublic = viewer === 'public';
  return {
    id,
    name,
    description,
    pinned,
    created_at,
    created_by: toAuthor(dashboard.created_by_id, authors),
    is_shared,
    deleted,
    creation_mode,
    tags,
    restriction_level,
    effective_restriction_level: isPublic ? INVITED_EDIT : restriction_level,
    effective_privilege_level: isPublic ? EVERYONE_EDITS : privilegeOf(dashboard, viewer),
    user_access_level: isPublic ? 'viewer' : accessOf(dashboard, viewer),
    access_control_version: restriction_level > EVERYONE_EDITS ? 'v1' : 'v2',
  };
}

/** What the query of the address lays over the stored filters and variables, for this one answer. */
export interface Overrides {
  filters?: Dict;
  variables?: Dict;
}

export function toDashboard(
  dashboard: DashboardFacts,
  tiles: z.output<typeof Tile>[],
  authors: Authors,
  viewer: Onlooker,
  overrides: Overrides = {},
): z.output<typeof Dashboard> {
  const { filters, variables, breakdown_colors, data_color_theme_id, last_accessed_at, team_id } = dashboard;
  return {
    ...toDashboardBasic(dashboard, authors, viewer),
    // Three fields that only mean something in a request; the interface lists them in answers too.
    use_template: '',
    use_dashboard: null,
    delete_insights: false,
    filters: { ...filters, ...overrides.filters },
    variables: { ...variables, ...overrides.variables },
    tiles,
    breakdown_colors,
    data_color_theme_id,
    persisted_filters: nullWhenEmpty(filters),
    persisted_variables: nullWhenEmpty(variables),
    last_accessed_at,
    last_refresh: null,
    team_id,
  };
}

const nullWhenEmpty = (value: Dict) => (Object.keys(value).length > 0 ? value : null);

const DashboardDraft = z.object({
  name: optional(nullable(text({ max: 400, blank: true }))),
  description: optional(text({ blank: true })),
  pinned: optional(bool()),
  deleted: optional(bool('True deletes the dashboard, false brings it back. The record always stays.')),
  use_template: optional(text({ blank: true, about: 'On creation: the name of the template to begin with.' })),
  use_dashboard: optional(nullable(integer({ about: 'On creation: the dashboard to copy.' }))),
  delete_insights: optional(bool('With `deleted`: also deletes insights that are on no other dashboard.')),
  restriction_level: optional(choice(RESTRICTION_LEVELS, '21: everyone edits; 37: only those invited.')),
  filters: optional(anything('An object; replaces the stored filters, `{}` clears them.')),
  variables: optional(anything('An object; replaces the stored variables, `{}` clears them.')),
  breakdown_colors: optional(nullable(list(anything()))),
  data_color_theme_id: optional(nullable(integer())),
  tags: TagsField,
});

export const NewDashboard = DashboardDraft.extend({
  duplicate_tiles: optional(anything('With `use_dashboard`: true copies the insights and texts too.')),
});

export const DashboardPatch = DashboardDraft.extend({ tiles: TileChanges, duplicate_tiles: TileCopies });

/** Objects replace what is stored. Null and the other empty values of older clients leave it as it is. */
export function parseFilters(value: unknown): Dict | undefined {
  if (isDict(value)) return value;
  const isEmpty = !value || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return undefined;
  throw invalid('Filters must be a dictionary');
}

/** An object given as JSON text in the query of an address. */
export function parseOverride(query: URLSearchParams, name: string): Dict | undefined {
  const given = query.get(name);
  if (!given) return undefined;
  try {
    const value: unknown = JSON.parse(given);
    if (isDict(value)) return value;
  } catch {
    // Not JSON at all: the same answer.
  }
  throw invalid(`Invalid JSON passed in ${name} parameter`, name);
}

export function parseOverrides(query: URLSearchParams): Overrides {
  const [filters, variables] = [parseOverride(query, 'filters_override'), parseOverride(query, 'variables_override')];
  return { ...(filters && { filters }), ...(variables && { variables }) };
}
