import { Button, Group, Modal, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Dashboard } from '../../api/use-dashboards.ts';
import { insightsQuery, useChangeInsight } from '../../api/use-insights.ts';
import { useProjectId } from '../../api/use-project.ts';
import { insightName } from '../../query/insight-name.ts';
import { LinkButton } from '../../ui/links.tsx';
import { Panel } from '../../ui/Panel.tsx';

const SEARCH_MS = 200;

export function AddInsightModal({ dashboard, onClose }: { dashboard: Dashboard; onClose: () => void }) {
  const projectId = useProjectId();
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search, SEARCH_MS);
  const insights = useQuery(insightsQuery(projectId, { search: settled }));
  const change = useChangeInsight();
  return (
    <Modal opened onClose={onClose} title="Add an insight" size="lg">
      <Stack>
        <LinkButton
          to="/project/$projectId/insights/new"
          params={{ projectId: String(projectId) }}
          search={{ dashboard: dashboard.id }}
          leftSection={<IconPlus size={16} />}
        >
          New insight
        </LinkButton>
        <TextInput
          label="Or one that you have"
          placeholder="Search"
          data-autofocus
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <ScrollArea.Autosize mah={360}>
          <Panel
            query={insights}
            isEmpty={({ results }) => results.length === 0}
            empty={<Text c="dimmed">No insight matches.</Text>}
          >
            {({ results }) => (
              <Stack gap={4}>
                {results.map((insight) => {
                  const isHere = insight.dashboards.includes(dashboard.id);
                  const name = insightName(insight);
                  return (
                    <Group key={insight.id} justify="space-between" wrap="nowrap">
                      <Text size="sm" className="breakable">
                        {name}
                      </Text>
                      <Button
                        size="compact-sm"
                        variant={isHere ? 'subtle' : 'light'}
                        disabled={isHere || change.isPending}
                        aria-label={isHere ? `${name} is on it` : `Add ${name}`}
                        onClick={() =>
                          change.mutate({ id: insight.id, dashboards: [...insight.dashboards, dashboard.id] })
                        }
                      >
                        {isHere ? 'On it' : 'Add'}
                      </Button>
                    </Group>
                  );
                })}
              </Stack>
            )}
          </Panel>
        </ScrollArea.Autosize>
      </Stack>
    </Modal>
  );
}
