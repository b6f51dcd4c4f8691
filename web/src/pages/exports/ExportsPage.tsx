// The list of batch exports, with how the last runs of each went.
import { Badge, Group, Table, Text, Tooltip } from '@mantine/core';
import { IconDatabaseExport, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Run } from '../../api/use-export-runs.ts';
import { type BatchExport, exportsQuery } from '../../api/use-exports.ts';
import { useProjectId, useTimeZone } from '../../api/use-project.ts';
import { Age } from '../../ui/Age.tsx';
import { formatMoment } from '../../ui/format.ts';
import { LinkButton, LinkText } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { describeWay } from './destinations.ts';
import classes from './exports.module.css';
import { statusColors, statusWords } from './run-words.ts';
import { describeSchedule } from './schedule-words.ts';

export function ExportsPage() {
  const projectId = useProjectId();
  const exports = useQuery(exportsQuery(projectId));
  const newExport = (
    <LinkButton
      to="/project/$projectId/exports/new"
      params={{ projectId: String(projectId) }}
      leftSection={<IconPlus size={16} />}
    >
      New export
    </LinkButton>
  );
  return (
    <>
      <PageHeader title="Batch exports" about="Everything that arrives, shipped to where you keep your data.">
        {newExport}
      </PageHeader>
      <Panel
        query={exports}
        isEmpty={({ count }) => count === 0}
        empty={
          <Empty icon={<IconDatabaseExport size={28} />} title="No export yet" action={newExport}>
            An export ships events, persons or sessions to a bucket or a database, every few minutes or once a week,
            each row exactly once. The past can be shipped, too.
          </Empty>
        }
      >
        {({ results }) => <ExportTable exports={results} />}
      </Panel>
    </>
  );
}

function ExportTable({ exports }: { exports: readonly BatchExport[] }) {
  const projectId = String(useProjectId());
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th visibleFrom="sm">Schedule</Table.Th>
          <Table.Th>Last runs</Table.Th>
          <Table.Th visibleFrom="sm">Latest</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {exports.map((found) => (
          <Table.Tr key={found.id}>
            <Table.Td className="breakable" dir="auto">
              <Group gap="xs">
                <LinkText
                  fw={600}
                  size="sm"
                  to="/project/$projectId/exports/$exportId"
                  params={{ projectId, exportId: found.id }}
                >
                  {found.name}
                </LinkText>
                {found.paused && (
                  <Badge variant="default" tt="none">
                    paused
                  </Badge>
                )}
              </Group>
              <Text size="sm" c="dimmed">
                {describeWay(found)}
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Text size="sm">{describeSchedule(found)}</Text>
            </Table.Td>
            <Table.Td>
              <RunDots runs={found.latest_runs} />
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Text size="sm" component="div">
                <Age at={found.latest_runs[0]?.created_at} />
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** A dot for each of the last runs, oldest first. */
function RunDots({ runs }: { runs: readonly Run[] }) {
  const timeZone = useTimeZone();
  if (runs.length === 0) return <Text size="sm">none yet</Text>;
  const words = (run: Run) => `${statusWords[run.status]}, ${formatMoment(run.data_interval_end, timeZone)}`;
  return (
    <Group
      gap={3}
      wrap="nowrap"
      role="img"
      aria-label={`The last ${runs.length} runs, newest: ${statusWords[runs[0]?.status ?? 'Starting']}`}
    >
      {runs.toReversed().map((run) => (
        <Tooltip key={run.id} label={words(run)}>
          <span className={classes.dot} style={{ background: `var(--mantine-color-${statusColors[run.status]}-6)` }} />
        </Tooltip>
      ))}
    </Group>
  );
}
