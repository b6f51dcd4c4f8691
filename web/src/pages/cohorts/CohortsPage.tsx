// The list of cohorts.
import { Badge, Group, Loader, Menu, Table, Text } from '@mantine/core';
import { IconCopy, IconPlus, IconTrash, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Cohort, cohortsQuery, useCopyAsStatic, useDeleteCohort } from '../../api/use-cohorts.ts';
import { useProjectId } from '../../api/use-project.ts';
import { Age } from '../../ui/Age.tsx';
import { formatNumber } from '../../ui/format.ts';
import { LinkButton, LinkText } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { SubNav } from '../../ui/SubNav.tsx';
import { usePageSearch } from '../../ui/use-page-search.ts';
import { usePeoplePages } from '../persons/areas.ts';

export const cohortName = ({ name, id }: Pick<Cohort, 'name' | 'id'>) => name || `Cohort ${id}`;

export function CohortsPage() {
  const projectId = useProjectId();
  const [{ search }, setSearch] = usePageSearch<{ search?: string | undefined }>();
  const cohorts = useQuery(cohortsQuery(projectId));
  const newCohort = (
    <LinkButton
      to="/project/$projectId/cohorts/new"
      params={{ projectId: String(projectId) }}
      leftSection={<IconPlus size={16} />}
    >
      New cohort
    </LinkButton>
  );
  return (
    <>
      <PageHeader title="Cohorts" about="People who have something in common, to filter and target by.">
        {newCohort}
      </PageHeader>
      <SubNav label="People" projectId={projectId} pages={usePeoplePages(projectId)} />
      <Panel
        query={cohorts}
        isEmpty={({ count }) => count === 0}
        empty={
          <Empty icon={<IconUsersGroup size={28} />} title="No cohort yet" action={newCohort}>
            Describe people by what is known of them or by what they did, or name them one by one. Insights filter by
            cohorts, and flags open for them.
          </Empty>
        }
      >
        {({ results }) => (
          <>
            <Group mb="md">
              <SearchInput label="Search cohorts" value={search} onSearch={(text) => setSearch({ search: text })} />
            </Group>
            <CohortTable
              cohorts={results.filter(
                (cohort) =>
                  !cohort.deleted &&
                  cohortName(cohort)
                    .toLowerCase()
                    .includes((search ?? '').toLowerCase()),
              )}
            />
          </>
        )}
      </Panel>
    </>
  );
}

function CohortTable({ cohorts }: { cohorts: readonly Cohort[] }) {
  const projectId = String(useProjectId());
  if (cohorts.length === 0) return <Text c="dimmed">No cohort matches.</Text>;
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>People</Table.Th>
          <Table.Th visibleFrom="sm">Counted</Table.Th>
          <Table.Th w={44} aria-label="Actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {cohorts.map((cohort) => (
          <Table.Tr key={cohort.id}>
            <Table.Td className="breakable" dir="auto">
              <Group gap="xs">
                <LinkText
                  fw={600}
                  size="sm"
                  to="/project/$projectId/cohorts/$cohortId"
                  params={{ projectId, cohortId: String(cohort.id) }}
                >
                  {cohortName(cohort)}
                </LinkText>
                {cohort.is_static && (
                  <Badge variant="default" tt="none">
                    static
                  </Badge>
                )}
              </Group>
              {cohort.description && (
                <Text size="sm" c="dimmed" lineClamp={2}>
                  {cohort.description}
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              <CohortCount cohort={cohort} />
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Text size="sm" component="div">
                <Age at={cohort.last_calculation} />
              </Text>
            </Table.Td>
            <Table.Td>
              <CohortMenu cohort={cohort} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

export function CohortCount({ cohort }: { cohort: Cohort }) {
  if (cohort.is_calculating) {
    return (
      <Group gap={6} wrap="nowrap">
        <Loader size={14} />
        <Text size="sm">counting</Text>
      </Group>
    );
  }
  if (cohort.count === null) return <Text size="sm">{cohort.errors_calculating > 0 ? 'failed' : 'not counted'}</Text>;
  return <Text size="sm">{formatNumber(cohort.count)}</Text>;
}

function CohortMenu({ cohort }: { cohort: Cohort }) {
  const copy = useCopyAsStatic();
  const remove = useDeleteCohort(cohort.id);
  const name = cohortName(cohort);
  return (
    <RowMenu label={`Actions for ${name}`}>
      {!cohort.is_static && (
        <Menu.Item leftSection={<IconCopy size={14} />} onClick={() => copy.mutate(cohort.id)}>
          Copy as static: those who are in it now
        </Menu.Item>
      )}
      <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={() => remove(name)}>
        Delete
      </Menu.Item>
    </RowMenu>
  );
}
