// One event by its address.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { eventQuery, personNameOf } from '../../api/use-events.ts';
import { useProjectId } from '../../api/use-project.ts';
import { LinkButton, LinkText } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { EventDetails } from './EventDetails.tsx';

const TITLE_MAX = 120;

export function EventPage() {
  const id = useProjectId();
  const projectId = String(id);
  const { eventId = '' } = useParams({ strict: false }) as { eventId?: string };
  const event = useQuery(eventQuery(id, eventId));
  return (
    <Panel query={event}>
      {(found) => (
        <>
          <PageHeader
            title={found.event.slice(0, TITLE_MAX)}
            about={
              <Text span inherit className="breakable">
                by{' '}
                <LinkText
                  to="/project/$projectId/person"
                  params={{ projectId }}
                  search={{ distinct_id: found.distinct_id }}
                >
                  {personNameOf(found).slice(0, TITLE_MAX)}
                </LinkText>
              </Text>
            }
          >
            <LinkButton
              to="/project/$projectId/events"
              params={{ projectId }}
              search={{ event: found.event }}
              variant="default"
            >
              All of these events
            </LinkButton>
          </PageHeader>
          <EventDetails event={found} />
        </>
      )}
    </Panel>
  );
}
