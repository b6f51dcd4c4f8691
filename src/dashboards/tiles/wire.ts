// Public shape of tiles, and the shapes of changes to them.
import { z } from 'zod';
import { anything, bool, dict, integer, list, nullable, optional, pythonType, text } from '../../http/fields.ts';
import { UserBasic } from '../../projects/wire.ts';
import type { Answers } from '../insights/results.ts';
import { Insight, toInsight } from '../insights/wire.ts';
import { AnyObject, type Authors, type Dict, type Onlooker, timestamp, toAuthor } from '../shapes.ts';
import { inReadingOrder } from './order.ts';
import type { InsightTile, TextTile } from './sql.ts';

export const Tile = z.strictObject({
  id: z.int(),
  layouts: AnyObject,
  color: z.string().nullable(),
  insight: Insight.nullable(),
  text: z
    .strictObject({
      id: z.int(),
      body: z.string().nullable(),
      created_by: UserBasic.nullable(),
      last_modified_at: timestamp,
      last_modified_by: UserBasic.nullable(),
      team: z.int(),
    })
    .nullable(),
  order: z.int(),
  last_refresh: timestamp.nullable(),
  is_cached: z.boolean(),
});

/** The tiles of one dashboard in reading order, each showing its question with the dashboard's filters applied. */
export function toTiles(
  tiles: readonly (InsightTile | TextTile)[],
  authors: Authors,
  viewer: Onlooker,
  dashboardFilters: Dict,
  answers: Answers,
): z.output<typeof Tile>[] {
  return inReadingOrder(tiles).map((tile, order) => {
    const { tile_id: id, layouts, color } = tile;
    const answer = 'insight' in tile ? answers.get(tile.insight.id) : undefined;
    const insight = 'insight' in tile ? toInsight(tile.insight, authors, viewer, dashboardFilters, answer) : null;
    const text = 'text' in tile ? toText(tile, authors) : null;
    return {
      id,
      layouts,
      color,
      insight,
      text,
      order,
      last_refresh: answer?.last_refresh ?? null,
      is_cached: answer?.is_cached ?? false,
    };
  });
}

function toText(
  { text: { id, body, created_by_id, last_modified_at, last_modified_by_id, team_id } }: TextTile,
  authors: Authors,
) {
  return {
    id,
    body,
    created_by: toAuthor(created_by_id, authors),
    last_modified_at,
    last_modified_by: toAuthor(last_modified_by_id, authors),
    team: team_id,
  };
}

const inWireWords = {
  error: ({ input }: { input?: unknown }) => `Invalid data. Expected a dictionary, but got ${pythonType(input)}.`,
};

const TextChange = z.object(
  {
    id: optional(nullable(integer())),
    body: optional(nullable(text({ blank: true }))),
    created_by: optional(
      anything('Given by clients that send back a text they have read: the text was changed, not written.'),
    ),
  },
  inWireWords,
);

export const TileChange = z.object(
  {
    id: optional(nullable(integer())),
    text: optional(nullable(TextChange)),
    layouts: optional(nullable(dict())),
    color: optional(nullable(text({ max: 400, blank: true }))),
    deleted: optional(bool('True removes the tile, false brings it back.')),
  },
  inWireWords,
);
export type TileChange = z.output<typeof TileChange>;

export const TileChanges = optional(nullable(list(TileChange, 'Tiles to add, change or remove.')));

const TileCopy = z.object({ id: integer(), layouts: optional(nullable(dict())) }, inWireWords);
export type TileCopy = z.output<typeof TileCopy>;
export const TileCopies = optional(nullable(list(TileCopy, 'Tiles of this dashboard to copy onto it.')));

/** `tile` is asked for in the wire's words where it is used. */
export const MoveDraft = z.object({ tile: optional(z.object({ id: integer() }, inWireWords)), toDashboard: integer() });

export const CopyDraft = z.object({ fromDashboardId: integer(), tileId: integer() });

export const ReorderDraft = z.object({ tile_order: list(integer(), 'Every id once, in the new order.') });
