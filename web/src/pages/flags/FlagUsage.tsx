// How often a flag was asked for, and what the answer was.
import { Alert, Paper, SimpleGrid, Stack, Table, Text, useComputedColorScheme } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Flag, flagStatusQuery, flagUsageQuery, type FlagUsage as Usage } from '../../api/use-flags.ts';
import { useProjectId } from '../../api/use-project.ts';
import { Chart } from '../../charts/Chart.tsx';
import { timeOption } from '../../charts/option.ts';
import { Age } from '../../ui/Age.tsx';
import { formatNumber } from '../../ui/format.ts';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { usageItems } from './usage-items.ts';

export function FlagUsage({ flag }: { flag: Flag }) {
  const projectId = useProjectId();
  const usage = useQuery(flagUsageQuery(projectId, flag.id));
  const status = useQuery(flagStatusQuery(projectId, flag.id));
  return (
    <Stack>
      {status.data && flag.status === 'STALE' && <Alert title="Stale">{status.data.reason}</Alert>}
      <Panel
        query={usage}
        isEmpty={({ calls }) => calls === 0}
        empty={
          <Empty icon={<IconChartLine size={28} />} title="Nobody asked in the last 30 days">
            SDKs report each time that your code asks for a flag. When nothing appears here, the code is not there yet,
            or not any more.
          </Empty>
        }
      >
        {(found) => <UsageView usage={found} flagKey={flag.key} />}
      </Panel>
    </Stack>
  );
}

function UsageView({ usage, flagKey }: { usage: Usage; flagKey: string }) {
  const isDark = useComputedColorScheme('light') === 'dark';
  const toOption = useCallback(
    () =>
      timeOption(
        usageItems(usage),
        { kind: 'TrendsQuery', trendsFilter: { display: 'ActionsBar' } },
        { isDark, isSmall: false },
      ),
    [usage, isDark],
  );
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 3 }}>
        <Paper withBorder p="md">
          <Text size="sm" c="dimmed">
            Asked for in 30 days
          </Text>
          <Text size="xl" fw={700}>
            {formatNumber(usage.calls)}
          </Text>
        </Paper>
        <Paper withBorder p="md">
          <Text size="sm" c="dimmed">
            Last asked for
          </Text>
          <Text size="xl" fw={700} component="div">
            <Age at={usage.last_called_at} />
          </Text>
        </Paper>
      </SimpleGrid>
      <div style={{ height: 280 }}>
        <Chart toOption={toOption} label={`How often ${flagKey} was asked for, by day and answer`} />
      </div>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Answer</Table.Th>
            <Table.Th ta="right">Times</Table.Th>
            <Table.Th ta="right">People</Table.Th>
            <Table.Th visibleFrom="sm">Last</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {usage.responses.map(({ response, calls, persons, last_called_at }) => (
            <Table.Tr key={response}>
              <Table.Td className="breakable">{response}</Table.Td>
              <Table.Td ta="right">{formatNumber(calls)}</Table.Td>
              <Table.Td ta="right">{formatNumber(persons)}</Table.Td>
              <Table.Td visibleFrom="sm">
                <Age at={last_called_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
