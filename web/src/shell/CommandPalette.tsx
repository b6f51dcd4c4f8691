// Ctrl K: every page, and the things of the project by name.
import '@mantine/spotlight/styles.layer.css';
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { IconLayoutDashboard, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { dashboardsQuery } from '../api/use-dashboards.ts';
import { destinations } from './navigation.ts';

const FOUND_MAX = 8;

export default function CommandPalette({ projectId }: { projectId: number | undefined }) {
  const navigate = useNavigate();
  const { data: dashboards } = useQuery({ ...dashboardsQuery(projectId ?? 0), enabled: projectId !== undefined });
  const go = (to: string) => () => void navigate({ to });

  const pages: SpotlightActionData[] = projectId
    ? destinations.map(({ label, about, path, icon: Icon, key }) => ({
        id: path,
        label,
        description: `${about} (g ${key})`,
        leftSection: <Icon size={20} stroke={1.5} />,
        onClick: go(`/project/${projectId}${path}`),
      }))
    : [];
  const account: SpotlightActionData[] = [
    { id: 'account', label: 'Profile and password', onClick: go('/account') },
    { id: 'keys', label: 'Personal API keys', onClick: go('/account/keys') },
    { id: 'members', label: 'Members and invites', onClick: go('/account/members') },
    { id: 'projects', label: 'Projects and their keys', onClick: go('/account/projects') },
    { id: 'organization', label: 'Organization', onClick: go('/account/organization') },
  ];
  const found: SpotlightActionData[] = (dashboards?.results ?? []).map(({ id, name, tags }) => ({
    id: `dashboard-${id}`,
    label: name || 'Untitled',
    description: tags.join(', '),
    leftSection: <IconLayoutDashboard size={20} stroke={1.5} />,
    onClick: go(`/project/${projectId}/dashboards/${id}`),
  }));

  return (
    <Spotlight
      actions={[
        { group: 'Pages', actions: pages },
        { group: 'Dashboards', actions: found },
        { group: 'Account', actions: account },
      ]}
      limit={FOUND_MAX}
      highlightQuery
      scrollable
      nothingFound="Nothing has that name"
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'Where to?',
        'aria-label': 'Search pages and dashboards',
      }}
    />
  );
}
