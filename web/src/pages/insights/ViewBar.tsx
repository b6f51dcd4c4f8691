// Above the chart: the time, and how the numbers are drawn.
import { Group, Switch } from '@mantine/core';
import { DateRangePicker } from '../../pickers/DateRangePicker.tsx';
import { displays } from '../../query/defaults.ts';
import type { Interval } from '../../query/nodes.ts';
import { Choice } from '../../ui/Choice.tsx';
import type { EditorProps } from './editor-props.ts';

const INTERVALS: { value: Interval; label: string }[] = [
  { value: 'minute', label: 'a minute' },
  { value: 'hour', label: 'an hour' },
  { value: 'day', label: 'a day' },
  { value: 'week', label: 'a week' },
  { value: 'month', label: 'a month' },
];

export function ViewBar({ query, onChange }: EditorProps) {
  const { kind } = query;
  const hasInterval = kind === 'TrendsQuery' || kind === 'LifecycleQuery' || kind === 'StickinessQuery';
  return (
    <Group gap="xs">
      <DateRangePicker range={query.dateRange ?? {}} onChange={(dateRange) => onChange({ ...query, dateRange })} />
      {hasInterval && (
        <Choice
          aria-label="Each point is"
          w={110}
          data={INTERVALS}
          value={query.interval ?? 'day'}
          onPick={(interval) => onChange({ ...query, interval })}
        />
      )}
      {kind === 'TrendsQuery' && (
        <Choice
          aria-label="How it is drawn"
          w={160}
          data={displays}
          value={query.trendsFilter?.display ?? 'ActionsLineGraph'}
          onPick={(display) => onChange({ ...query, trendsFilter: { ...query.trendsFilter, display } })}
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
