// What every flag is for this person, and why.
import { Badge, Select, Stack, Table, Text } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { evaluationsQuery } from '../../api/use-flags.ts';
import type { Person } from '../../api/use-persons.ts';
import { useProjectId } from '../../api/use-project.ts';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { reasonText } from '../flags/reasons.ts';

export function PersonFlags({ person }: { person: Person }) {
  const projectId = useProjectId();
  const [id, setId] = useState(person.distinct_ids[0] ?? '');
  const evaluations = useQuery({ ...evaluationsQuery(projectId, id), enabled: id !== '' });
  return (
    <Stack>
      {person.distinct_ids.length > 1 && (
        <Select
          label="As seen by the device with this distinct id"
          maw={420}
          data={person.distinct_ids}
          value={id}
          allowDeselect={false}
          onChange={(value) => setId(value ?? '')}
        />
      )}
      <Panel
        query={evaluations}
        isEmpty={(found) => Object.keys(found).length === 0}
        empty={
          <Empty icon={<IconFlag size={28} />} title="No flags yet">
            Once there are flags, this tells what each is for this person, and why.
          </Empty>
        }
      >
        {(found) => (
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Flag</Table.Th>
                <Table.Th>Value</Table.Th>
                <Table.Th>Because</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {Object.entries(found).map(([key, { value, evaluation }]) => (
                <Table.Tr key={key}>
                  <Table.Td className="breakable">{key}</Table.Td>
                  <Table.Td>
                    <Badge variant="dot" color={value === false ? 'gray' : 'teal'} tt="none">
                      {String(value)}
                    </Badge>
                  </Table.Td>
                  <Table.Td>
                    <Text size="sm">{reasonText(evaluation)}</Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Panel>
    </Stack>
  );
}
