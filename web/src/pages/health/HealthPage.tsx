// Is everything well? What became of events, what people are warned of, and how the program itself is.
import { Alert, Paper, Select, SimpleGrid, Stack, Text, Title, useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Ingestion, ingestionQuery } from '../../api/use-ingestion.ts';
import { useProjectId, useTimeZone } from '../../api/use-project.ts';
import { Chart } from '../../charts/Chart.tsx';
import { timeOption } from '../../charts/option.ts';
import { formatBytes, formatNumber } from '../../ui/format.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { usePageSearch } from '../../ui/use-page-search.ts';
import { Engines } from './Engines.tsx';
import { ingestionSeries } from './ingestion-series.ts';
import { Warnings } from './Warnings.tsx';

const TIMES = [
  { value: '-24h', label: 'Last 24 hours' },
  { value: '-72h', label: 'Last 3 days' },
  { value: '-7d', label: 'Last 7 days' },
  { value: '-30d', label: 'Last 30 days' },
];
const DEFAULT_TIME = '-24h';

export function HealthPage() {
  const projectId = useProjectId();
  const [search, setSearch] = usePageSearch<{ from?: string | undefined; warning?: string | undefined }>();
  const from = search.from ?? DEFAULT_TIME;
  const ingestion = useQuery(ingestionQuery(projectId, from));
  return (
    <>
      <PageHeader title="Health" about="Every accepted event is stored, dropped for a reason, or still on its way.">
        <Select
          aria-label="Time"
          w={150}
          allowDeselect={false}
          data={TIMES}
          value={from}
          onChange={(value) => setSearch({ from: value === DEFAULT_TIME ? undefined : (value ?? undefined) })}
        />
      </PageHeader>
      <Stack gap="xl">
        <Panel query={ingestion}>{(found) => <IngestionView ingestion={found} />}</Panel>
        <Warnings q={search.warning} onSearch={(warning) => setSearch({ warning })} />
        <Engines />
      </Stack>
    </>
  );
}

function IngestionView({ ingestion }: { ingestion: Ingestion }) {
  const { totals, lag, log } = ingestion;
  const dropped = Object.values(totals.dropped).reduce((sum, count) => sum + count, 0);
  return (
    <Stack>
      {log.full && (
        <Alert color="red" title="The event log is full" role="alert">
          New events are refused until there is room; SDKs send them again. Make room on the disk, or raise
          TENREC_LOG_MAX_MB.
        </Alert>
      )}
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }}>
        <Fact label="Accepted" value={formatNumber(totals.accepted)} />
        <Fact label="Stored" value={formatNumber(totals.stored)} />
        <Fact label="Dropped" value={formatNumber(dropped)} />
        <Fact
          label="Lag"
          value={lag.events === 0 ? 'none' : `${formatNumber(Math.round(lag.seconds))} s`}
          about={lag.events === 0 ? 'Nothing waits' : `${formatNumber(lag.events)} events wait`}
        />
        <Fact label="Event log" value={formatBytes(log.bytes)} about={`of ${formatBytes(log.bytes_max)} at most`} />
      </SimpleGrid>
      <FatesChart ingestion={ingestion} />
    </Stack>
  );
}

function FatesChart({ ingestion }: { ingestion: Ingestion }) {
  const timeZone = useTimeZone();
  const isDark = useComputedColorScheme('light') === 'dark';
  const toOption = useCallback(() => {
    const hour = new Intl.DateTimeFormat(undefined, { timeZone, day: 'numeric', hour: '2-digit', minute: '2-digit' });
    const day = new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', month: 'short', day: 'numeric' });
    const items = ingestionSeries(ingestion, (iso, isDay) => (isDay ? day : hour).format(new Date(iso)));
    const query = { kind: 'TrendsQuery', trendsFilter: { display: 'ActionsBar' } } as const;
    return timeOption(items, query, { isDark, isSmall: false });
  }, [ingestion, timeZone, isDark]);
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        What became of them
      </Title>
      <div style={{ height: 260 }}>
        <Chart toOption={toOption} label="Events over time: stored, waiting, and dropped by reason" />
      </div>
    </section>
  );
}

export function Fact({ label, value, about }: { label: string; value: string; about?: string }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text size="xl" fw={700} className="breakable">
        {value}
      </Text>
      {about && (
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      )}
    </Paper>
  );
}
