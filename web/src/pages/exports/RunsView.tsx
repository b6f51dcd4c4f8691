// The runs of an export: how far, how much, what went wrong, and what to do about it.
import { ActionIcon, Badge, Group, Progress, Select, Stack, Table, Text, Tooltip, useMatches } from '@mantine/core';
import { IconFileText, IconPlayerPlay, IconRefresh, IconX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { resultsOf } from '../../api/next-page.ts';
import { isActive, type Run, type RunSearch, runsQuery, useRunChanges } from '../../api/use-export-runs.ts';
import type { BatchExport } from '../../api/use-exports.ts';
import { useProjectId, useTimeZone } from '../../api/use-project.ts';
import { Age } from '../../ui/Age.tsx';
import { formatBytes, formatMoment, formatNumber, formatShare } from '../../ui/format.ts';
import { LinkButton, LinkIcon } from '../../ui/links.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { showDone } from '../../ui/messages.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { usePageSearch } from '../../ui/use-page-search.ts';
import classes from './exports.module.css';
import { adviceFor, durationText, shareOf, statusColors, statusWords } from './run-words.ts';

const TIMES = [
  { value: '-24h', label: 'Last 24 hours' },
  { value: '-7d', label: 'Last 7 days' },
  { value: '-30d', label: 'Last 30 days' },
  { value: '-365d', label: 'Last year' },
];
const DEFAULT_TIME = '-7d';
const STATUSES = [
  { value: 'Running', label: 'Running' },
  { value: 'Completed', label: 'Done' },
  { value: 'Failed', label: 'Failed' },
  { value: 'FailedRetryable', label: 'Failed, may be retried' },
  { value: 'Cancelled', label: 'Cancelled' },
];

export function RunsView({ found }: { found: BatchExport }) {
  const projectId = useProjectId();
  const [search, setSearch] = usePageSearch<RunSearch>();
  const after = search.after ?? DEFAULT_TIME;
  const runs = useInfiniteQuery(runsQuery(projectId, found.id, { after, status: search.status }));
  return (
    <>
      <Group mb="md" gap="sm">
        <Select
          aria-label="Time"
          w={150}
          allowDeselect={false}
          data={TIMES}
          value={after}
          onChange={(value) => setSearch({ after: value === DEFAULT_TIME ? undefined : (value ?? undefined) })}
        />
        <Select
          aria-label="State"
          placeholder="Any state"
          w={200}
          clearable
          data={STATUSES}
          value={search.status ?? null}
          onChange={(status) => setSearch({ status: status ?? undefined })}
        />
      </Group>
      <Panel
        query={runs}
        isEmpty={(data) => resultsOf(data).length === 0}
        empty={
          <Empty
            icon={<IconPlayerPlay size={28} />}
            title="No runs here"
            action={
              <LinkButton
                to="/project/$projectId/exports/$exportId"
                params={{ projectId: String(projectId), exportId: found.id }}
                search={{ view: 'backfills' }}
                variant="light"
              >
                Ship the past
              </LinkButton>
            }
          >
            The first run begins when the present interval is over. What arrived before can be shipped by a backfill.
          </Empty>
        }
      >
        {(data) => <RunTable exportId={found.id} runs={resultsOf(data)} />}
      </Panel>
      <MoreButton query={runs} />
    </>
  );
}

function RunTable({ exportId, runs }: { exportId: string; runs: readonly Run[] }) {
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Interval</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th ta="right" visibleFrom="sm">
            Rows
          </Table.Th>
          <Table.Th ta="right" visibleFrom="sm">
            Size
          </Table.Th>
          <Table.Th visibleFrom="sm">Began</Table.Th>
          <Table.Th w={84} aria-label="Actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {runs.map((run) => (
          <RunRows key={run.id} exportId={exportId} run={run} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function RunRows({ exportId, run }: { exportId: string; run: Run }) {
  const timeZone = useTimeZone();
  const advice = adviceFor(run);
  // A phone has no room for how much and when; that stands below the state.
  const columns = useMatches({ base: 3, sm: 6 });
  const rows = run.records_completed === null ? '–' : formatNumber(run.records_completed);
  const size = run.bytes_exported === null ? '–' : formatBytes(run.bytes_exported);
  return (
    <>
      <Table.Tr>
        <Table.Td>
          <Text size="sm">
            {run.data_interval_start ? formatMoment(run.data_interval_start, timeZone) : 'From the beginning'}
          </Text>
          <Text size="xs" c="dimmed">
            up to {formatMoment(run.data_interval_end, timeZone)}
            {run.backfill && ', by a backfill'}
          </Text>
        </Table.Td>
        <Table.Td>
          <RunState run={run} />
          {run.records_completed !== null && (
            <Text size="xs" c="dimmed" hiddenFrom="sm">
              {rows} rows, {size}
            </Text>
          )}
        </Table.Td>
        <Table.Td ta="right" visibleFrom="sm">
          {rows}
        </Table.Td>
        <Table.Td ta="right" visibleFrom="sm">
          {size}
        </Table.Td>
        <Table.Td visibleFrom="sm">
          <Text size="sm" component="div">
            <Age at={run.created_at} />
          </Text>
          <Text size="xs" c="dimmed">
            {durationText(run.created_at, run.finished_at, Date.now())}
          </Text>
        </Table.Td>
        <Table.Td>
          <RunActions exportId={exportId} run={run} />
        </Table.Td>
      </Table.Tr>
      {run.latest_error && run.status !== 'Completed' && (
        <Table.Tr>
          <Table.Td colSpan={columns} pt={0}>
            <Stack gap={2}>
              <Text size="sm" className={classes.error}>
                {run.latest_error}
              </Text>
              {advice && <Text size="sm">{advice}</Text>}
            </Stack>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

function RunState({ run }: { run: Run }) {
  const share = shareOf(run);
  return (
    <Stack gap={4}>
      <Badge variant="dot" color={statusColors[run.status]} tt="none">
        {statusWords[run.status]}
        {run.status === 'Running' && share !== undefined && `, ${formatShare(share)}`}
      </Badge>
      {isActive(run) && (
        <Progress
          value={share === undefined ? 100 : share * 100}
          animated
          striped
          aria-label={share === undefined ? 'Under way' : `${formatShare(share)} done`}
        />
      )}
    </Stack>
  );
}

function RunActions({ exportId, run }: { exportId: string; run: Run }) {
  const projectId = String(useProjectId());
  const { retry, cancel } = useRunChanges(exportId);
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {isActive(run) ? (
        <Tooltip label="Cancel">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Cancel the run"
            loading={cancel.isPending}
            onClick={() => cancel.mutate(run.id)}
          >
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      ) : (
        <Tooltip label="Ship this interval again">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Retry the run"
            loading={retry.isPending}
            onClick={() => retry.mutate(run.id, { onSuccess: () => showDone('The interval is being shipped again.') })}
          >
            <IconRefresh size={16} />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label="What it said">
        <LinkIcon
          variant="subtle"
          color="gray"
          aria-label="Log of the run"
          to="/project/$projectId/exports/$exportId"
          params={{ projectId, exportId }}
          search={{ view: 'logs', instance_id: run.id }}
        >
          <IconFileText size={16} />
        </LinkIcon>
      </Tooltip>
    </Group>
  );
}
