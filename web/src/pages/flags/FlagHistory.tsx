// Who changed what, newest first.
import { Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Activity, type Flag, flagActivityQuery } from '../../api/use-flags.ts';
import { useProjectId } from '../../api/use-project.ts';
import { Age } from '../../ui/Age.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Value } from '../../ui/Value.tsx';

export function FlagHistory({ flag }: { flag: Flag }) {
  const activity = useQuery(flagActivityQuery(useProjectId(), flag.id));
  return (
    <Panel
      query={activity}
      isEmpty={({ results }) => results.length === 0}
      empty={<Text c="dimmed">Nothing was changed yet.</Text>}
    >
      {({ results }) => (
        <Table verticalSpacing="sm" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="26%">Who and when</Table.Th>
              <Table.Th>What</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {results.map((entry) => (
              <ActivityRow key={entry.id} entry={entry} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  );
}

function ActivityRow({ entry: { user, activity, detail, created_at } }: { entry: Activity }) {
  return (
    <Table.Tr>
      <Table.Td className="breakable">
        <Text size="sm">{user ? user.first_name || user.email : 'the program'}</Text>
        <Text size="xs" c="dimmed" component="div">
          <Age at={created_at} />
        </Text>
      </Table.Td>
      <Table.Td>
        {(detail.changes ?? []).length === 0 ? (
          <Text size="sm">{activity}</Text>
        ) : (
          <Stack gap={6}>
            {detail.changes?.map(({ field, before, after }) => (
              <div key={field}>
                <Text size="sm" fw={600}>
                  {field === 'name' ? 'description' : field.replaceAll('_', ' ')}
                </Text>
                <Value value={before} /> → <Value value={after} />
              </div>
            ))}
          </Stack>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
