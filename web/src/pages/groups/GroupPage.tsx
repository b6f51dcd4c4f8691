// One group: what is known of it, and what happened in its name.
import { Stack, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { resultsOf } from '../../api/next-page.ts';
import { eventsQuery } from '../../api/use-events.ts';
import { groupQuery } from '../../api/use-groups.ts';
import { useProjectId, useTimeZone } from '../../api/use-project.ts';
import { formatDate } from '../../ui/format.ts';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { PropertyTable } from '../../ui/PropertyTable.tsx';
import { EventTable } from '../events/EventTable.tsx';
import { groupName } from './GroupsPage.tsx';

export function GroupPage() {
  const projectId = useProjectId();
  const timeZone = useTimeZone();
  const { groupTypeIndex, groupKey = '' } = useParams({ strict: false }) as {
    groupTypeIndex?: string;
    groupKey?: string;
  };
  const index = Number(groupTypeIndex);
  const group = useQuery(groupQuery(projectId, index, groupKey));
  return (
    <Panel query={group}>
      {(found) => (
        <>
          <PageHeader
            title={groupName(found)}
            heading={
              <Title order={1} size="h2" className="breakable" dir="auto">
                {groupName(found)}
              </Title>
            }
            about={`First seen on ${formatDate(found.created_at, timeZone)}`}
          />
          <Stack gap="xl">
            <section>
              <Title order={2} size="h4" mb="xs">
                Properties
              </Title>
              <PropertyTable properties={found.group_properties} />
            </section>
            <GroupEvents index={index} groupKey={groupKey} />
          </Stack>
        </>
      )}
    </Panel>
  );
}

function GroupEvents({ index, groupKey }: { index: number; groupKey: string }) {
  const projectId = useProjectId();
  const events = useInfiniteQuery(
    eventsQuery(projectId, {
      properties: [{ key: `$group_${index}`, value: [groupKey], operator: 'exact', type: 'event' }],
      after: '-30d',
    }),
  );
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        Events of the last 30 days
      </Title>
      <Panel query={events} isEmpty={(data) => resultsOf(data).length === 0} empty="None.">
        {(data) => <EventTable events={resultsOf(data)} />}
      </Panel>
      <MoreButton query={events} />
    </section>
  );
}
