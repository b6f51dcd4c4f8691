// Groups of one type: companies, teams, whatever people belong to together.
import { Group as Row, Table, Text } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { resultsOf } from '../../api/next-page.ts';
import { type Group, groupsQuery } from '../../api/use-groups.ts';
import { useProjectId } from '../../api/use-project.ts';
import { Age } from '../../ui/Age.tsx';
import { LinkText } from '../../ui/links.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { SubNav } from '../../ui/SubNav.tsx';
import { usePageSearch } from '../../ui/use-page-search.ts';
import { toText } from '../../ui/Value.tsx';
import { usePeoplePages } from '../persons/areas.ts';

const NAME_MAX = 200;

/** Its name, when it has one, else its key. */
export const groupName = ({ group_properties: { name }, group_key }: Group) =>
  (typeof name === 'string' && name !== '' ? name : group_key).slice(0, NAME_MAX);

export function GroupsPage() {
  const projectId = useProjectId();
  const { groupTypeIndex } = useParams({ strict: false }) as { groupTypeIndex?: string };
  const index = Number(groupTypeIndex);
  const [{ search }, setSearch] = usePageSearch<{ search?: string | undefined }>();
  const groups = useInfiniteQuery(groupsQuery(projectId, index, search));
  return (
    <>
      <PageHeader title="Groups" about="Whatever people belong to together, by its key." />
      <SubNav label="People" projectId={projectId} pages={usePeoplePages(projectId, index)} />
      <Row mb="md">
        <SearchInput
          label="Search groups"
          placeholder="Key or name"
          value={search}
          onSearch={(text) => setSearch({ search: text })}
        />
      </Row>
      <Panel
        query={groups}
        isEmpty={(data) => resultsOf(data).length === 0}
        empty={
          <Empty icon={<IconBuilding size={28} />} title={search ? 'No group matches' : 'No groups of this type'}>
            Send <code>$groups</code> with an event, or call <code>group()</code> in an SDK, and they appear here.
          </Empty>
        }
      >
        {(data) => <GroupTable groups={resultsOf(data)} />}
      </Panel>
      <MoreButton query={groups} />
    </>
  );
}

function GroupTable({ groups }: { groups: readonly Group[] }) {
  const projectId = String(useProjectId());
  return (
    <Table verticalSpacing="xs" layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th visibleFrom="sm">Key</Table.Th>
          <Table.Th w={130}>First seen</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {groups.map((group) => (
          <Table.Tr key={group.group_key}>
            <Table.Td className="breakable" dir="auto">
              <LinkText
                size="sm"
                fw={600}
                to="/project/$projectId/groups/$groupTypeIndex/$groupKey"
                params={{
                  projectId,
                  groupTypeIndex: String(group.group_type_index),
                  groupKey: group.group_key,
                }}
              >
                {groupName(group)}
              </LinkText>
            </Table.Td>
            <Table.Td className="breakable" visibleFrom="sm">
              <Text size="sm" c="dimmed" lineClamp={2}>
                {toText(group.group_key)}
              </Text>
            </Table.Td>
            <Table.Td>
              <Text size="sm" component="div">
                <Age at={group.created_at} />
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
