// Actions on tiles. Their fields are changed through the dashboard they stand on.
import { fieldRequired } from '../../http/errors.ts';
import { empty, type ProjectContext, projectRoute, type Route } from '../../http/route.ts';
import type { Queries } from '../../query/queries.ts';
import { loadDashboard, viewerOf } from '../load.ts';
import { showDashboard } from '../show.ts';
import type { DashboardFacts, Db } from '../sql.ts';
import { Dashboard } from '../wire.ts';
import { copyTile, moveTile, reorderTiles } from './move.ts';
import { CopyDraft, MoveDraft, ReorderDraft } from './wire.ts';

export function tileRoutes(db: Db, queries: Queries): Route[] {
  type Asked = ProjectContext<unknown, DashboardFacts>;
  const load = (context: Omit<ProjectContext, 'body' | 'found'>) =>
    loadDashboard(db, context, context.params.id, 'edit');
  const show = (context: Omit<Asked, 'body'>) =>
    showDashboard(db, queries, context.found, {
      project: context.project,
      viewer: viewerOf(context),
      user: context.user,
    });

  return [
    projectRoute('PATCH', '/dashboards/:id/move_tile/', {
      summary: 'Move a tile to another dashboard',
      scope: 'dashboard:write',
      body: MoveDraft,
      load,
      async handle(context) {
        const { tile, toDashboard } = context.body;
        if (!tile) throw fieldRequired('tile');
        await moveTile(db, viewerOf(context), context.found, { tile_id: tile.id, to_id: toDashboard });
        return empty(200);
      },
    }),

    projectRoute('POST', '/dashboards/:id/copy_tile/', {
      summary: 'Show what is on a tile of another dashboard here too',
      scope: 'dashboard:write',
      body: CopyDraft,
      returns: Dashboard,
      load,
      async handle(context) {
        const { fromDashboardId, tileId } = context.body;
        await copyTile(db, viewerOf(context), context.found, { from_id: fromDashboardId, tile_id: tileId });
        return show(context);
      },
    }),

    projectRoute('POST', '/dashboards/:id/reorder_tiles/', {
      summary: 'Lay tiles out anew in the given order, two beside each other',
      scope: 'dashboard:write',
      body: ReorderDraft,
      returns: Dashboard,
      load,
      async handle(context) {
        await reorderTiles(db, viewerOf(context), context.found, context.body.tile_order);
        return show(context);
      },
    }),
  ];
}
