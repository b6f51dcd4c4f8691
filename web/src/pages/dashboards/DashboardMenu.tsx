import { ActionIcon, Menu } from '@mantine/core';
import {
  IconCopy,
  IconDots,
  IconLock,
  IconPin,
  IconPinnedOff,
  IconPrinter,
  IconShare,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import {
  type Dashboard,
  useChangeDashboard,
  useCreateDashboard,
  useDeleteDashboard,
} from '../../api/use-dashboards.ts';
import { useProjectId } from '../../api/use-project.ts';
import { LateMenu } from '../../ui/LateMenu.tsx';
import { printWhole } from '../../ui/print.ts';

const ShareModal = lazy(() => import('./ShareModal.tsx'));
const AccessModal = lazy(() => import('./AccessModal.tsx'));

export function DashboardMenu({ dashboard, canEdit }: { dashboard: Dashboard; canEdit: boolean }) {
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const change = useChangeDashboard(dashboard.id);
  const remove = useDeleteDashboard(dashboard.id);
  const create = useCreateDashboard();
  const [opened, setOpened] = useState<'share' | 'access'>();
  const name = dashboard.name || 'Untitled';

  const duplicate = () =>
    create.mutate(
      { name: `${name} (Copy)`, use_dashboard: dashboard.id, duplicate_tiles: true },
      {
        onSuccess: ({ id }) =>
          navigate({
            to: '/project/$projectId/dashboards/$dashboardId',
            params: { projectId, dashboardId: String(id) },
          }),
      },
    );
  const removeAndLeave = async () => {
    await navigate({ to: '/project/$projectId/dashboards', params: { projectId } });
    remove(name);
  };

  return (
    <>
      <LateMenu
        button={
          <ActionIcon variant="default" size={36} aria-label="More for this dashboard">
            <IconDots size={18} />
          </ActionIcon>
        }
      >
        <Menu.Item
          disabled={!canEdit}
          leftSection={dashboard.pinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
          onClick={() => change.mutate({ pinned: !dashboard.pinned })}
        >
          {dashboard.pinned ? 'Unpin' : 'Pin'}
        </Menu.Item>
        <Menu.Item leftSection={<IconShare size={16} />} disabled={!canEdit} onClick={() => setOpened('share')}>
          Share
        </Menu.Item>
        <Menu.Item leftSection={<IconLock size={16} />} disabled={!canEdit} onClick={() => setOpened('access')}>
          Who can change it
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={duplicate}>
          Duplicate
        </Menu.Item>
        <Menu.Item leftSection={<IconPrinter size={16} />} onClick={() => void printWhole()}>
          Print or save as PDF
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="red"
          disabled={!canEdit}
          leftSection={<IconTrash size={16} />}
          onClick={() => void removeAndLeave()}
        >
          Delete
        </Menu.Item>
      </LateMenu>
      <Suspense>
        {opened === 'share' && <ShareModal dashboardId={dashboard.id} onClose={() => setOpened(undefined)} />}
        {opened === 'access' && <AccessModal dashboard={dashboard} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </>
  );
}
