// Events that were changed or left out in the last 30 days: why, how often, and for example which.
import { Accordion, Badge, Group, Stack, Table, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type WarningSummary, warningsQuery } from '../../api/use-ingestion.ts';
import { useProjectId, useTimeZone } from '../../api/use-project.ts';
import { Age } from '../../ui/Age.tsx';
import { formatMoment, formatNumber } from '../../ui/format.ts';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { Value } from '../../ui/Value.tsx';
import { Sparkline } from './Sparkline.tsx';

interface WarningsProps {
  q: string | undefined;
  onSearch: (q: string | undefined) => void;
}

export function Warnings({ q, onSearch }: WarningsProps) {
  const warnings = useQuery(warningsQuery(useProjectId(), q));
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Warnings of the last 30 days
        </Title>
        <SearchInput label="Search warnings" value={q} onSearch={onSearch} />
      </Group>
      <Panel
        query={warnings}
        isEmpty={({ results }) => results.length === 0}
        empty={
          <Empty icon={<IconCircleCheck size={28} />} title={q ? 'No warning matches' : 'No warnings'}>
            When an event cannot be taken as it was sent, it is told here, with the event as an example.
          </Empty>
        }
      >
        {({ results }) => (
          <Accordion variant="separated" multiple>
            {results.map((summary) => (
              <WarningItem key={summary.type} summary={summary} />
            ))}
          </Accordion>
        )}
      </Panel>
    </section>
  );
}

const EXAMPLES_MAX = 10;

function WarningItem({ summary: { type, lastSeen, sparkline, warnings, count } }: { summary: WarningSummary }) {
  const timeZone = useTimeZone();
  return (
    <Accordion.Item value={type}>
      <Accordion.Control>
        <Group justify="space-between" pr="md">
          <Stack gap={2}>
            <Group gap="xs">
              <Text fw={600} className="breakable">
                {capitalize(type.replaceAll('_', ' '))}
              </Text>
              <Badge variant="default">{formatNumber(count)}</Badge>
            </Group>
            <Text size="xs" c="dimmed" component="div">
              Last seen <Age at={lastSeen} />
            </Text>
          </Stack>
          <Sparkline days={sparkline} />
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Table layout="fixed" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={120}>When</Table.Th>
              <Table.Th>Details</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {warnings.slice(0, EXAMPLES_MAX).map(({ timestamp, details }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two warnings may be alike
              <Table.Tr key={`${timestamp} ${index}`}>
                <Table.Td>
                  <Text size="xs">{formatMoment(timestamp, timeZone)}</Text>
                </Table.Td>
                <Table.Td>
                  <Value value={details} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
