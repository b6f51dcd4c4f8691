// Names that were seen, and what people wrote about them: events, or properties.
import { ActionIcon, Badge, Group, SegmentedControl, Table, Text, Tooltip } from '@mantine/core';
import { IconCircleCheck, IconEyeOff, IconPencil, IconTag } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { resultsOf } from '../../api/next-page.ts';
import {
  type Definition,
  type DefinitionKind,
  type DefinitionSearch,
  definitionsQuery,
} from '../../api/use-definition-list.ts';
import { useProjectId } from '../../api/use-project.ts';
import { Age } from '../../ui/Age.tsx';
import { LinkText } from '../../ui/links.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { SubNav } from '../../ui/SubNav.tsx';
import { usePageSearch } from '../../ui/use-page-search.ts';
import { eventPages } from '../events/areas.ts';
import { DefinitionDialog } from './DefinitionDialog.tsx';

const WORDS = {
  events: { title: 'Event names', about: 'Every name that an event had, and what your team knows of it.' },
  properties: { title: 'Properties', about: 'What events and people carry with them, and of which kind it is.' },
};

export function DefinitionsPage() {
  const projectId = useProjectId();
  const { kind: named } = useParams({ strict: false }) as { kind?: string };
  const kind: DefinitionKind = named === 'properties' ? 'properties' : 'events';
  const [search, setSearch] = usePageSearch<DefinitionSearch>();
  const [edited, setEdited] = useState<Definition>();
  const definitions = useInfiniteQuery(definitionsQuery(projectId, kind, search));
  const { title, about } = WORDS[kind];
  return (
    <>
      <PageHeader title={title} about={about} />
      <SubNav label="Events" projectId={projectId} pages={eventPages} />
      <Group mb="md" gap="sm">
        <SearchInput
          key={kind}
          label={`Search ${title.toLowerCase()}`}
          value={search.search}
          onSearch={(text) => setSearch({ search: text })}
        />
        {kind === 'properties' && (
          <SegmentedControl
            aria-label="Properties of"
            value={search.type ?? 'event'}
            onChange={(type) => setSearch({ type: type === 'person' ? 'person' : undefined })}
            data={[
              { value: 'event', label: 'Of events' },
              { value: 'person', label: 'Of people' },
            ]}
          />
        )}
      </Group>
      <Panel
        query={definitions}
        isEmpty={(data) => resultsOf(data).length === 0}
        empty={
          <Empty icon={<IconTag size={28} />} title={search.search ? 'No name matches' : 'No names yet'}>
            Names appear here by themselves, with the first event that has them.
          </Empty>
        }
      >
        {(data) => <DefinitionTable kind={kind} definitions={resultsOf(data)} onEdit={setEdited} />}
      </Panel>
      <MoreButton query={definitions} />
      {edited && <DefinitionDialog kind={kind} definition={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

interface TableProps {
  kind: DefinitionKind;
  definitions: readonly Definition[];
  onEdit: (definition: Definition) => void;
}

function DefinitionTable({ kind, definitions, onEdit }: TableProps) {
  const projectId = String(useProjectId());
  return (
    <Table verticalSpacing="xs" layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th visibleFrom="sm">Description</Table.Th>
          <Table.Th w={130}>{kind === 'events' ? 'Last seen' : 'Kind'}</Table.Th>
          <Table.Th w={52} aria-label="Actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {definitions.map((definition) => (
          <Table.Tr key={definition.id}>
            <Table.Td className="breakable" dir="auto">
              <Group gap={6}>
                {kind === 'events' ? (
                  <LinkText
                    size="sm"
                    fw={600}
                    to="/project/$projectId/events"
                    params={{ projectId }}
                    search={{ event: definition.name }}
                  >
                    {definition.name}
                  </LinkText>
                ) : (
                  <Text size="sm" fw={600}>
                    {definition.name}
                  </Text>
                )}
                {definition.verified && (
                  <Tooltip label="Verified: your team vouches for it">
                    <IconCircleCheck size={16} color="var(--mantine-color-teal-6)" aria-label="Verified" />
                  </Tooltip>
                )}
                {definition.hidden && (
                  <Tooltip label="Hidden: not offered where one picks a name">
                    <IconEyeOff size={16} aria-label="Hidden" />
                  </Tooltip>
                )}
              </Group>
            </Table.Td>
            <Table.Td className="breakable" visibleFrom="sm">
              <Text size="sm" lineClamp={2}>
                {definition.description}
              </Text>
              <Group gap={4}>
                {definition.tags.map((tag) => (
                  <Badge key={tag} variant="default" tt="none">
                    {tag}
                  </Badge>
                ))}
              </Group>
            </Table.Td>
            <Table.Td>
              <Text size="sm" component="div">
                {kind === 'events' ? <Age at={definition.last_seen_at} /> : (definition.property_type ?? 'mixed')}
              </Text>
            </Table.Td>
            <Table.Td>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Describe ${definition.name}`}
                onClick={() => onEdit(definition)}
              >
                <IconPencil size={16} />
              </ActionIcon>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
