// The services that the program stands on: whether they answer, what they keep, and the room that is left.
import { Badge, Group, Paper, Progress, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Instance, instanceQuery, type Size } from '../../api/use-instance.ts';
import { formatBytes, formatNumber, formatShare } from '../../ui/format.ts';
import { Panel } from '../../ui/Panel.tsx';

export function Engines() {
  const instance = useQuery(instanceQuery);
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        The program
      </Title>
      <Panel query={instance}>{(found) => <EnginesView instance={found} />}</Panel>
    </section>
  );
}

function EnginesView({ instance }: { instance: Instance }) {
  const { services, event_store, metadata, disk } = instance;
  const used = 1 - disk.bytes_free / Math.max(1, disk.bytes_total);
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
        {services.map(({ name, state, restarts }) => (
          <Paper key={name} withBorder p="md">
            <Group justify="space-between" wrap="nowrap">
              <Text fw={600}>{name.charAt(0).toUpperCase() + name.slice(1)}</Text>
              <Badge variant="dot" color={state === 'ok' ? 'teal' : 'red'} tt="none">
                {state === 'ok' ? 'well' : 'away'}
              </Badge>
            </Group>
            <Text size="xs" c="dimmed" className="breakable">
              {state !== 'ok' && `${state}. `}
              {restarts !== null && restartsText(restarts)}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      <Paper withBorder p="md">
        <Group justify="space-between" mb={6}>
          <Text fw={600}>Disk</Text>
          <Text size="sm">
            {formatBytes(disk.bytes_free)} free of {formatBytes(disk.bytes_total)}
          </Text>
        </Group>
        <Progress value={used * 100} color={used > 0.9 ? 'red' : undefined} aria-label={`${formatShare(used)} used`} />
      </Paper>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Sizes title="Events (ClickHouse)" bytes={event_store.bytes} tables={event_store.tables} />
        <Sizes title="Everything else (PostgreSQL)" bytes={metadata.bytes} tables={metadata.tables} />
      </SimpleGrid>
    </Stack>
  );
}

const restartsText = (restarts: number) =>
  restarts === 0 ? 'Never restarted since the start' : `Restarted ${restarts} times since the start`;

const SHOWN_MAX = 8;

function Sizes({ title, bytes, tables }: { title: string; bytes: number; tables: readonly Size[] }) {
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={3} size="h5">
          {title}
        </Title>
        <Text fw={600}>{formatBytes(bytes)}</Text>
      </Group>
      <Table verticalSpacing={4} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Table</Table.Th>
            <Table.Th ta="right" w={90}>
              Rows
            </Table.Th>
            <Table.Th ta="right" w={90}>
              Size
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tables.slice(0, SHOWN_MAX).map(({ name, rows, bytes: size }) => (
            <Table.Tr key={name}>
              <Table.Td className="breakable">{name}</Table.Td>
              <Table.Td ta="right">{formatNumber(rows)}</Table.Td>
              <Table.Td ta="right">{formatBytes(size)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
