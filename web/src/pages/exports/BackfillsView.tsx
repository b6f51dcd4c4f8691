// Shipping the past: by a range of days, with what that takes.
import {
  ActionIcon,
  Badge,
  Button,
  Group,
  Paper,
  Progress,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
  Tooltip,
} from '@mantine/core';
import { IconFileText, IconX } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { resultsOf } from '../../api/next-page.ts';
import { type Backfill, backfillsQuery, isActive, useRunChanges } from '../../api/use-export-runs.ts';
import type { BatchExport } from '../../api/use-exports.ts';
import { storedBetweenQuery } from '../../api/use-ingestion.ts';
import { useProjectId, useTimeZone } from '../../api/use-project.ts';
import { Age } from '../../ui/Age.tsx';
import { formatMoment, formatNumber, formatShare } from '../../ui/format.ts';
import { LinkIcon } from '../../ui/links.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { showDone } from '../../ui/messages.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { statusColors, statusWords } from './run-words.ts';
import { countRuns } from './schedule-words.ts';
import { startOfDay } from './start-of-day.ts';

export function BackfillsView({ found }: { found: BatchExport }) {
  const projectId = useProjectId();
  const backfills = useInfiniteQuery(backfillsQuery(projectId, found.id));
  return (
    <Stack gap="lg">
      <NewBackfill found={found} />
      <Panel
        query={backfills}
        isEmpty={(data) => resultsOf(data).length === 0}
        empty={<Text c="dimmed">No backfill was asked for yet.</Text>}
      >
        {(data) => <BackfillTable exportId={found.id} backfills={resultsOf(data)} />}
      </Panel>
      <MoreButton query={backfills} />
    </Stack>
  );
}

function NewBackfill({ found }: { found: BatchExport }) {
  const timeZone = useTimeZone();
  const { backfill } = useRunChanges(found.id);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const fromMs = startOfDay(from, timeZone);
  const toMs = startOfDay(to, timeZone);
  const isRange = fromMs !== undefined && toMs !== undefined && fromMs < toMs;
  const start = () =>
    isRange &&
    backfill.mutate(
      { start_at: new Date(fromMs).toISOString(), end_at: new Date(Math.min(toMs, Date.now())).toISOString() },
      { onSuccess: () => showDone('The backfill has begun.') },
    );
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb={4}>
        Ship the past
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Everything that arrived between two days, from the first up to the beginning of the second, in {timeZone}. Rows
        that were shipped already are replaced, not repeated.
      </Text>
      <Group align="flex-end">
        <TextInput
          label="From"
          type="date"
          value={from}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <TextInput label="Up to" type="date" value={to} onChange={({ currentTarget }) => setTo(currentTarget.value)} />
        <Button disabled={!isRange} loading={backfill.isPending} onClick={start}>
          Begin
        </Button>
      </Group>
      {isRange && <Estimate found={found} fromMs={fromMs} toMs={Math.min(toMs, Date.now())} />}
      <Refusal error={backfill.error} mt="sm" />
    </Paper>
  );
}

interface EstimateProps {
  found: BatchExport;
  fromMs: number;
  toMs: number;
}

/** How many runs, and how many rows at most: filters may leave some out. */
function Estimate({ found, fromMs, toMs }: EstimateProps) {
  const stored = useQuery({
    ...storedBetweenQuery(useProjectId(), fromMs, toMs),
    enabled: found.model === 'events',
  });
  const runs = countRuns(found.interval, fromMs, toMs);
  const rows = stored.data === undefined ? '' : ` and up to ${formatNumber(stored.data)} events`;
  return (
    <Text size="sm" mt="sm" role="status">
      About {formatNumber(runs)} {runs === 1 ? 'run' : 'runs'}
      {rows}. They are worked on one after the other, beside the schedule.
    </Text>
  );
}

function BackfillTable({ exportId, backfills }: { exportId: string; backfills: readonly Backfill[] }) {
  const projectId = String(useProjectId());
  const timeZone = useTimeZone();
  const { cancelBackfill } = useRunChanges(exportId);
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Range</Table.Th>
            <Table.Th w={220}>State</Table.Th>
            <Table.Th>Asked for</Table.Th>
            <Table.Th w={84} aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {backfills.map((backfill) => (
            <Table.Tr key={backfill.id}>
              <Table.Td>
                <Text size="sm">
                  {backfill.start_at ? formatMoment(backfill.start_at, timeZone) : 'From the beginning'}
                </Text>
                <Text size="xs" c="dimmed">
                  up to {backfill.end_at ? formatMoment(backfill.end_at, timeZone) : 'now'}
                </Text>
              </Table.Td>
              <Table.Td>
                <BackfillState backfill={backfill} />
              </Table.Td>
              <Table.Td>
                <Text size="sm" component="div">
                  <Age at={backfill.created_at} />
                </Text>
              </Table.Td>
              <Table.Td>
                <Group gap={4} wrap="nowrap" justify="flex-end">
                  {isActive(backfill) && (
                    <Tooltip label="Cancel: the run in progress is finished">
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label="Cancel the backfill"
                        onClick={() => cancelBackfill.mutate(backfill.id)}
                      >
                        <IconX size={16} />
                      </ActionIcon>
                    </Tooltip>
                  )}
                  <LinkIcon
                    variant="subtle"
                    color="gray"
                    aria-label="Log of the backfill"
                    to="/project/$projectId/exports/$exportId"
                    params={{ projectId, exportId }}
                    search={{ view: 'logs', instance_id: backfill.id }}
                  >
                    <IconFileText size={16} />
                  </LinkIcon>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function BackfillState({ backfill: { status, progress } }: { backfill: Backfill }) {
  return (
    <Stack gap={4}>
      <Badge variant="dot" color={statusColors[status]} tt="none">
        {statusWords[status]}
        {progress && `, ${formatNumber(progress.finished_runs)} of ${formatNumber(progress.total_runs)} runs`}
      </Badge>
      {isActive({ status }) && progress && (
        <Progress value={progress.progress * 100} aria-label={`${formatShare(progress.progress)} done`} />
      )}
    </Stack>
  );
}
