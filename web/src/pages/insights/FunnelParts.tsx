import { Group, NumberInput, Stack } from '@mantine/core';
import type { InsightQuery } from '../../query/nodes.ts';
import { Choice } from '../../ui/Choice.tsx';
import { BreakdownPicker } from './BreakdownPicker.tsx';
import type { EditorProps } from './editor-props.ts';

const VIEWS = [
  { value: 'steps', label: 'Steps' },
  { value: 'time_to_convert', label: 'How long it takes' },
  { value: 'trends', label: 'Conversion over time' },
] as const;
const ORDERS = [
  { value: 'ordered', label: 'In this order' },
  { value: 'strict', label: 'Directly one after the other' },
  { value: 'unordered', label: 'In any order' },
] as const;
const WINDOW_UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const;

type FunnelsFilter = NonNullable<InsightQuery['funnelsFilter']>;

export function FunnelParts({ query, onChange }: EditorProps) {
  const filter = query.funnelsFilter ?? {};
  const set = (change: Partial<FunnelsFilter>) => onChange({ ...query, funnelsFilter: { ...filter, ...change } });
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end">
        <Choice
          label="Show"
          data={VIEWS}
          value={filter.funnelVizType ?? 'steps'}
          onPick={(funnelVizType) => set({ funnelVizType })}
        />
        <Choice
          label="Order"
          data={ORDERS}
          value={filter.funnelOrderType ?? 'ordered'}
          onPick={(funnelOrderType) => set({ funnelOrderType })}
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
        <Choice
          aria-label="Unit of the window"
          w={110}
          data={WINDOW_UNITS}
          value={filter.funnelWindowIntervalUnit ?? 'day'}
          onPick={(funnelWindowIntervalUnit) => set({ funnelWindowIntervalUnit })}
        />
      </Group>
      <BreakdownPicker query={query} onChange={onChange} />
    </Stack>
  );
}
