// The list of flags, with whether and when each is asked for.
import { Badge, Group, Menu, Select, Switch, Table, Text, Tooltip } from '@mantine/core';
import { IconFlag, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Flag, flagsQuery, useChangeFlag, useDeleteFlag } from '../../api/use-flags.ts';
import { useProjectId } from '../../api/use-project.ts';
import { Age } from '../../ui/Age.tsx';
import { LinkButton, LinkText } from '../../ui/links.tsx';
import { showUndo } from '../../ui/messages.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { usePageSearch } from '../../ui/use-page-search.ts';
import { describeRelease, statusAbout, statusColor, statusName } from './describe-flag.ts';
import { type FlagSearch, matchFlags } from './match-flags.ts';

export function FlagsPage() {
  const projectId = useProjectId();
  const [search, setSearch] = usePageSearch<FlagSearch>();
  const flags = useQuery(flagsQuery(projectId));
  const newFlag = (
    <LinkButton
      to="/project/$projectId/flags/new"
      params={{ projectId: String(projectId) }}
      leftSection={<IconPlus size={16} />}
    >
      New flag
    </LinkButton>
  );
  return (
    <>
      <PageHeader title="Feature flags" about="Switches in your code that you turn here, for some people or for all.">
        {newFlag}
      </PageHeader>
      <Panel
        query={flags}
        isEmpty={({ count }) => count === 0}
        empty={
          <Empty icon={<IconFlag size={28} />} title="No flag yet" action={newFlag}>
            Put <code>isFeatureEnabled('new-checkout')</code> around new code, release it, and open it here: to your
            team, to one in ten, to everybody. Closing it again takes a second.
          </Empty>
        }
      >
        {({ results }) => (
          <>
            <Group mb="md" gap="sm">
              <SearchInput
                label="Search flags"
                value={search.search}
                onSearch={(text) => setSearch({ search: text })}
              />
              <Select
                aria-label="State"
                placeholder="Any state"
                w={140}
                clearable
                data={[
                  { value: 'ACTIVE', label: 'On' },
                  { value: 'INACTIVE', label: 'Off' },
                  { value: 'STALE', label: 'Stale' },
                ]}
                value={search.status ?? null}
                onChange={(status) => setSearch({ status: (status ?? undefined) as FlagSearch['status'] })}
              />
            </Group>
            <FlagTable flags={matchFlags(results, search)} />
          </>
        )}
      </Panel>
    </>
  );
}

function FlagTable({ flags }: { flags: readonly Flag[] }) {
  if (flags.length === 0) return <Text c="dimmed">No flag matches.</Text>;
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={60}>On</Table.Th>
          <Table.Th>Key</Table.Th>
          <Table.Th visibleFrom="sm">Release</Table.Th>
          <Table.Th visibleFrom="sm">Last asked for</Table.Th>
          <Table.Th visibleFrom="md">Changed</Table.Th>
          <Table.Th w={44} aria-label="Actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {flags.map((flag) => (
          <FlagRow key={flag.id} flag={flag} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function FlagRow({ flag }: { flag: Flag }) {
  const projectId = String(useProjectId());
  const change = useChangeFlag(flag.id);
  const toggle = () =>
    change.mutate(
      { active: !flag.active },
      {
        onSuccess: () =>
          showUndo(`“${flag.key}” was switched ${flag.active ? 'off' : 'on'}.`, () =>
            change.mutateAsync({ active: flag.active }),
          ),
      },
    );
  return (
    <Table.Tr>
      <Table.Td>
        <Switch aria-label={`${flag.key} is on`} checked={flag.active} onChange={toggle} withThumbIndicator={false} />
      </Table.Td>
      <Table.Td className="breakable">
        <Group gap="xs">
          <LinkText
            fw={600}
            size="sm"
            to="/project/$projectId/flags/$flagId"
            params={{ projectId, flagId: String(flag.id) }}
          >
            {flag.key}
          </LinkText>
          {flag.status === 'STALE' && (
            <Tooltip label={statusAbout.STALE} multiline w={260}>
              <Badge variant="default" tt="none" tabIndex={0}>
                {statusName.STALE}
              </Badge>
            </Tooltip>
          )}
          {flag.tags.map((tag) => (
            <Badge key={tag} variant="default" tt="none">
              {tag}
            </Badge>
          ))}
        </Group>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {describeRelease(flag)}
        </Text>
        {flag.name && (
          <Text size="sm" c="dimmed" lineClamp={2} dir="auto">
            {flag.name}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">{describeRelease(flag)}</Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm" component="div">
          <Age at={flag.last_called_at} />
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm" component="div">
          <Age at={flag.updated_at} />
        </Text>
      </Table.Td>
      <Table.Td>
        <Actions flag={flag} />
      </Table.Td>
    </Table.Tr>
  );
}

function Actions({ flag }: { flag: Flag }) {
  const remove = useDeleteFlag(flag.id);
  return (
    <RowMenu label={`Actions for ${flag.key}`}>
      <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={() => remove(flag.key)}>
        Delete
      </Menu.Item>
    </RowMenu>
  );
}

export function FlagStatusBadge({ flag }: { flag: Pick<Flag, 'status'> }) {
  return (
    <Tooltip label={statusAbout[flag.status]} multiline w={260}>
      <Badge variant="dot" color={statusColor[flag.status]} tt="none" tabIndex={0}>
        {statusName[flag.status]}
      </Badge>
    </Tooltip>
  );
}
