// The tiles on their grid: dragged by the handle, resized at the corner; on a phone one below the other.
import 'react-grid-layout/css/styles.css';
import './tile-grid.css';
import { Stack } from '@mantine/core';
import { useMemo } from 'react';
import ReactGridLayout, { type Layout } from 'react-grid-layout';
import type { Dashboard, Tile } from '../../api/use-dashboards.ts';
import { useTiles } from '../../api/use-tiles.ts';
import { useWidth } from '../../ui/use-width.ts';
import { COLUMNS, movedTiles, placeTiles, ROW_PX } from './layout.ts';
import { TileCard } from './TileCard.tsx';

const NARROW_PX = 640;
const GAP_PX = 12;

interface TileGridProps {
  dashboard: Dashboard;
  canEdit: boolean;
  onMove: (tile: Tile) => void;
  onEditText: (tile: Tile) => void;
}

export function TileGrid(props: TileGridProps) {
  const { dashboard, canEdit } = props;
  const { ref, width } = useWidth();
  const tiles = useTiles(dashboard.id);
  const placed = useMemo(() => placeTiles(dashboard.tiles), [dashboard.tiles]);
  const isNarrow = width < NARROW_PX;

  const save = (layout: Layout) => {
    const changes = movedTiles(placed, layout);
    if (changes.length > 0) tiles.change.mutate(changes);
  };

  return (
    <div ref={ref}>
      {width > 0 && isNarrow && (
        <Stack gap="sm">
          {dashboard.tiles.map((tile) => (
            <div key={tile.id} style={{ height: tile.text ? 'auto' : ROW_PX * 5 }}>
              <TileCard {...props} tile={tile} />
            </div>
          ))}
        </Stack>
      )}
      {width > 0 && !isNarrow && (
        <ReactGridLayout
          width={width}
          layout={placed}
          gridConfig={{ cols: COLUMNS, rowHeight: ROW_PX, margin: [GAP_PX, GAP_PX], containerPadding: [0, 0] }}
          dragConfig={{ enabled: canEdit, handle: '.tile-handle' }}
          resizeConfig={{ enabled: canEdit }}
          onDragStop={save}
          onResizeStop={save}
        >
          {dashboard.tiles.map((tile) => (
            <div key={String(tile.id)}>
              <TileCard {...props} tile={tile} />
            </div>
          ))}
        </ReactGridLayout>
      )}
    </div>
  );
}
