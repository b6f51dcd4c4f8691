import { ActionIcon, Button, Menu, Modal, MultiSelect, Stack, TextInput, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconDots,
  IconDownload,
  IconLayoutDashboard,
  IconPhoto,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { dashboardsQuery } from '../../api/use-dashboards.ts';
import { type Insight, useChangeInsight, useCreateInsight, useDeleteInsight } from '../../api/use-insights.ts';
import { useProjectId } from '../../api/use-project.ts';
import { toCsv, toRows } from '../../query/csv.ts';
import { insightName } from '../../query/insight-name.ts';
import { wrap } from '../../query/nodes.ts';
import { describe, toReady } from '../../query/ready.ts';
import type { QueryAnswer } from '../../query/results.ts';
import type { InsightSearch } from '../../routes/insights.ts';
import { download, readDataAddress, toFileName } from '../../ui/download.ts';
import { showDone } from '../../ui/messages.tsx';
import type { Draft } from './use-draft.ts';

interface InsightActionsProps {
  saved: Insight | undefined;
  draft: Draft;
  answer: QueryAnswer | undefined;
  toPicture: (() => string) | undefined;
  canEdit: boolean;
}

export function InsightActions({ saved, draft, answer, toPicture, canEdit }: InsightActionsProps) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const change = useChangeInsight();
  const remove = useDeleteInsight();
  const [opened, setOpened] = useState<'save' | 'dashboards'>();
  const query = toReady(draft.query);
  const name = saved ? insightName(saved) : describe(query);
  useHotkeys([
    ['mod+Z', () => draft.undo?.()],
    ['mod+shift+Z', () => draft.redo?.()],
  ]);

  const saveChanges = () =>
    saved &&
    change.mutate(
      { id: saved.id, query: wrap(query), derived_name: describe(query) },
      {
        onSuccess: () => {
          showDone('Saved.');
          void navigate({ to: '.', search: {}, replace: true });
        },
      },
    );
  const savePicture = () => {
    const picture = toPicture?.();
    if (picture) download(toFileName(name, 'png'), readDataAddress(picture));
  };
  const leaveAndDelete = async (insight: Insight) => {
    await navigate({ to: '/project/$projectId/insights', params: { projectId: String(projectId) } });
    remove(insight.id, name);
  };

  return (
    <>
      <Tooltip label="Undo (Ctrl Z)">
        <ActionIcon variant="default" size={36} disabled={!draft.undo} aria-label="Undo" onClick={draft.undo}>
          <IconArrowBackUp size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Redo (Ctrl Shift Z)">
        <ActionIcon variant="default" size={36} disabled={!draft.redo} aria-label="Redo" onClick={draft.redo}>
          <IconArrowForwardUp size={18} />
        </ActionIcon>
      </Tooltip>
      {saved ? (
        <Button disabled={!canEdit || !draft.isChanged} loading={change.isPending} onClick={saveChanges}>
          Save
        </Button>
      ) : (
        <Button onClick={() => setOpened('save')}>Save</Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More for this insight">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconDownload size={16} />}
            disabled={!answer}
            onClick={() => answer && download(toFileName(name, 'csv'), toCsv(toRows(query, answer)))}
          >
            Download CSV
          </Menu.Item>
          <Menu.Item leftSection={<IconPhoto size={16} />} disabled={!toPicture} onClick={savePicture}>
            Download picture
          </Menu.Item>
          {saved && (
            <>
              <Menu.Item
                leftSection={<IconLayoutDashboard size={16} />}
                disabled={!canEdit}
                onClick={() => setOpened('dashboards')}
              >
                Dashboards it is on
              </Menu.Item>
              <Menu.Item onClick={() => setOpened('save')}>Save as another insight</Menu.Item>
              <Menu.Divider />
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={16} />}
                disabled={!canEdit}
                onClick={() => void leaveAndDelete(saved)}
              >
                Delete
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {opened === 'save' && <SaveModal draft={draft} onClose={() => setOpened(undefined)} />}
      {opened === 'dashboards' && saved && <DashboardsModal insight={saved} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function useDashboardChoices() {
  const dashboards = useQuery(dashboardsQuery(useProjectId()));
  return (dashboards.data?.results ?? [])
    .filter(({ effective_privilege_level, deleted }) => effective_privilege_level >= 37 && !deleted)
    .map(({ id, name }) => ({ value: String(id), label: `${name || 'Untitled'} (${id})` }));
}

function SaveModal({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const projectId = useProjectId();
  const { dashboard } = useSearch({ strict: false }) as InsightSearch;
  const navigate = useNavigate();
  const create = useCreateInsight();
  const choices = useDashboardChoices();
  const query = toReady(draft.query);
  const [name, setName] = useState(describe(query));
  const [dashboards, setDashboards] = useState<string[]>(dashboard === undefined ? [] : [String(dashboard)]);

  const save = () =>
    create.mutate(
      { name, derived_name: describe(query), query: wrap(query), dashboards: dashboards.map(Number) },
      {
        onSuccess: ({ id }) => {
          const params = { projectId: String(projectId) };
          showDone('Saved.');
          void (dashboard === undefined
            ? navigate({ to: '/project/$projectId/insights/$insightId', params: { ...params, insightId: String(id) } })
            : navigate({
                to: '/project/$projectId/dashboards/$dashboardId',
                params: { ...params, dashboardId: String(dashboard) },
              }));
        },
      },
    );
  return (
    <Modal opened onClose={onClose} title="Save the insight">
      <Stack>
        <TextInput
          label="Name"
          data-autofocus
          maxLength={400}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <MultiSelect
          label="Dashboards"
          description="It appears on each of them."
          searchable
          data={choices}
          value={dashboards}
          onChange={setDashboards}
        />
        <Button loading={create.isPending} onClick={save}>
          Save the insight
        </Button>
      </Stack>
    </Modal>
  );
}

function DashboardsModal({ insight, onClose }: { insight: Insight; onClose: () => void }) {
  const change = useChangeInsight();
  const choices = useDashboardChoices();
  const [dashboards, setDashboards] = useState(insight.dashboards.map(String));
  return (
    <Modal opened onClose={onClose} title="Dashboards it is on">
      <Stack>
        <MultiSelect label="Dashboards" searchable data={choices} value={dashboards} onChange={setDashboards} />
        <Button
          loading={change.isPending}
          onClick={() => change.mutate({ id: insight.id, dashboards: dashboards.map(Number) }, { onSuccess: onClose })}
        >
          Save
        </Button>
      </Stack>
    </Modal>
  );
}
