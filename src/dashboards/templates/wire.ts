// Public shapes of templates, and what their tiles must be like to become tiles of a dashboard.
import { z } from 'zod';
import { invalid } from '../../http/errors.ts';
import {
  anything,
  bool,
  choice,
  dict,
  isDict,
  list,
  nullable,
  optional,
  parseBody,
  pythonType,
  text,
} from '../../http/fields.ts';
import { AnyObject, type Dict, timestamp } from '../shapes.ts';
import { TagsField } from '../tags.ts';
import { templateSchema } from './schema.ts';
import { requireFit } from './validate.ts';

export const SCOPES = ['team', 'global', 'feature_flag'] as const;

export const DashboardTemplate = z.strictObject({
  id: z.uuid(),
  template_name: z.string(),
  dashboard_description: z.string(),
  dashboard_filters: AnyObject,
  tags: z.array(z.string()),
  tiles: z.array(AnyObject),
  variables: z.array(AnyObject),
  deleted: z.boolean(),
  created_at: timestamp,
  created_by: z.int().nullable(),
  image_url: z.string().nullable(),
  team_id: z.int().nullable(),
  scope: z.enum(SCOPES),
});
export type DashboardTemplate = z.output<typeof DashboardTemplate>;

export const TemplateDraft = z.object({
  template_name: optional(text({ max: 400 })),
  dashboard_description: optional(text({ max: 400, blank: true })),
  dashboard_filters: optional(nullable(dict())),
  tags: TagsField,
  tiles: optional(nullable(list(dict()))),
  variables: optional(nullable(list(dict()))),
  image_url: optional(nullable(text({ max: 8201, blank: true }))),
  deleted: optional(bool('True deletes the template.')),
  scope: optional(choice(SCOPES, 'Who sees it: this project, or all of them.')),
});

const shared = {
  layouts: optional(nullable(dict())),
  color: optional(nullable(text({ max: 400, blank: true }))),
};
const InsightTile = z.object({
  ...shared,
  type: z.literal('INSIGHT'),
  name: optional(nullable(text({ max: 400, blank: true }))),
  description: optional(nullable(text({ blank: true }))),
  query: optional(nullable(dict())),
  filters: optional(nullable(dict())),
});
const TextTile = z.object({
  ...shared,
  type: z.literal('TEXT'),
  body: optional(nullable(text({ max: 4000, blank: true }))),
});

/** Kinds of tiles that this version does not know are passed over. */
const TemplateTile = z.union([InsightTile, TextTile]);
export type TemplateTile = z.output<typeof TemplateTile>;

/** What a dashboard is made from. */
export interface Blueprint {
  template_name: string;
  dashboard_description: string;
  dashboard_filters: Dict;
  tags: string[];
  tiles: TemplateTile[];
}

const NamedParts = z.object({
  template_name: text({ max: 400, blank: true }),
  dashboard_description: text({ blank: true }),
  dashboard_filters: dict(),
  tags: TagsField,
});

/** A template as it comes over the wire. */
export function parseTemplate(value: unknown): Blueprint {
  requireFit(templateSchema, value);
  const given = value as Dict;
  const { tags = [], ...named } = parseBody(NamedParts, given);
  return { ...named, tags, tiles: parseTiles(given.tiles) };
}

export function parseTiles(tiles: unknown): TemplateTile[] {
  const known: Readonly<Record<string, z.ZodType<TemplateTile>>> = { INSIGHT: InsightTile, TEXT: TextTile };
  return (tiles as unknown[]).flatMap((tile, index) => {
    if (!isDict(tile)) {
      throw invalid(`Invalid data. Expected a dictionary, but got ${pythonType(tile)}.`, `tiles__${index}`);
    }
    const shape = known[String(tile.type)];
    return shape ? [parseBody(shape, tile)] : [];
  });
}

export const FromTemplateDraft = z.object({
  template: optional(anything('The whole template, its placeholders replaced.')),
  creation_context: optional(anything()),
});

/** The schema itself, as clients ask for it. */
export const SchemaShape = z.looseObject({ properties: z.looseObject({}) });
