// One dashboard: its name and time above, its tiles below.
import { Badge, Button, Group, Menu, Text } from '@mantine/core';
import { IconChartLine, IconLayoutDashboard, IconLetterCase, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useLayoutEffect, useState } from 'react';
import { removeDrawing } from '../../api/ahead.ts';
import { type Dashboard, dashboardQuery, type Tile, useChangeDashboard } from '../../api/use-dashboards.ts';
import { useProjectId } from '../../api/use-project.ts';
import { EditableTitle } from '../../ui/EditableTitle.tsx';
import { LateMenu } from '../../ui/LateMenu.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { AddInsightModal } from './AddInsightModal.tsx';
import { DashboardFilters } from './DashboardFilters.tsx';
import { DashboardMenu } from './DashboardMenu.tsx';
import { MoveTileModal } from './MoveTileModal.tsx';
import { RefreshAll } from './RefreshAll.tsx';
import { TagsEditor } from './TagsEditor.tsx';
import { TextTileModal } from './TextTileModal.tsx';
import { TileGrid } from './TileGrid.tsx';

export function DashboardPage() {
  const projectId = useProjectId();
  const { dashboardId } = useParams({ strict: false });
  const dashboard = useQuery(dashboardQuery(projectId, Number(dashboardId)));
  return <Panel query={dashboard}>{(found) => <DashboardView key={found.id} dashboard={found} />}</Panel>;
}

type Opened = { kind: 'insight' } | { kind: 'text'; tile?: Tile } | { kind: 'move'; tile: Tile };

function DashboardView({ dashboard }: { dashboard: Dashboard }) {
  const change = useChangeDashboard(dashboard.id);
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  useLayoutEffect(() => removeDrawing(), []);
  const canEdit = dashboard.effective_privilege_level >= 37;
  const name = dashboard.name || 'Untitled';
  const addButton = canEdit && (
    <AddMenu onInsight={() => setOpened({ kind: 'insight' })} onText={() => setOpened({ kind: 'text' })} />
  );
  return (
    <>
      <PageHeader
        title={name}
        heading={
          <EditableTitle
            label="Name of the dashboard"
            text={name}
            canEdit={canEdit}
            onSave={(text) => change.mutate({ name: text })}
          />
        }
        about={
          <Group gap="xs">
            {dashboard.description && <Text size="sm">{dashboard.description}</Text>}
            <TagsEditor tags={dashboard.tags} canEdit={canEdit} onSave={(tags) => change.mutate({ tags })} />
            {!canEdit && (
              <Badge variant="default" tt="none">
                only those invited can change it
              </Badge>
            )}
          </Group>
        }
      >
        {addButton}
        <RefreshAll dashboard={dashboard} />
        <DashboardMenu dashboard={dashboard} canEdit={canEdit} />
      </PageHeader>
      <DashboardFilters dashboard={dashboard} canEdit={canEdit} />
      {dashboard.tiles.length === 0 ? (
        <Empty icon={<IconLayoutDashboard size={28} />} title="Nothing on it yet" action={addButton}>
          Add an insight that you have, make a new one, or write down what the dashboard is for.
        </Empty>
      ) : (
        <TileGrid
          dashboard={dashboard}
          canEdit={canEdit}
          onMove={(tile) => setOpened({ kind: 'move', tile })}
          onEditText={(tile) => setOpened({ kind: 'text', tile })}
        />
      )}
      {opened?.kind === 'insight' && <AddInsightModal dashboard={dashboard} onClose={close} />}
      {opened?.kind === 'text' && <TextTileModal dashboard={dashboard} tile={opened.tile} onClose={close} />}
      {opened?.kind === 'move' && <MoveTileModal dashboard={dashboard} tile={opened.tile} onClose={close} />}
    </>
  );
}

function AddMenu({ onInsight, onText }: { onInsight: () => void; onText: () => void }) {
  return (
    <LateMenu button={<Button leftSection={<IconPlus size={16} />}>Add</Button>}>
      <Menu.Item leftSection={<IconChartLine size={16} />} onClick={onInsight}>
        Insight
      </Menu.Item>
      <Menu.Item leftSection={<IconLetterCase size={16} />} onClick={onText}>
        Text
      </Menu.Item>
    </LateMenu>
  );
}
