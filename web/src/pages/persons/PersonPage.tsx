// One person, by uuid (`/persons/<uuid>`) or by any of their distinct ids (`/person?distinct_id=…`).
import { Stack, Text, Title } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { resultsOf } from '../../api/next-page.ts';
import { eventsQuery } from '../../api/use-events.ts';
import { type Person, personOfIdQuery, personQuery } from '../../api/use-persons.ts';
import { useProjectId, useTimeZone } from '../../api/use-project.ts';
import { formatDate } from '../../ui/format.ts';
import { LinkButton } from '../../ui/links.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { SubNav } from '../../ui/SubNav.tsx';
import { usePageSearch } from '../../ui/use-page-search.ts';
import { EventTable } from '../events/EventTable.tsx';
import { DistinctIds } from './DistinctIds.tsx';
import { PersonFlags } from './PersonFlags.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import { PersonProperties } from './PersonProperties.tsx';
import { PropertyHistory } from './PropertyHistory.tsx';

export function PersonPage() {
  const projectId = useProjectId();
  const { personId = '' } = useParams({ strict: false }) as { personId?: string };
  const person = useQuery(personQuery(projectId, personId));
  return <Panel query={person}>{(found) => <Profile person={found} />}</Panel>;
}

export function PersonOfIdPage() {
  const projectId = useProjectId();
  const [{ distinct_id = '' }] = usePageSearch<{ distinct_id?: string }>();
  const found = useQuery(personOfIdQuery(projectId, distinct_id));
  return (
    <Panel
      query={found}
      isEmpty={({ person }) => person === undefined}
      empty={
        <>
          <PageHeader title="Nobody" />
          <Empty
            icon={<IconUserOff size={28} />}
            title="This id belongs to nobody"
            action={
              <LinkButton
                to="/project/$projectId/events"
                params={{ projectId: String(projectId) }}
                search={{ distinct_id, after: 'all' }}
                variant="light"
              >
                Events with this id
              </LinkButton>
            }
          >
            The person was deleted, or the event asked for none to be made.
          </Empty>
        </>
      }
    >
      {({ person }) => person && <Profile person={person} />}
    </Panel>
  );
}

const VIEWS = [
  { label: 'Timeline', view: undefined },
  { label: 'Properties', view: 'properties' },
  { label: 'Changes', view: 'changes' },
  { label: 'Flags', view: 'flags' },
] as const;

type View = (typeof VIEWS)[number]['view'];
const TITLE_MAX = 120;

function Profile({ person }: { person: Person }) {
  const projectId = useProjectId();
  const timeZone = useTimeZone();
  const [{ view }] = usePageSearch<{ view?: View }>();
  return (
    <>
      <PageHeader
        title={person.name.slice(0, TITLE_MAX) || 'Somebody'}
        heading={
          <Title order={1} size="h2" className="breakable" dir="auto">
            {person.name.slice(0, TITLE_MAX) || 'Somebody'}
          </Title>
        }
        about={`First seen on ${formatDate(person.created_at, timeZone)}`}
      >
        <PersonMenu person={person} />
      </PageHeader>
      <SubNav
        label="Person"
        projectId={projectId}
        pages={VIEWS.map(({ label, view: each }) => ({
          label,
          path: `/persons/${person.uuid}`,
          search: each ? { view: each } : {},
          isHere: view === each,
        }))}
      />
      {view === undefined && <Timeline person={person} />}
      {view === 'flags' && <PersonFlags person={person} />}
      {view === 'changes' && <PropertyHistory person={person} />}
      {view === 'properties' && (
        <Stack gap="xl">
          <PersonProperties person={person} />
          <DistinctIds person={person} />
        </Stack>
      )}
    </>
  );
}

function Timeline({ person }: { person: Person }) {
  const projectId = useProjectId();
  const events = useInfiniteQuery(eventsQuery(projectId, { person_id: person.uuid }));
  return (
    <>
      <Panel
        query={events}
        isEmpty={(data) => resultsOf(data).length === 0}
        empty={<Text c="dimmed">No events of this person are stored.</Text>}
      >
        {(data) => <EventTable events={resultsOf(data)} withPerson={false} />}
      </Panel>
      <MoreButton query={events} />
    </>
  );
}
