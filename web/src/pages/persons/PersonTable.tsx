import { Badge, Group, Table, Text } from '@mantine/core';
import type { ListedPerson } from '../../api/use-persons.ts';
import { useProjectId } from '../../api/use-project.ts';
import { Age } from '../../ui/Age.tsx';
import { LinkText } from '../../ui/links.tsx';

const NAME_MAX = 200;

export function PersonTable({ persons }: { persons: readonly ListedPerson[] }) {
  const projectId = String(useProjectId());
  return (
    <Table verticalSpacing="xs" layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th visibleFrom="sm">Distinct ids</Table.Th>
          <Table.Th w={130}>First seen</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {persons.map(({ uuid, name, distinct_ids, created_at, is_identified }) => (
          <Table.Tr key={uuid}>
            <Table.Td className="breakable" dir="auto">
              <Group gap="xs">
                <LinkText
                  size="sm"
                  fw={600}
                  to="/project/$projectId/persons/$personId"
                  params={{ projectId, personId: uuid }}
                >
                  {name.slice(0, NAME_MAX)}
                </LinkText>
                {/* Whoever is known by more than an id is hardly unknown. */}
                {!is_identified && distinct_ids.includes(name) && (
                  <Badge variant="default" tt="none">
                    anonymous
                  </Badge>
                )}
              </Group>
            </Table.Td>
            <Table.Td className="breakable" visibleFrom="sm">
              <Text size="sm" c="dimmed" lineClamp={2}>
                {distinct_ids[0]?.slice(0, NAME_MAX)}
                {distinct_ids.length > 1 && ` and ${distinct_ids.length - 1} more`}
              </Text>
            </Table.Td>
            <Table.Td>
              <Text size="sm" component="div">
                <Age at={created_at} />
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
