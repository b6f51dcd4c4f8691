import { Checkbox, Group, NumberInput, Stack } from '@mantine/core';
import { EventPicker } from '../../pickers/EventPicker.tsx';
import { PropertyPicker } from '../../pickers/PropertyPicker.tsx';
import type { InsightQuery, RetentionEntity } from '../../query/nodes.ts';
import { Choice } from '../../ui/Choice.tsx';
import type { EditorProps } from './editor-props.ts';

const BEGINNINGS = [
  { value: 'retention_first_time', label: 'for the first time' },
  { value: 'retention_recurring', label: 'at any time' },
] as const;
const PERIODS = ['Hour', 'Day', 'Week', 'Month'] as const;

const WINDOWS = [
  { value: 'strict_calendar_dates', label: 'as the calendar has it' },
  { value: '24_hour_windows', label: 'from the moment one began' },
] as const;
const AMOUNTS = [
  { value: 'count', label: 'How many came back' },
  { value: 'sum', label: 'The sum of' },
  { value: 'avg', label: 'The average of' },
] as const;
const REFERENCES = [
  { value: 'total', label: 'of those who began' },
  { value: 'previous', label: 'of the column before' },
] as const;

type RetentionFilter = NonNullable<InsightQuery['retentionFilter']>;
const entityOf = (event: string | null): RetentionEntity => ({
  id: event,
  name: event ?? 'All events',
  type: 'events',
});

/** Nobody spends anything in between, and windows have no calendar to be counted along: neither can be cumulative. */
function withoutContradiction({ cumulative, ...filter }: RetentionFilter): RetentionFilter {
  const isPlain = (filter.aggregationType ?? 'count') === 'count' && filter.timeWindowMode !== '24_hour_windows';
  return cumulative && isPlain ? { ...filter, cumulative } : filter;
}

export function RetentionParts({ query, onChange }: EditorProps) {
  const filter = query.retentionFilter ?? {};
  const set = (change: Partial<RetentionFilter>) =>
    onChange({ ...query, retentionFilter: withoutContradiction({ ...filter, ...change }) });
  return (
    <Stack gap="xs">
      <Group gap="xs">
        People who
        <Choice
          aria-label="Which time they began"
          w={190}
          data={BEGINNINGS}
          value={filter.retentionType ?? 'retention_first_time'}
          onPick={(retentionType) => set({ retentionType })}
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
        <Choice
          label="Each is a"
          w={110}
          data={PERIODS}
          value={filter.period ?? 'Day'}
          onPick={(period) => set({ period })}
        />
        <Choice
          label="which begins"
          w={200}
          data={WINDOWS}
          value={filter.timeWindowMode ?? 'strict_calendar_dates'}
          onPick={(timeWindowMode) => set({ timeWindowMode })}
        />
        <NumberInput
          label="At least so often"
          size="xs"
          w={120}
          min={1}
          max={100}
          value={filter.minimumOccurrences ?? 1}
          onChange={(value) => Number(value) > 0 && set({ minimumOccurrences: Number(value) })}
        />
      </Group>
      <AmountChoice filter={filter} set={set} />
    </Stack>
  );
}

interface AmountProps {
  filter: RetentionFilter;
  set: (change: Partial<RetentionFilter>) => void;
}

/** What the cells show. */
function AmountChoice({ filter, set }: AmountProps) {
  const { aggregationType = 'count', aggregationProperty, timeWindowMode } = filter;
  const isCount = aggregationType === 'count';
  return (
    <Group gap="xs" align="flex-end">
      <Choice
        label="Show"
        w={190}
        data={AMOUNTS}
        value={aggregationType}
        onPick={(picked) => set({ aggregationType: picked })}
      />
      {isCount ? (
        <Choice
          aria-label="Shares are"
          w={180}
          data={REFERENCES}
          value={filter.retentionReference ?? 'total'}
          onPick={(retentionReference) => set({ retentionReference })}
        />
      ) : (
        <PropertyPicker
          label="Property to add up"
          shown={aggregationProperty ?? 'Choose a property'}
          type={filter.aggregationPropertyType}
          isNumerical
          onPick={(name, type) =>
            set({ aggregationProperty: name, aggregationPropertyType: type === 'person' ? 'person' : 'event' })
          }
        />
      )}
      {isCount && timeWindowMode !== '24_hour_windows' && (
        <Checkbox
          size="xs"
          mb={6}
          label="Whoever comes later counts in between, too"
          checked={filter.cumulative ?? false}
          onChange={({ currentTarget }) => set({ cumulative: currentTarget.checked })}
        />
      )}
    </Group>
  );
}
