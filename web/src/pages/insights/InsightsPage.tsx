// All insights that were saved, newest change first.
import { ActionIcon, Badge, Chip, Group, Menu, Pagination, Select, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChartLine, IconPlus, IconSearch, IconStar, IconStarFilled, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import {
  INSIGHTS_PAGE,
  type Insight,
  insightsQuery,
  useChangeInsight,
  useDeleteInsight,
} from '../../api/use-insights.ts';
import { useProjectId } from '../../api/use-project.ts';
import { kindLabels, kinds } from '../../query/defaults.ts';
import { insightName } from '../../query/insight-name.ts';
import { type InsightKind, sourceOf } from '../../query/nodes.ts';
import type { InsightListSearch } from '../../routes/insights.ts';
import { formatAge } from '../../ui/format.ts';
import { LinkButton, LinkText } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';

const SEARCH_MS = 200;

export function InsightsPage() {
  const projectId = useProjectId();
  const search = useSearch({ strict: false }) as InsightListSearch;
  const navigate = useNavigate();
  const [settled] = useDebouncedValue(search.search, SEARCH_MS);
  const page = search.page ?? 1;
  const kind = search.kind === undefined ? undefined : kindLabels[search.kind as InsightKind]?.legacy;
  const insights = useQuery(
    insightsQuery(projectId, {
      search: settled,
      kind,
      favorited: search.favorited,
      mine: search.mine,
      offset: (page - 1) * INSIGHTS_PAGE,
    }),
  );
  const setSearch = (change: { [Field in keyof InsightListSearch]?: InsightListSearch[Field] | undefined }) =>
    void navigate({
      to: '.',
      search: (before: InsightListSearch) => ({ ...before, page: undefined, ...change }) as InsightListSearch,
      replace: true,
    });
  const isFiltered = Boolean(search.search || search.kind || search.favorited || search.mine);

  return (
    <>
      <PageHeader title="Insights" about="Questions that you ask of your events, and their answers.">
        <NewInsightButton projectId={projectId} />
      </PageHeader>
      <Group mb="md" gap="sm">
        <TextInput
          aria-label="Search insights"
          placeholder="Search"
          leftSection={<IconSearch size={16} />}
          value={search.search ?? ''}
          onChange={({ currentTarget }) => setSearch({ search: currentTarget.value || undefined })}
        />
        <Select
          aria-label="Kind of insight"
          placeholder="Every kind"
          clearable
          w={150}
          data={kinds.map((value) => ({ value, label: kindLabels[value].label }))}
          value={search.kind ?? null}
          onChange={(value) => setSearch({ kind: value ?? undefined })}
        />
        <Chip
          size="sm"
          checked={search.favorited === true}
          onChange={(on) => setSearch({ favorited: on || undefined })}
        >
          Favourites
        </Chip>
        <Chip size="sm" checked={search.mine === true} onChange={(on) => setSearch({ mine: on || undefined })}>
          Mine
        </Chip>
      </Group>
      <Panel
        query={insights}
        isEmpty={({ results }) => results.length === 0}
        empty={
          isFiltered ? (
            <Text c="dimmed">No insight matches.</Text>
          ) : (
            <Empty
              icon={<IconChartLine size={28} />}
              title="No insight yet"
              action={<NewInsightButton projectId={projectId} />}
            >
              Ask how often something happens, how far people come, or who comes back.
            </Empty>
          )
        }
      >
        {({ results, count }) => (
          <>
            <InsightTable insights={results} />
            {count > INSIGHTS_PAGE && (
              <Pagination
                mt="md"
                value={page}
                total={Math.ceil(count / INSIGHTS_PAGE)}
                onChange={(value) => setSearch({ page: value })}
                getControlProps={(control) => ({ 'aria-label': `${control} page` })}
              />
            )}
          </>
        )}
      </Panel>
    </>
  );
}

const NewInsightButton = ({ projectId }: { projectId: number }) => (
  <LinkButton
    to="/project/$projectId/insights/new"
    params={{ projectId: String(projectId) }}
    leftSection={<IconPlus size={16} />}
  >
    New insight
  </LinkButton>
);

function InsightTable({ insights }: { insights: readonly Insight[] }) {
  return (
    <Table highlightOnHover verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={44} aria-label="Favourite" />
          <Table.Th>Name</Table.Th>
          <Table.Th visibleFrom="sm">Kind</Table.Th>
          <Table.Th visibleFrom="sm">Changed</Table.Th>
          <Table.Th w={44} aria-label="Actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {insights.map((insight) => (
          <InsightRow key={insight.id} insight={insight} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function InsightRow({ insight }: { insight: Insight }) {
  const projectId = useProjectId();
  const change = useChangeInsight();
  const remove = useDeleteInsight();
  const name = insightName(insight);
  const kind = insight.query && kindLabels[sourceOf(insight.query).kind];
  return (
    <Table.Tr>
      <Table.Td>
        <ActionIcon
          variant="subtle"
          color={insight.favorited ? undefined : 'gray'}
          aria-label={insight.favorited ? `${name} is a favourite` : `Make ${name} a favourite`}
          aria-pressed={insight.favorited}
          onClick={() => change.mutate({ id: insight.id, favorited: !insight.favorited })}
        >
          {insight.favorited ? <IconStarFilled size={16} /> : <IconStar size={16} />}
        </ActionIcon>
      </Table.Td>
      <Table.Td className="breakable">
        <LinkText
          to="/project/$projectId/insights/$insightId"
          params={{ projectId: String(projectId), insightId: String(insight.id) }}
          fw={600}
        >
          {name}
        </LinkText>
        {insight.description && (
          <Text size="sm" c="dimmed" lineClamp={1}>
            {insight.description}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Badge variant="default" tt="none">
          {kind?.label ?? 'older form'}
        </Badge>
      </Table.Td>
      <Table.Td visibleFrom="sm">{formatAge(insight.last_modified_at)}</Table.Td>
      <Table.Td>
        <RowMenu label={`Actions for ${name}`}>
          <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={() => remove(insight.id, name)}>
            Delete
          </Menu.Item>
        </RowMenu>
      </Table.Td>
    </Table.Tr>
  );
}
