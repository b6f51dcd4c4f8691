// Making a dashboard: empty, from a template, or as a copy of another.
import type { z } from 'zod';
import { invalid } from '../http/errors.ts';
import type { DashboardRow } from '../metadata/tables.ts';
import { inTransaction } from '../metadata/transaction.ts';
import { recordActivity } from './activity/sql.ts';
import { accessOf, type Viewer } from './levels.ts';
import {
  type DashboardChange,
  type DashboardFacts,
  type Db,
  findDashboard,
  insertDashboard,
  lockTiles,
  type Tx,
} from './sql.ts';
import { normalizeTags } from './tags.ts';
import { getBlueprint, insertTemplateTiles } from './templates/use.ts';
import type { Blueprint } from './templates/wire.ts';
import { copyTilesDeep } from './tiles/change.ts';
import { copyTilesShallow, listLiveTiles } from './tiles/sql.ts';
import { type NewDashboard, parseFilters } from './wire.ts';

type Draft = z.output<typeof NewDashboard>;
/** The fields that a creation and a change have in common. */
type Common = Omit<Draft, 'duplicate_tiles'>;

export interface Maker {
  team_id: number;
  viewer: Viewer;
}

export async function createDashboard(db: Db, maker: Maker, draft: Draft): Promise<DashboardFacts> {
  const { use_template, use_dashboard } = draft;
  const [filters, variables] = [parseFilters(draft.filters), parseFilters(draft.variables)];
  if (use_template && use_dashboard) {
    throw invalid('`use_dashboard` and `use_template` cannot be used together');
  }
  const given = { ...pickColumns(draft), ...(filters && { filters }), ...(variables && { variables }) };
  if (use_template) return createFromTemplate(db, maker, given, await getBlueprint(db, maker.team_id, use_template));
  if (use_dashboard) return duplicate(db, maker, given, use_dashboard, draft.duplicate_tiles === true);
  return insert(db, maker, 'default', given, async () => {});
}

/** What a client sends as the whole template. */
export function createFromBlueprint(db: Db, maker: Maker, blueprint: Blueprint): Promise<DashboardFacts> {
  const { template_name: name, dashboard_description: description, dashboard_filters: filters, tags } = blueprint;
  return insert(db, maker, 'default', { name, description, filters, tags: normalizeTags(tags) }, (tx, dashboard) =>
    insertTemplateTiles(tx, dashboard, blueprint.tiles),
  );
}

export function pickColumns(draft: Common): DashboardChange {
  const { name, description, pinned, deleted, restriction_level, breakdown_colors, data_color_theme_id, tags } = draft;
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(pinned !== undefined && { pinned }),
    ...(deleted !== undefined && { deleted }),
    ...(restriction_level !== undefined && { restriction_level }),
    ...(breakdown_colors !== undefined && { breakdown_colors }),
    ...(data_color_theme_id !== undefined && { data_color_theme_id }),
    ...(tags && { tags: normalizeTags(tags) }),
  };
}

function createFromTemplate(db: Db, maker: Maker, given: DashboardChange, blueprint: Blueprint) {
  const { template_name, dashboard_description, dashboard_filters, tags, tiles } = blueprint;
  const filled = {
    description: dashboard_description,
    filters: dashboard_filters,
    tags: normalizeTags(tags),
    ...given,
    // A template gives its name to whoever has not chosen one.
    name: given.name || template_name,
  };
  return insert(db, maker, 'template', filled, (tx, dashboard) => insertTemplateTiles(tx, dashboard, tiles));
}

async function duplicate(db: Db, maker: Maker, given: DashboardChange, id: number, deep: boolean) {
  const source = await findDashboard(db, maker.team_id, id, maker.viewer.user_id);
  if (!source || source.deleted || accessOf(source, maker.viewer) === 'none') {
    throw invalid('Invalid value provided', 'use_dashboard');
  }
  const { filters, variables, breakdown_colors, data_color_theme_id } = source;
  const copied = { filters, variables, breakdown_colors, data_color_theme_id, ...given };
  return insert(db, maker, 'duplicate', copied, async (tx, { id: to_id }) => {
    await lockTiles(tx, maker.team_id);
    if (!deep) return copyTilesShallow(tx, source.id, to_id);
    const place = { dashboard_id: to_id, team_id: maker.team_id, user_id: maker.viewer.user_id };
    await copyTilesDeep(tx, place, await listLiveTiles(tx, source.id), to_id);
  });
}

function insert(
  db: Db,
  { team_id, viewer: { user_id } }: Maker,
  creation_mode: DashboardRow['creation_mode'],
  draft: DashboardChange,
  fill: (tx: Tx, dashboard: DashboardFacts) => Promise<void>,
): Promise<DashboardFacts> {
  return inTransaction(db, async (tx) => {
    const dashboard = await insertDashboard(tx, { team_id, created_by_id: user_id, creation_mode }, draft);
    await fill(tx, dashboard);
    const { id: item_id, name } = dashboard;
    await recordActivity(tx, { team_id, user_id, scope: 'Dashboard', item_id, activity: 'created', name });
    return dashboard;
  });
}
