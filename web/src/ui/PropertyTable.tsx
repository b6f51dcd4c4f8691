// Properties, one a line, searched when there are many.
import { Table, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { matchProperties } from './match-properties.ts';
import { Value } from './Value.tsx';

const SEARCH_FROM = 12;

interface PropertyTableProps {
  properties: Readonly<Record<string, unknown>>;
  /** Buttons at the end of a line. */
  actions?: (name: string, value: unknown) => ReactNode;
}

export function PropertyTable({ properties, actions }: PropertyTableProps) {
  const [search, setSearch] = useState('');
  const all = Object.entries(properties);
  const shown = matchProperties(all, search);
  if (all.length === 0) return <Text c="dimmed">No properties.</Text>;
  return (
    <>
      {all.length >= SEARCH_FROM && (
        <TextInput
          aria-label="Search properties"
          placeholder="Search properties"
          size="xs"
          mb="xs"
          maw={320}
          leftSection={<IconSearch size={14} />}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      <Table layout="fixed" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="36%">Property</Table.Th>
            <Table.Th>Value</Table.Th>
            {actions && <Table.Th w={96} aria-label="Actions" />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Td className="breakable" dir="auto">
                {name}
              </Table.Td>
              <Table.Td>
                <Value value={value} />
              </Table.Td>
              {actions && <Table.Td ta="right">{actions(name, value)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {shown.length === 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          No property matches.
        </Text>
      )}
    </>
  );
}
