// What the runs and backfills of an export said, newest first.
import { Badge, Button, Group, MultiSelect, Table, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { resultsOf } from '../../api/next-page.ts';
import { type LogLine, type LogSearch, logQuery } from '../../api/use-export-runs.ts';
import type { BatchExport } from '../../api/use-exports.ts';
import { useProjectId, useTimeZone } from '../../api/use-project.ts';
import { formatMoment } from '../../ui/format.ts';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { usePageSearch } from '../../ui/use-page-search.ts';
import classes from './exports.module.css';

const LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR'];
const COLORS = { DEBUG: 'gray', INFO: 'blue', WARNING: 'yellow', ERROR: 'red' } as const;

export function LogView({ found }: { found: BatchExport }) {
  const projectId = useProjectId();
  const [{ search, level, instance_id }, setSearch] = usePageSearch<LogSearch>();
  const lines = useInfiniteQuery(logQuery(projectId, found.id, { search, level, instance_id }));
  return (
    <>
      <Group mb="md" gap="sm">
        <SearchInput
          label="Search the log"
          placeholder="Search the log"
          value={search}
          onSearch={(text) => setSearch({ search: text })}
        />
        <MultiSelect
          aria-label="Levels"
          placeholder={level ? undefined : 'All levels'}
          miw={180}
          data={LEVELS}
          value={level ? level.split(',') : []}
          onChange={(levels) => setSearch({ level: levels.length > 0 ? levels.join(',') : undefined })}
        />
        {instance_id && (
          <Button
            variant="default"
            rightSection={<IconX size={14} />}
            onClick={() => setSearch({ instance_id: undefined })}
          >
            Only one run
          </Button>
        )}
      </Group>
      <Panel
        query={lines}
        isEmpty={(data) => resultsOf(data).length === 0}
        empty={<Text c="dimmed">Nothing was said{search || level || instance_id ? ' that fits' : ' yet'}.</Text>}
      >
        {(data) => <LogTable lines={resultsOf(data)} />}
      </Panel>
      <MoreButton query={lines} />
    </>
  );
}

function LogTable({ lines }: { lines: readonly LogLine[] }) {
  const timeZone = useTimeZone();
  return (
    <Table verticalSpacing={4} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={190} visibleFrom="sm">
            When
          </Table.Th>
          <Table.Th w={110} visibleFrom="sm">
            Level
          </Table.Th>
          <Table.Th>What</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same at the same time
          <Table.Tr key={`${line.timestamp} ${index}`}>
            <Table.Td visibleFrom="sm">
              <Text size="xs">{formatMoment(line.timestamp, timeZone)}</Text>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Badge variant="dot" color={COLORS[line.level]} size="sm">
                {line.level}
              </Badge>
            </Table.Td>
            <Table.Td>
              <Text size="xs" c="dimmed" hiddenFrom="sm">
                {formatMoment(line.timestamp, timeZone)}, {line.level}
              </Text>
              <p className={classes.log}>{line.message}</p>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
