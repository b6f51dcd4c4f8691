// Events the moment they are accepted, with what became of each.
import { Badge, Button, Group, Select, Table, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useProjectId, useTimeZone } from '../../api/use-project.ts';
import { formatMoment, formatNumber } from '../../ui/format.ts';
import { LinkText } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Failure } from '../../ui/Panel.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { SubNav } from '../../ui/SubNav.tsx';
import { usePageSearch } from '../../ui/use-page-search.ts';
import { eventPages } from './areas.ts';
import { FEED_MAX, type FeedFilter, type FeedLine, fateOf, matchFeed } from './live-feed.ts';
import { useLiveFeed } from './use-live-feed.ts';

export function LivePage() {
  const projectId = useProjectId();
  const [filter, setFilter] = usePageSearch<FeedFilter>();
  const [isPaused, setPaused] = useState(false);
  const { feed, isConnected, failure, clear } = useLiveFeed(projectId, isPaused);
  const shown = matchFeed(feed.lines, filter);
  return (
    <>
      <PageHeader title="Live events" about="Every event the moment it is accepted, and what became of it.">
        <Button variant="default" onClick={clear}>
          Clear
        </Button>
        <Button
          leftSection={isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
          onClick={() => setPaused(!isPaused)}
        >
          {isPaused ? 'Go on' : 'Pause'}
        </Button>
      </PageHeader>
      <SubNav label="Events" projectId={projectId} pages={eventPages} />
      <Group mb="md" gap="sm">
        <SearchInput
          label="Event name contains"
          placeholder="Event name"
          value={filter.event}
          onSearch={(event) => setFilter({ event })}
        />
        <SearchInput
          label="Distinct id contains"
          placeholder="Distinct id"
          value={filter.person}
          onSearch={(person) => setFilter({ person })}
        />
        <Select
          aria-label="What became of it"
          placeholder="Any fate"
          w={140}
          clearable
          data={['stored', 'dropped', 'waiting']}
          value={filter.fate ?? null}
          onChange={(fate) => setFilter({ fate: (fate ?? undefined) as FeedFilter['fate'] })}
        />
        <Connection isConnected={isConnected} isPaused={isPaused} />
      </Group>
      {failure !== undefined && <Failure error={failure} />}
      {shown.length === 0 ? (
        <Text c="dimmed" role="status">
          {feed.lines.length === 0 ? 'Waiting for the next event…' : 'None of the latest events fits the filters.'}
        </Text>
      ) : (
        <FeedTable lines={shown} />
      )}
      <Text size="xs" c="dimmed" mt="sm">
        The latest {formatNumber(FEED_MAX)} are kept here.
        {feed.passedOver > 0 &&
          ` ${formatNumber(feed.passedOver)} came too quickly to be shown; they are stored all the same.`}
      </Text>
    </>
  );
}

function Connection({ isConnected, isPaused }: { isConnected: boolean; isPaused: boolean }) {
  const text = isPaused ? 'Paused' : isConnected ? 'Connected' : 'Connecting…';
  return (
    <Badge variant="dot" color={isConnected && !isPaused ? 'teal' : 'gray'} tt="none" role="status">
      {text}
    </Badge>
  );
}

const COLORS = { stored: 'teal', dropped: 'red', waiting: 'gray' } as const;
const NAME_MAX = 200;

function FeedTable({ lines }: { lines: readonly FeedLine[] }) {
  const projectId = String(useProjectId());
  const timeZone = useTimeZone();
  return (
    <Table verticalSpacing={6} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Event</Table.Th>
          <Table.Th>Person</Table.Th>
          <Table.Th w={120}>Fate</Table.Th>
          <Table.Th w={190} visibleFrom="sm">
            Accepted
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line) => (
          <Table.Tr key={line.key}>
            <Table.Td className="breakable" dir="auto">
              {line.kind === 'event' && line.fate === 'stored' ? (
                <LinkText size="sm" to="/project/$projectId/events/$eventId" params={{ projectId, eventId: line.uuid }}>
                  {line.event.slice(0, NAME_MAX)}
                </LinkText>
              ) : (
                <Text size="sm">{line.event?.slice(0, NAME_MAX) ?? 'without a name'}</Text>
              )}
            </Table.Td>
            <Table.Td className="breakable" dir="auto">
              <Text size="sm">{line.distinct_id?.slice(0, NAME_MAX) ?? 'nobody'}</Text>
            </Table.Td>
            <Table.Td>
              <Badge variant="dot" color={COLORS[fateOf(line)]} tt="none">
                {fateOf(line)}
              </Badge>
              {line.reason && (
                <Text size="xs" c="dimmed" className="breakable">
                  {line.reason.replaceAll('_', ' ')}
                  {line.kind === 'left_out' && line.count > 1 && ` (${formatNumber(line.count)})`}
                </Text>
              )}
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Text size="sm">{formatMoment(line.accepted_at, timeZone)}</Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
