import { Button, Modal, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Dashboard, dashboardsQuery, type Tile } from '../../api/use-dashboards.ts';
import { useProjectId } from '../../api/use-project.ts';
import { useTiles } from '../../api/use-tiles.ts';
import { showDone } from '../../ui/messages.tsx';

interface MoveTileModalProps {
  dashboard: Dashboard;
  tile: Tile;
  onClose: () => void;
}

export function MoveTileModal({ dashboard, tile, onClose }: MoveTileModalProps) {
  const dashboards = useQuery(dashboardsQuery(useProjectId()));
  const { move } = useTiles(dashboard.id);
  const [to, setTo] = useState<string | null>(null);
  const others = (dashboards.data?.results ?? []).filter(
    ({ id, effective_privilege_level }) => id !== dashboard.id && effective_privilege_level >= 37,
  );
  return (
    <Modal opened onClose={onClose} title="Move to another dashboard">
      <Stack>
        <Select
          label="Dashboard"
          searchable
          data={others.map(({ id, name }) => ({ value: String(id), label: `${name || 'Untitled'} (${id})` }))}
          value={to}
          onChange={setTo}
          nothingFoundMessage="There is no other that you can change"
        />
        <Button
          disabled={to === null}
          loading={move.isPending}
          onClick={() =>
            move.mutate(
              { id: tile.id, toDashboard: Number(to) },
              {
                onSuccess: () => {
                  showDone('Moved.');
                  onClose();
                },
              },
            )
          }
        >
          Move
        </Button>
      </Stack>
    </Modal>
  );
}
