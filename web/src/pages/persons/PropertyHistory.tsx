// What became known of a person, and when: read from the events that said so.
import { Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { resultsOf } from '../../api/next-page.ts';
import { personChangesQuery } from '../../api/use-events.ts';
import type { Person } from '../../api/use-persons.ts';
import { useProjectId } from '../../api/use-project.ts';
import { Age } from '../../ui/Age.tsx';
import { LinkText } from '../../ui/links.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Value } from '../../ui/Value.tsx';
import { listChanges, type PropertyChange } from './property-changes.ts';

export function PropertyHistory({ person }: { person: Person }) {
  const events = useInfiniteQuery(personChangesQuery(useProjectId(), person.uuid));
  return (
    <>
      <Panel
        query={events}
        isEmpty={(data) => resultsOf(data).length === 0}
        empty={<Text c="dimmed">No event that is stored has changed anything about this person.</Text>}
      >
        {(data) => <ChangeTable changes={listChanges(resultsOf(data))} />}
      </Panel>
      <MoreButton query={events} />
    </>
  );
}

function ChangeTable({ changes }: { changes: readonly PropertyChange[] }) {
  const projectId = String(useProjectId());
  return (
    <Table layout="fixed" verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Property</Table.Th>
          <Table.Th>Value</Table.Th>
          <Table.Th w={130}>When</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(({ key, name, kind, value, event }) => (
          <Table.Tr key={key}>
            <Table.Td className="breakable" dir="auto">
              {name}
            </Table.Td>
            <Table.Td>
              {kind === 'removed' ? <Text size="sm">removed</Text> : <Value value={value} />}{' '}
              {kind === 'set once' && (
                <Text size="xs" c="dimmed">
                  unless it was known before
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              <LinkText size="sm" to="/project/$projectId/events/$eventId" params={{ projectId, eventId: event.id }}>
                <Age at={event.timestamp} />
              </LinkText>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
