// A whole dashboard as a reader sees it: a constant number of statements, however many tiles it has.
import type { z } from 'zod';
import type { AccountRow, ProjectRow } from '../metadata/tables.ts';
import type { Queries } from '../query/queries.ts';
import type { Refresh } from '../query/refresh.ts';
import { findAnswers } from './insights/results.ts';
import type { Onlooker } from './shapes.ts';
import { type DashboardFacts, type Db, findAuthors } from './sql.ts';
import { type InsightTile, listShownTiles, type TextTile } from './tiles/sql.ts';
import { toTiles } from './tiles/wire.ts';
import { type Dashboard, type Overrides, toDashboard } from './wire.ts';

export interface DashboardReader {
  project: Pick<ProjectRow, 'id' | 'timezone' | 'settings'>;
  viewer: Onlooker;
  user?: AccountRow;
  /** How fresh the results are to be; usually whatever has been computed will do. */
  refresh?: Refresh;
  /** Aborts when the reader is gone. */
  left?: AbortSignal;
}

export async function showDashboard(
  db: Db,
  queries: Queries,
  dashboard: DashboardFacts,
  { project, viewer, user, refresh = 'force_cache', left }: DashboardReader,
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
  const insights = shown.flatMap((tile) =>
    'insight' in tile ? [{ insight: tile.insight, filters, dashboard_id: dashboard.id }] : [],
  );
  const answers = await findAnswers(queries, project, insights, refresh, left);
  return toDashboard(dashboard, toTiles(shown, authors, viewer, filters, answers), authors, viewer, overrides);
}

/** Where else an insight stands is not part of what was shared. */
function onlyHere(tile: InsightTile | TextTile, id: number): InsightTile | TextTile {
  if (!('insight' in tile)) return tile;
  const placements = tile.insight.placements.filter(({ dashboard_id }) => dashboard_id === id);
  return { ...tile, insight: { ...tile.insight, placements } };
}
