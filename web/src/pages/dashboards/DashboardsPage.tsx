// The list of dashboards: searched while one types, kept in the address so that a search can be sent to somebody.
import { ActionIcon, Badge, Chip, Group, Menu, Table, Text, TextInput, Tooltip } from '@mantine/core';
import {
  IconCopy,
  IconLayoutDashboard,
  IconLock,
  IconPin,
  IconPinFilled,
  IconPlus,
  IconSearch,
  IconTrash,
  IconWorld,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Page } from '../../api/client.ts';
import {
  type DashboardBasic,
  dashboardsQuery,
  useChangeDashboard,
  useCreateDashboard,
  useDeleteDashboard,
} from '../../api/use-dashboards.ts';
import { useProjectId, useTimeZone } from '../../api/use-project.ts';
import { formatDate } from '../../ui/format.ts';
import { LinkButton, LinkText } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { Scroll } from '../../ui/Scroll.tsx';
import { type DashboardSearch, matchDashboards } from './match-dashboards.ts';

export function DashboardsPage() {
  const projectId = useProjectId();
  const search = useSearch({ strict: false }) as DashboardSearch;
  const navigate = useNavigate();
  const query = useQuery(dashboardsQuery(projectId));
  const setSearch = (change: DashboardSearch) =>
    void navigate({ to: '.', search: (before: DashboardSearch) => ({ ...before, ...change }), replace: true });

  return (
    <>
      <PageHeader title="Dashboards" about="Charts side by side, for a question you ask again and again.">
        <NewDashboardButton />
      </PageHeader>
      <Panel
        query={query}
        isEmpty={(page) => page.count === 0}
        empty={
          <Empty icon={<IconLayoutDashboard size={28} />} title="No dashboard yet" action={<NewDashboardButton />}>
            A dashboard keeps the charts you look at every day in one place, with one date range for all of them.
          </Empty>
        }
      >
        {(page) => <DashboardList page={page} search={search} onSearch={setSearch} />}
      </Panel>
    </>
  );
}

function NewDashboardButton() {
  const projectId = String(useProjectId());
  return (
    <LinkButton to="/project/$projectId/dashboards/new" params={{ projectId }} leftSection={<IconPlus size={16} />}>
      New dashboard
    </LinkButton>
  );
}

interface ListProps {
  page: Page<DashboardBasic>;
  search: DashboardSearch;
  onSearch: (change: DashboardSearch) => void;
}

function DashboardList({ page, search, onSearch }: ListProps) {
  const live = page.results.filter((dashboard) => !dashboard.deleted);
  const shown = matchDashboards(live, search);
  const tags = [...new Set(live.flatMap((dashboard) => dashboard.tags))].sort();
  return (
    <>
      <Group mb="md" gap="sm">
        <TextInput
          aria-label="Search dashboards"
          placeholder="Search"
          leftSection={<IconSearch size={16} />}
          value={search.search ?? ''}
          onChange={({ currentTarget }) => onSearch({ search: currentTarget.value || undefined })}
        />
        <Chip checked={search.pinned === true} onChange={(on) => onSearch({ pinned: on || undefined })} size="sm">
          Pinned
        </Chip>
        {tags.map((tag) => (
          <Chip
            key={tag}
            size="sm"
            checked={search.tag === tag}
            onChange={(on) => onSearch({ tag: on ? tag : undefined })}
          >
            {shorten(tag)}
          </Chip>
        ))}
      </Group>
      {shown.length === 0 ? (
        <Text c="dimmed">No dashboard matches.</Text>
      ) : (
        <Scroll label="Dashboards">
          <Table highlightOnHover verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={44} aria-label="Pinned" />
                <Table.Th>Name</Table.Th>
                <Table.Th visibleFrom="sm">Tags</Table.Th>
                <Table.Th visibleFrom="sm">Created</Table.Th>
                <Table.Th w={44} aria-label="Actions" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((dashboard) => (
                <DashboardRow key={dashboard.id} dashboard={dashboard} />
              ))}
            </Table.Tbody>
          </Table>
        </Scroll>
      )}
    </>
  );
}

const TAG_MAX = 30;
const shorten = (tag: string) => (tag.length > TAG_MAX ? `${tag.slice(0, TAG_MAX)}…` : tag);

function DashboardRow({ dashboard }: { dashboard: DashboardBasic }) {
  const projectId = useProjectId();
  const timeZone = useTimeZone();
  const change = useChangeDashboard(dashboard.id);
  const name = dashboard.name || 'Untitled';
  const author = dashboard.created_by;
  return (
    <Table.Tr>
      <Table.Td>
        <ActionIcon
          variant="subtle"
          color={dashboard.pinned ? undefined : 'gray'}
          aria-label={dashboard.pinned ? `Unpin ${name}` : `Pin ${name}`}
          onClick={() => change.mutate({ pinned: !dashboard.pinned })}
        >
          {dashboard.pinned ? <IconPinFilled size={16} /> : <IconPin size={16} />}
        </ActionIcon>
      </Table.Td>
      <Table.Td className="breakable">
        <Group gap="xs" wrap="nowrap">
          <LinkText
            to="/project/$projectId/dashboards/$dashboardId"
            params={{ projectId: String(projectId), dashboardId: String(dashboard.id) }}
            fw={600}
          >
            {name}
          </LinkText>
          {dashboard.is_shared && (
            <Tooltip label="Everyone with the link can see it">
              <IconWorld size={14} aria-label="Shared" />
            </Tooltip>
          )}
          {dashboard.restriction_level > 21 && (
            <Tooltip label="Only those invited can change it">
              <IconLock size={14} aria-label="Restricted" />
            </Tooltip>
          )}
        </Group>
        {dashboard.description && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {dashboard.description}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Group gap={4}>
          {dashboard.tags.map((tag) => (
            <Badge key={tag} variant="default" tt="none">
              {tag}
            </Badge>
          ))}
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">{formatDate(dashboard.created_at, timeZone)}</Text>
        {author && (
          <Text size="xs" c="dimmed">
            {author.first_name || author.email}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Actions dashboard={dashboard} name={name} />
      </Table.Td>
    </Table.Tr>
  );
}

function Actions({ dashboard, name }: { dashboard: DashboardBasic; name: string }) {
  const create = useCreateDashboard();
  const remove = useDeleteDashboard(dashboard.id);
  const canEdit = dashboard.effective_privilege_level >= 37;
  return (
    <RowMenu label={`Actions for ${name}`}>
      <Menu.Item
        leftSection={<IconCopy size={14} />}
        onClick={() => create.mutate({ name: `${name} (Copy)`, use_dashboard: dashboard.id, duplicate_tiles: true })}
      >
        Duplicate
      </Menu.Item>
      <Menu.Item color="red" disabled={!canEdit} leftSection={<IconTrash size={14} />} onClick={() => remove(name)}>
        Delete
      </Menu.Item>
    </RowMenu>
  );
}
