// A new dashboard: an empty one, or one from the gallery of templates.
import { Badge, Button, Card, Group, SimpleGrid, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type DashboardDraft, useCreateDashboard } from '../../api/use-dashboards.ts';
import { useProjectId } from '../../api/use-project.ts';
import { templatesQuery } from '../../api/use-templates.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';

const SEARCH_MS = 200;

/** One template goes by a name that programs know it by. */
const titleOf = (name: string) => (name === 'DEFAULT_APP' ? 'Product analytics' : name);

export function NewDashboardPage() {
  const projectId = useProjectId();
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search, SEARCH_MS);
  const templates = useQuery({ ...templatesQuery(projectId, settled), placeholderData: keepPreviousData });
  const create = useCreateDashboard();
  const navigate = useNavigate();
  const make = (draft: DashboardDraft) =>
    create.mutate(draft, {
      onSuccess: ({ id }) =>
        navigate({
          to: '/project/$projectId/dashboards/$dashboardId',
          params: { projectId: String(projectId), dashboardId: String(id) },
        }),
    });

  return (
    <>
      <PageHeader title="New dashboard" about="Begin with nothing, or with charts that others found useful.">
        <Button
          leftSection={<IconPlus size={16} />}
          loading={create.isPending}
          onClick={() => make({ name: 'New dashboard' })}
        >
          Empty dashboard
        </Button>
      </PageHeader>
      <TextInput
        mb="md"
        maw={320}
        aria-label="Search templates"
        placeholder="Search templates"
        leftSection={<IconSearch size={16} />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <Panel
        query={templates}
        isEmpty={({ count }) => count === 0}
        empty={<Text c="dimmed">No template matches.</Text>}
      >
        {({ results }) => (
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            {results.map(({ id, template_name, dashboard_description, tags, tiles }) => (
              <Card key={id} withBorder>
                <Group justify="space-between" mb="xs" wrap="nowrap" align="flex-start">
                  <Title order={2} size="h5" className="breakable">
                    {titleOf(template_name)}
                  </Title>
                  <Badge variant="default" tt="none">
                    {tiles?.length ?? 0} tiles
                  </Badge>
                </Group>
                <Text size="sm" c="dimmed" flex={1} mb="md" className="breakable">
                  {dashboard_description}
                </Text>
                <Group justify="space-between">
                  <Group gap={4}>
                    {tags.map((tag) => (
                      <Badge key={tag} variant="light" tt="none">
                        {tag}
                      </Badge>
                    ))}
                  </Group>
                  <Button
                    size="xs"
                    variant="light"
                    disabled={create.isPending}
                    aria-label={`Use ${titleOf(template_name)}`}
                    onClick={() => make({ name: titleOf(template_name), use_template: template_name })}
                  >
                    Use
                  </Button>
                </Group>
              </Card>
            ))}
          </SimpleGrid>
        )}
      </Panel>
    </>
  );
}
