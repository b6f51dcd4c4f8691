// Stored events, newest first, by name, time, person and properties. What is asked for is in the address.
import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconBolt, IconUser } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { resultsOf } from '../../api/next-page.ts';
import { type EventSearch, eventsQuery } from '../../api/use-events.ts';
import { useProjectId } from '../../api/use-project.ts';
import { EventPicker } from '../../pickers/EventPicker.tsx';
import { isComplete } from '../../pickers/operators.ts';
import { PropertyFilters } from '../../pickers/PropertyFilters.tsx';
import { LinkButton } from '../../ui/links.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { SubNav } from '../../ui/SubNav.tsx';
import { usePageSearch } from '../../ui/use-page-search.ts';
import { eventPages } from './areas.ts';
import { EventTable } from './EventTable.tsx';

const TIMES = [
  { value: '-1h', label: 'Last hour' },
  { value: '-24h', label: 'Last 24 hours' },
  { value: '-7d', label: 'Last 7 days' },
  { value: '-30d', label: 'Last 30 days' },
  { value: 'all', label: 'All time' },
];
const DEFAULT_TIME = '-7d';
const SETTLED_MS = 300;

export function EventsPage() {
  const projectId = useProjectId();
  const [search, setSearch] = usePageSearch<EventSearch>();
  const after = search.after ?? DEFAULT_TIME;
  const events = useInfiniteQuery(
    eventsQuery(projectId, {
      ...search,
      properties: (search.properties ?? []).filter(isComplete),
      after: after === 'all' ? undefined : after,
    }),
  );
  return (
    <>
      <PageHeader title="Events" about="What happened, as it was sent, newest first." />
      <SubNav label="Events" projectId={projectId} pages={eventPages} />
      <EventFilters search={search} after={after} onSearch={setSearch} />
      <Panel
        query={events}
        isEmpty={(data) => resultsOf(data).length === 0}
        empty={
          <Empty
            icon={<IconBolt size={28} />}
            title="No events here"
            action={
              <LinkButton to="/project/$projectId/welcome" params={{ projectId: String(projectId) }} variant="light">
                How to send events
              </LinkButton>
            }
          >
            Nothing that was stored fits these filters. Look further back, or take a filter away.
          </Empty>
        }
      >
        {(data) => <EventTable events={resultsOf(data)} />}
      </Panel>
      <MoreButton query={events} />
    </>
  );
}

interface FilterProps {
  search: EventSearch;
  after: string;
  onSearch: (change: EventSearch) => void;
}

function EventFilters({ search, after, onSearch }: FilterProps) {
  const [person, setPerson] = useState(search.distinct_id ?? '');
  const settle = useDebouncedCallback((text: string) => onSearch({ distinct_id: text || undefined }), SETTLED_MS);
  return (
    <Group mb="md" gap="sm" align="flex-start">
      <EventPicker event={search.event ?? null} onPick={(event) => onSearch({ event: event ?? undefined })} />
      <Select
        aria-label="Time"
        w={150}
        data={TIMES}
        value={after}
        allowDeselect={false}
        onChange={(value) => onSearch({ after: value === DEFAULT_TIME ? undefined : (value ?? undefined) })}
      />
      <TextInput
        aria-label="Distinct id"
        placeholder="Distinct id"
        leftSection={<IconUser size={16} />}
        value={person}
        onChange={({ currentTarget }) => {
          setPerson(currentTarget.value);
          settle(currentTarget.value);
        }}
      />
      <PropertyFilters
        filters={search.properties ?? []}
        onChange={(properties) => onSearch({ properties: properties.length > 0 ? properties : undefined })}
      />
    </Group>
  );
}
