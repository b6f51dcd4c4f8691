import { Group, NumberInput, Stack } from '@mantine/core';
import { EventPicker } from '../../pickers/EventPicker.tsx';
import type { InsightQuery, RetentionEntity } from '../../query/nodes.ts';
import { Choice } from '../../ui/Choice.tsx';
import type { EditorProps } from './editor-props.ts';

const BEGINNINGS = [
  { value: 'retention_first_time', label: 'for the first time' },
  { value: 'retention_recurring', label: 'at any time' },
] as const;
const PERIODS = ['Hour', 'Day', 'Week', 'Month'] as const;

type RetentionFilter = NonNullable<InsightQuery['retentionFilter']>;
const entityOf = (event: string | null): RetentionEntity => ({
  id: event,
  name: event ?? 'All events',
  type: 'events',
});

export function RetentionParts({ query, onChange }: EditorProps) {
  const filter = query.retentionFilter ?? {};
  const set = (change: Partial<RetentionFilter>) => onChange({ ...query, retentionFilter: { ...filter, ...change } });
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
      </Group>
    </Stack>
  );
}
