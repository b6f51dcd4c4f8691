import { Group, Loader, Paper, Table, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { followEvents, type TailLine } from '../../api/follow-events.ts';
import { useTimeZone } from '../../api/use-project.ts';
import { formatMoment } from '../../ui/format.ts';
import { LinkButton } from '../../ui/links.tsx';

type EventLine = Extract<TailLine, { kind: 'event' }>;
const SHOWN_MAX = 10;

/** Newest first, each once: an event is told again when its fate is known. */
const withLine = (lines: readonly EventLine[], line: EventLine) =>
  [line, ...lines.filter(({ uuid }) => uuid !== line.uuid)].slice(0, SHOWN_MAX);

/** Waits for events, and shows them as they arrive. */
export function FirstEvent({ projectId }: { projectId: number }) {
  const [lines, setLines] = useState<readonly EventLine[]>([]);
  const timeZone = useTimeZone();
  useEffect(() => {
    const leaving = new AbortController();
    const onLine = (line: TailLine) => {
      if (line.kind === 'event') setLines((before) => withLine(before, line));
    };
    followEvents(projectId, leaving.signal, onLine).catch(() => {});
    return () => leaving.abort();
  }, [projectId]);

  return (
    <Paper withBorder p="md" aria-live="polite">
      {lines.length === 0 ? (
        <Group>
          <Loader size="sm" type="dots" />
          <div>
            <Title order={2} size="h4">
              Waiting for your first event
            </Title>
            <Text size="sm" c="dimmed">
              It appears here the moment that it arrives.
            </Text>
          </div>
        </Group>
      ) : (
        <>
          <Group justify="space-between" mb="xs">
            <Group gap="xs">
              <IconCircleCheck size={22} color="var(--mantine-color-teal-6)" />
              <Title order={2} size="h4">
                Your events are arriving
              </Title>
            </Group>
            <LinkButton to="/project/$projectId/dashboards" params={{ projectId: String(projectId) }} size="xs">
              To the dashboards
            </LinkButton>
          </Group>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Event</Table.Th>
                <Table.Th>Person</Table.Th>
                <Table.Th>Arrived</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {lines.map(({ uuid, event, distinct_id, accepted_at }) => (
                <Table.Tr key={uuid}>
                  <Table.Td className="breakable">{event}</Table.Td>
                  <Table.Td className="breakable">{distinct_id}</Table.Td>
                  <Table.Td>{formatMoment(accepted_at, timeZone)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </>
      )}
    </Paper>
  );
}
