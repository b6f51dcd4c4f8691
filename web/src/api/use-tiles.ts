// What is done to the tiles of a dashboard. Each change is shown at once and put back when it is refused.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showUndo } from '../ui/messages.tsx';
import { api } from './client.ts';
import { type Dashboard, dashboardKey, type Tile, type TileLayout } from './use-dashboards.ts';
import { projectPath, useProjectId } from './use-project.ts';

export interface TileChange {
  id?: number;
  color?: string | null;
  layouts?: { sm?: TileLayout; xs?: TileLayout };
  text?: { id?: number; body: string };
  deleted?: boolean;
}

function applyChanges(tiles: readonly Tile[], changes: readonly TileChange[]): Tile[] {
  return tiles
    .filter(({ id }) => !changes.some((change) => change.id === id && change.deleted))
    .map((tile) => {
      const change = changes.find(({ id }) => id === tile.id);
      if (!change) return tile;
      const { text, deleted: _deleted, ...fields } = change;
      return { ...tile, ...fields, ...(text && tile.text && { text: { ...tile.text, body: text.body } }) };
    });
}

export function useTiles(dashboardId: number) {
  const projectId = useProjectId();
  const client = useQueryClient();
  const key = dashboardKey(projectId, dashboardId);
  const path = projectPath(projectId, `/dashboards/${dashboardId}/`);
  const send = (tiles: TileChange[]) => api.patch<Dashboard>(path, { tiles });
  const keep = (dashboard: Dashboard) => client.setQueryData(key, dashboard);
  const show = async (changes: readonly TileChange[]) => {
    await client.cancelQueries({ queryKey: key });
    const before = client.getQueryData<Dashboard>(key);
    if (before) keep({ ...before, tiles: applyChanges(before.tiles, changes) });
    return before;
  };

  return {
    change: useMutation({
      mutationFn: send,
      onMutate: show,
      onError: (_error, _changes, before) => client.setQueryData(key, before),
      onSuccess: keep,
    }),
    duplicate: useMutation({
      mutationFn: (id: number) => api.patch<Dashboard>(path, { duplicate_tiles: [{ id }] }),
      onSuccess: keep,
    }),
    move: useMutation({
      mutationFn: ({ id, toDashboard }: { id: number; toDashboard: number }) =>
        api.patch(`${path}move_tile/`, { tile: { id }, toDashboard }),
      onSuccess: () => client.invalidateQueries({ queryKey: ['dashboard', projectId] }),
    }),
    // The tile is gone from the screen before the answer is there: what follows belongs to the mutation, not to the tile.
    remove: useMutation({
      mutationFn: ({ id }: { id: number; name: string }) => send([{ id, deleted: true }]),
      onMutate: ({ id }) => show([{ id, deleted: true }]),
      onError: (_error, _tile, before) => client.setQueryData(key, before),
      onSuccess: (dashboard, { id, name }) => {
        keep(dashboard);
        showUndo(`“${name}” was taken off.`, async () => keep(await send([{ id, deleted: false }])));
      },
    }),
  };
}
