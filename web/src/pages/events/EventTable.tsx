// Events as lines that open to everything that was sent with them.
import { ActionIcon, Group, Table, Text, useMatches } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { personNameOf, type StoredEvent } from '../../api/use-events.ts';
import { useProjectId } from '../../api/use-project.ts';
import { Age } from '../../ui/Age.tsx';
import { LinkText } from '../../ui/links.tsx';
import { toText } from '../../ui/Value.tsx';
import { EventDetails } from './EventDetails.tsx';

const NAME_MAX = 200;
const shorten = (text: string) => (text.length > NAME_MAX ? `${text.slice(0, NAME_MAX)}…` : text);

interface EventTableProps {
  events: readonly StoredEvent[];
  /** On the page of a person, who it was needs no telling. */
  withPerson?: boolean;
}

export function EventTable({ events, withPerson = true }: EventTableProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setOpened((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  return (
    <Table verticalSpacing={6} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={44} aria-label="Details" />
          <Table.Th>Event</Table.Th>
          {withPerson && <Table.Th visibleFrom="sm">Person</Table.Th>}
          <Table.Th visibleFrom="sm">Page or screen</Table.Th>
          <Table.Th w={130} visibleFrom="sm">
            Time
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {events.map((event) => (
          <EventRows
            key={event.id}
            event={event}
            withPerson={withPerson}
            isOpen={opened.has(event.id)}
            onToggle={() => toggle(event.id)}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface RowProps {
  event: StoredEvent;
  withPerson: boolean;
  isOpen: boolean;
  onToggle: () => void;
}

function EventRows({ event, withPerson, isOpen, onToggle }: RowProps) {
  const projectId = String(useProjectId());
  const { $current_url, $screen_name } = event.properties;
  // A cell over more columns than are shown would make room for the hidden ones.
  const columns = useMatches({ base: 2, sm: withPerson ? 5 : 4 });
  return (
    <>
      <Table.Tr>
        <Table.Td>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-expanded={isOpen}
            aria-label={`Details of ${shorten(event.event)}`}
            onClick={onToggle}
          >
            {isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
          </ActionIcon>
        </Table.Td>
        <Table.Td className="breakable" dir="auto">
          <Text size="sm" fw={600} lineClamp={3}>
            {shorten(event.event)}
          </Text>
          {/* A phone has room for one column. */}
          <Text size="xs" c="dimmed" component="div" hiddenFrom="sm" lineClamp={2}>
            {withPerson && `${shorten(personNameOf(event))}, `}
            <Age at={event.timestamp} />
          </Text>
        </Table.Td>
        {withPerson && (
          <Table.Td className="breakable" dir="auto" visibleFrom="sm">
            <LinkText
              size="sm"
              to="/project/$projectId/person"
              params={{ projectId }}
              search={{ distinct_id: event.distinct_id }}
            >
              {shorten(personNameOf(event))}
            </LinkText>
          </Table.Td>
        )}
        <Table.Td className="breakable" visibleFrom="sm">
          <Text size="sm" c="dimmed" lineClamp={2}>
            {shorten(toText($current_url ?? $screen_name ?? ''))}
          </Text>
        </Table.Td>
        <Table.Td visibleFrom="sm">
          <Text size="sm" component="div">
            <Age at={event.timestamp} />
          </Text>
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={columns} bg="var(--tenrec-code)">
            <Group justify="space-between">
              <LinkText
                size="xs"
                className="breakable"
                to="/project/$projectId/person"
                params={{ projectId }}
                search={{ distinct_id: event.distinct_id }}
              >
                {shorten(personNameOf(event))}
              </LinkText>
              <LinkText size="xs" to="/project/$projectId/events/$eventId" params={{ projectId, eventId: event.id }}>
                Link to this event
              </LinkText>
            </Group>
            <EventDetails event={event} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}
