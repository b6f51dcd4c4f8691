// The parts of a question, by its kind.
import { Group, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { DateRangePicker } from '../../pickers/DateRangePicker.tsx';
import { EventPicker } from '../../pickers/EventPicker.tsx';
import { PropertyFilters } from '../../pickers/PropertyFilters.tsx';
import { displays } from '../../query/defaults.ts';
import type { Display, InsightQuery, Interval, PropertyFilter, RetentionEntity } from '../../query/nodes.ts';
import { BreakdownPicker } from './BreakdownPicker.tsx';
import { SeriesEditor } from './SeriesEditor.tsx';

interface EditorProps {
  query: InsightQuery;
  onChange: (query: InsightQuery) => void;
}

const letter = (index: number) => String.fromCharCode(65 + index);
const number = (index: number) => String(index + 1);

export function QueryEditor(props: EditorProps) {
  const { query, onChange } = props;
  return (
    <Stack gap="sm">
      <OwnPart {...props} />
      <Stack gap={6}>
        <PropertyFilters
          filters={Array.isArray(query.properties) ? (query.properties as PropertyFilter[]) : []}
          onChange={(properties) => onChange({ ...query, properties })}
          label="Filter everything"
        />
        <Switch
          size="sm"
          label="Without test accounts"
          checked={query.filterTestAccounts === true}
          onChange={({ currentTarget }) => onChange({ ...query, filterTestAccounts: currentTarget.checked })}
        />
      </Stack>
    </Stack>
  );
}

function OwnPart(props: EditorProps) {
  const { query, onChange } = props;
  const series = query.series ?? [];
  switch (query.kind) {
    case 'TrendsQuery':
      return (
        <>
          <SeriesEditor
            series={series}
            onChange={(changed) => onChange({ ...query, series: changed })}
            withMath
            mark={letter}
            addLabel="Another series"
          />
          <TrendParts {...props} />
        </>
      );
    case 'StickinessQuery':
    case 'LifecycleQuery':
      return (
        <SeriesEditor
          series={series}
          onChange={(changed) => onChange({ ...query, series: changed })}
          withMath={false}
          max={query.kind === 'LifecycleQuery' ? 1 : 10}
          mark={letter}
          addLabel="Another series"
        />
      );
    case 'FunnelsQuery':
      return (
        <>
          <SeriesEditor
            series={series}
            onChange={(changed) => onChange({ ...query, series: changed })}
            withMath={false}
            min={2}
            max={20}
            mark={number}
            addLabel="Another step"
          />
          <FunnelParts {...props} />
        </>
      );
    case 'RetentionQuery':
      return <RetentionParts {...props} />;
    case 'PathsQuery':
      return <PathsParts {...props} />;
    default:
      return null;
  }
}

function TrendParts({ query, onChange }: EditorProps) {
  const { formula = '' } = query.trendsFilter ?? {};
  const setFormula = (text: string) => {
    const { formula: _before, ...rest } = query.trendsFilter ?? {};
    onChange({ ...query, trendsFilter: text === '' ? rest : { ...rest, formula: text } });
  };
  return (
    <Group gap="xs" align="flex-end">
      <BreakdownPicker query={query} onChange={onChange} />
      <TextInput
        aria-label="Formula"
        placeholder="Formula, such as A / B"
        size="xs"
        w={180}
        value={formula}
        onChange={({ currentTarget }) => setFormula(currentTarget.value)}
      />
    </Group>
  );
}

const FUNNEL_VIEWS = [
  { value: 'steps', label: 'Steps' },
  { value: 'time_to_convert', label: 'How long it takes' },
  { value: 'trends', label: 'Conversion over time' },
];
const FUNNEL_ORDERS = [
  { value: 'ordered', label: 'In this order' },
  { value: 'strict', label: 'Directly one after the other' },
  { value: 'unordered', label: 'In any order' },
];
const WINDOW_UNITS = ['minute', 'hour', 'day', 'week', 'month'];

type FunnelsFilter = NonNullable<InsightQuery['funnelsFilter']>;

function FunnelParts({ query, onChange }: EditorProps) {
  const filter = query.funnelsFilter ?? {};
  const set = (change: Partial<FunnelsFilter>) => onChange({ ...query, funnelsFilter: { ...filter, ...change } });
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end">
        <Select
          label="Show"
          size="xs"
          allowDeselect={false}
          data={FUNNEL_VIEWS}
          value={filter.funnelVizType ?? 'steps'}
          onChange={(value) => set({ funnelVizType: value as FunnelsFilter['funnelVizType'] & string })}
        />
        <Select
          label="Order"
          size="xs"
          allowDeselect={false}
          data={FUNNEL_ORDERS}
          value={filter.funnelOrderType ?? 'ordered'}
          onChange={(value) => set({ funnelOrderType: value as FunnelsFilter['funnelOrderType'] & string })}
        />
        <NumberInput
          label="Within"
          size="xs"
          w={80}
          min={1}
          max={366}
          value={filter.funnelWindowInterval ?? 14}
          onChange={(value) => Number(value) > 0 && set({ funnelWindowInterval: Number(value) })}
        />
        <Select
          aria-label="Unit of the window"
          size="xs"
          w={110}
          allowDeselect={false}
          data={WINDOW_UNITS}
          value={filter.funnelWindowIntervalUnit ?? 'day'}
          onChange={(value) =>
            set({ funnelWindowIntervalUnit: value as FunnelsFilter['funnelWindowIntervalUnit'] & string })
          }
        />
      </Group>
      <BreakdownPicker query={query} onChange={onChange} />
    </Stack>
  );
}

type RetentionFilter = NonNullable<InsightQuery['retentionFilter']>;
const entityOf = (event: string | null): RetentionEntity => ({
  id: event,
  name: event ?? 'All events',
  type: 'events',
});

function RetentionParts({ query, onChange }: EditorProps) {
  const filter = query.retentionFilter ?? {};
  const set = (change: Partial<RetentionFilter>) => onChange({ ...query, retentionFilter: { ...filter, ...change } });
  return (
    <Stack gap="xs">
      <Group gap="xs">
        People who
        <Select
          aria-label="Which time they began"
          size="xs"
          w={190}
          allowDeselect={false}
          data={[
            { value: 'retention_first_time', label: 'for the first time' },
            { value: 'retention_recurring', label: 'at any time' },
          ]}
          value={filter.retentionType ?? 'retention_first_time'}
          onChange={(value) => set({ retentionType: value as RetentionFilter['retentionType'] & string })}
        />
        did
        <EventPicker
          label="Event they begin with"
          event={filter.targetEntity?.id ?? null}
          onPick={(event) => set({ targetEntity: entityOf(event) })}
        />
      </Group>
      <Group gap="xs">
        and came back to do
        <EventPicker
          label="Event they come back for"
          event={filter.returningEntity?.id ?? null}
          onPick={(event) => set({ returningEntity: entityOf(event) })}
        />
      </Group>
      <Group gap="xs" align="flex-end">
        <NumberInput
          label="Columns"
          size="xs"
          w={90}
          min={2}
          max={31}
          value={filter.totalIntervals ?? 8}
          onChange={(value) => Number(value) > 1 && set({ totalIntervals: Number(value) })}
        />
        <Select
          label="Each is a"
          size="xs"
          w={110}
          allowDeselect={false}
          data={['Hour', 'Day', 'Week', 'Month']}
          value={filter.period ?? 'Day'}
          onChange={(value) => set({ period: value as RetentionFilter['period'] & string })}
        />
      </Group>
    </Stack>
  );
}

type PathsFilter = NonNullable<InsightQuery['pathsFilter']>;
const PATH_TYPES = [
  { value: '$pageview', label: 'pages' },
  { value: '$screen', label: 'screens' },
  { value: 'custom_event', label: 'events of your own' },
] as const;

function PathsParts({ query, onChange }: EditorProps) {
  const filter = query.pathsFilter ?? {};
  const types = filter.includeEventTypes ?? [];
  const set = (change: Partial<PathsFilter>) => onChange({ ...query, pathsFilter: { ...filter, ...change } });
  const setPoint = (name: 'startPoint' | 'endPoint', text: string) => {
    const { [name]: _before, ...rest } = filter;
    onChange({ ...query, pathsFilter: text === '' ? rest : { ...rest, [name]: text } });
  };
  return (
    <Stack gap="xs">
      <Group gap="md">
        {PATH_TYPES.map(({ value, label }) => (
          <Switch
            key={value}
            size="sm"
            label={label}
            checked={types.includes(value)}
            onChange={({ currentTarget }) =>
              set({
                includeEventTypes: currentTarget.checked ? [...types, value] : types.filter((each) => each !== value),
              })
            }
          />
        ))}
      </Group>
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Beginning with"
          size="xs"
          placeholder="anything"
          value={filter.startPoint ?? ''}
          onChange={({ currentTarget }) => setPoint('startPoint', currentTarget.value)}
        />
        <TextInput
          label="Ending with"
          size="xs"
          placeholder="anything"
          value={filter.endPoint ?? ''}
          onChange={({ currentTarget }) => setPoint('endPoint', currentTarget.value)}
        />
        <NumberInput
          label="Steps"
          size="xs"
          w={80}
          min={2}
          max={20}
          value={filter.stepLimit ?? 5}
          onChange={(value) => Number(value) > 1 && set({ stepLimit: Number(value) })}
        />
      </Group>
    </Stack>
  );
}

const INTERVALS: { value: Interval; label: string }[] = [
  { value: 'minute', label: 'a minute' },
  { value: 'hour', label: 'an hour' },
  { value: 'day', label: 'a day' },
  { value: 'week', label: 'a week' },
  { value: 'month', label: 'a month' },
];

/** Above the chart: the time, and how the numbers are drawn. */
export function ViewBar({ query, onChange }: EditorProps) {
  const { kind } = query;
  const hasInterval = kind === 'TrendsQuery' || kind === 'LifecycleQuery' || kind === 'StickinessQuery';
  return (
    <Group gap="xs">
      <DateRangePicker range={query.dateRange ?? {}} onChange={(dateRange) => onChange({ ...query, dateRange })} />
      {hasInterval && (
        <Select
          aria-label="Each point is"
          size="xs"
          w={110}
          allowDeselect={false}
          data={INTERVALS}
          value={query.interval ?? 'day'}
          onChange={(value) => onChange({ ...query, interval: value as Interval })}
        />
      )}
      {kind === 'TrendsQuery' && (
        <Select
          aria-label="How it is drawn"
          size="xs"
          w={160}
          allowDeselect={false}
          data={[...displays]}
          value={query.trendsFilter?.display ?? 'ActionsLineGraph'}
          onChange={(value) =>
            onChange({ ...query, trendsFilter: { ...query.trendsFilter, display: value as Display } })
          }
        />
      )}
      {(kind === 'TrendsQuery' || kind === 'StickinessQuery') && (
        <Switch
          size="sm"
          label="Compare with before"
          checked={query.compareFilter?.compare === true}
          onChange={({ currentTarget }) => onChange({ ...query, compareFilter: { compare: currentTarget.checked } })}
        />
      )}
    </Group>
  );
}
