import { Group, Loader, Paper, Table, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api/client.ts';
import { followEvents, type TailLine } from '../../api/follow-events.ts';
import { projectPath, useTimeZone } from '../../api/use-project.ts';
import { formatMoment } from '../../ui/format.ts';
import { LinkButton } from '../../ui/links.tsx';

type EventLine = Pick<Extract<TailLine, { kind: 'event' }>, 'uuid' | 'event' | 'distinct_id' | 'accepted_at'>;
const SHOWN_MAX = 10;
const LOOK_MS = 3_000;

const recentEventsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['recent-events', projectId],
    queryFn: async ({ signal }): Promise<EventLine[]> => {
      const { results } = await api.get<{
        results: { id: string; event: string; distinct_id: string; timestamp: string }[];
      }>(projectPath(projectId, '/events/'), { query: { limit: SHOWN_MAX }, signal });
      return results.map(({ id, event, distinct_id, timestamp }) => ({
        uuid: id,
        event,
        distinct_id,
        accepted_at: timestamp,
      }));
    },
  });

/** Newest first, each once: an event is told again when its fate is known. */
const withLine = (lines: readonly EventLine[], line: EventLine) =>
  [line, ...lines.filter(({ uuid }) => uuid !== line.uuid)].slice(0, SHOWN_MAX);

/** Waits for events, and shows them as they arrive. */
export function FirstEvent({ projectId }: { projectId: number }) {
  const [lines, setLines] = useState<readonly EventLine[]>([]);
  // What arrived before anybody listened.
  const before = useQuery({ ...recentEventsQuery(projectId), refetchInterval: lines.length === 0 && LOOK_MS });
  const timeZone = useTimeZone();
  useEffect(() => {
    const leaving = new AbortController();
    const onLine = (line: TailLine) => {
      if (line.kind === 'event') setLines((before) => withLine(before, line));
    };
    followEvents(projectId, leaving.signal, onLine).catch(() => {});
    return () => leaving.abort();
  }, [projectId]);

  const shown = lines.length > 0 ? lines : (before.data ?? []);
  return (
    <Paper withBorder p="md" aria-live="polite">
      {shown.length === 0 ? (
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
              {shown.map(({ uuid, event, distinct_id, accepted_at }) => (
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
