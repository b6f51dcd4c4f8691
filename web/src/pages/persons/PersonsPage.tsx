// Everybody who did something: searched by name, e-mail or distinct id, filtered by what is known of them.
import { Group } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { resultsOf } from '../../api/next-page.ts';
import { type PersonSearch, personsQuery } from '../../api/use-persons.ts';
import { useProjectId } from '../../api/use-project.ts';
import { PersonFilters } from '../../pickers/PersonFilters.tsx';
import { isFilterComplete } from '../../pickers/person-filter.ts';
import { LinkButton } from '../../ui/links.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { SubNav } from '../../ui/SubNav.tsx';
import { usePageSearch } from '../../ui/use-page-search.ts';
import { usePeoplePages } from './areas.ts';
import { PersonTable } from './PersonTable.tsx';

export function PersonsPage() {
  const projectId = useProjectId();
  const [search, setSearch] = usePageSearch<PersonSearch>();
  const filters = search.properties ?? [];
  const persons = useInfiniteQuery(
    personsQuery(projectId, { search: search.search, properties: filters.filter(isFilterComplete) }),
  );
  return (
    <>
      <PageHeader title="People" about="Everybody who did something, newest first." />
      <SubNav label="People" projectId={projectId} pages={usePeoplePages(projectId)} />
      <Group mb="md" gap="sm" align="flex-start">
        <SearchInput
          label="Search people"
          placeholder="Name, e-mail or distinct id"
          value={search.search}
          onSearch={(text) => setSearch({ search: text })}
        />
        <PersonFilters
          filters={filters}
          onChange={(properties) => setSearch({ properties: properties.length > 0 ? properties : undefined })}
        />
      </Group>
      <Panel
        query={persons}
        isEmpty={(data) => resultsOf(data).length === 0}
        empty={
          <Empty
            icon={<IconUsers size={28} />}
            title={search.search || filters.length > 0 ? 'Nobody matches' : 'Nobody yet'}
            action={
              <LinkButton to="/project/$projectId/welcome" params={{ projectId: String(projectId) }} variant="light">
                How to send events
              </LinkButton>
            }
          >
            A person is made from the first event of a distinct id; <code>identify</code> tells who it is.
          </Empty>
        }
      >
        {(data) => <PersonTable persons={resultsOf(data)} />}
      </Panel>
      <MoreButton query={persons} />
    </>
  );
}
