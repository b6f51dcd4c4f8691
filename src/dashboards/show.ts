// A whole dashboard as a reader sees it: a constant number of statements, however many tiles it has.
import type { z } from 'zod';
import type { AccountRow } from '../metadata/tables.ts';
import type { Onlooker } from './shapes.ts';
import { type DashboardFacts, type Db, findAuthors } from './sql.ts';
import { type InsightTile, listShownTiles, type TextTile } from './tiles/sql.ts';
import { toTiles } from './tiles/wire.ts';
import { type Dashboard, type Overrides, toDashboard } from './wire.ts';

export async function showDashboard(
  db: Db,
  dashboard: DashboardFacts,
  { viewer, user }: { viewer: Onlooker; user?: AccountRow },
  overrides: Overrides = {},
): Promise<z.output<typeof Dashboard>> {
  const tiles = await listShownTiles(db, dashboard.id, user?.id ?? 0);
  const shown = viewer === 'public' ? tiles.map((tile) => onlyHere(tile, dashboard.id)) : tiles;
  const ids = shown.flatMap((tile) => {
    const { created_by_id, last_modified_by_id } = 'insight' in tile ? tile.insight : tile.text;
    return [created_by_id, last_modified_by_id];
  });
  // Names and e-mail addresses of the people of a project are not for everyone who has a link.
  const authors =
    viewer === 'public' ? new Map() : await findAuthors(db, [dashboard.created_by_id, ...ids], user ? [user] : []);
  const filters = { ...dashboard.filters, ...overrides.filters };
  return toDashboard(dashboard, toTiles(shown, authors, viewer, filters), authors, viewer, overrides);
}

/** Where else an insight stands is not part of what was shared. */
function onlyHere(tile: InsightTile | TextTile, id: number): InsightTile | TextTile {
  if (!('insight' in tile)) return tile;
  const placements = tile.insight.placements.filter(({ dashboard_id }) => dashboard_id === id);
  return { ...tile, insight: { ...tile.insight, placements } };
}
