// What is counted: events, how they are counted, and under which conditions.
import { ActionIcon, Badge, Button, Group, Paper, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { EventPicker } from '../../pickers/EventPicker.tsx';
import { PropertyFilters } from '../../pickers/PropertyFilters.tsx';
import { PropertyPicker } from '../../pickers/PropertyPicker.tsx';
import { maths, needsProperty, newSeries } from '../../query/defaults.ts';
import type { SeriesNode } from '../../query/nodes.ts';

interface SeriesEditorProps {
  series: readonly SeriesNode[];
  onChange: (series: SeriesNode[]) => void;
  /** Steps of a funnel are counted by people, always. */
  withMath: boolean;
  min?: number;
  max?: number;
  /** Letters for formulas, numbers for steps. */
  mark: (index: number) => string;
  addLabel: string;
}

export function SeriesEditor({ series, onChange, withMath, min = 1, max = 26, mark, addLabel }: SeriesEditorProps) {
  const replace = (index: number, changed: SeriesNode) =>
    onChange(series.map((each, at) => (at === index ? changed : each)));
  return (
    <Stack gap="xs">
      {series.map((each, index) => (
        <SeriesRow
          // biome-ignore lint/suspicious/noArrayIndexKey: series have no name of their own, and one may stand twice
          key={index}
          mark={mark(index)}
          series={each}
          withMath={withMath}
          onChange={(changed) => replace(index, changed)}
          onRemove={series.length > min ? () => onChange(series.filter((_, at) => at !== index)) : undefined}
        />
      ))}
      {series.length < max && (
        <Button
          variant="subtle"
          size="compact-sm"
          w="fit-content"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...series, withMath ? newSeries(null) : withoutMath(newSeries(null))])}
        >
          {addLabel}
        </Button>
      )}
    </Stack>
  );
}

const withoutMath = ({ math: _math, ...series }: SeriesNode): SeriesNode => series;

interface SeriesRowProps {
  mark: string;
  series: SeriesNode;
  withMath: boolean;
  onChange: (series: SeriesNode) => void;
  onRemove: (() => void) | undefined;
}

function SeriesRow({ mark, series, withMath, onChange, onRemove }: SeriesRowProps) {
  return (
    <Paper withBorder p="xs">
      <Stack gap={6}>
        <Group gap={6}>
          <Badge variant="light" circle>
            {mark}
          </Badge>
          <EventPicker
            label={`Event ${mark}`}
            event={series.event ?? null}
            onPick={(event) => onChange({ ...series, event, name: event ?? 'All events' })}
          />
          {withMath && (
            <Select
              aria-label={`How ${mark} is counted`}
              size="sm"
              w={190}
              allowDeselect={false}
              data={maths.map(({ value, label }) => ({ value, label }))}
              value={series.math ?? 'total'}
              onChange={(math) => math && onChange({ ...series, math })}
            />
          )}
          {withMath && needsProperty(series.math) && (
            <PropertyPicker
              label={`Property of ${mark}`}
              shown={series.math_property ?? 'Choose a property'}
              isNumerical
              eventOnly
              onPick={(math_property) => onChange({ ...series, math_property })}
            />
          )}
          {onRemove && (
            <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${mark}`} onClick={onRemove}>
              <IconX size={14} />
            </ActionIcon>
          )}
        </Group>
        <PropertyFilters
          filters={series.properties ?? []}
          onChange={(properties) => onChange({ ...series, properties })}
          label="Only where"
        />
        <TextInput
          aria-label={`Name of ${mark}`}
          placeholder="Name in the chart"
          size="xs"
          maw={220}
          variant="unstyled"
          value={series.custom_name ?? ''}
          onChange={({ currentTarget }) => {
            const { custom_name: _before, ...rest } = series;
            onChange(currentTarget.value ? { ...rest, custom_name: currentTarget.value } : rest);
          }}
        />
      </Stack>
    </Paper>
  );
}
