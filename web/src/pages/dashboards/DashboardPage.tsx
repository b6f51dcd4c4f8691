import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { dashboardQuery } from '../../api/use-dashboards.ts';
import { useProjectId } from '../../api/use-project.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';

export function DashboardPage() {
  const projectId = useProjectId();
  const { dashboardId } = useParams({ strict: false });
  const dashboard = useQuery(dashboardQuery(projectId, Number(dashboardId)));
  return <Panel query={dashboard}>{(found) => <PageHeader title={found.name || 'Untitled'} />}</Panel>;
}
