// Conditions that all have to hold: a property, a comparison, a value.
import { ActionIcon, Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconFilterPlus, IconX } from '@tabler/icons-react';
import type { PropertyType } from '../api/use-definitions.ts';
import type { PropertyFilter } from '../query/nodes.ts';
import { defaultValueFor, isListOperator, needsValue, operators } from './operators.ts';
import { PropertyPicker } from './PropertyPicker.tsx';
import { ValueInput } from './ValueInput.tsx';

interface PropertyFiltersProps {
  filters: readonly PropertyFilter[];
  onChange: (filters: PropertyFilter[]) => void;
  /** The button that adds one. */
  label?: string;
  eventOnly?: boolean;
}

export function PropertyFilters({ filters, onChange, label = 'Filter', eventOnly }: PropertyFiltersProps) {
  const replace = (index: number, filter: PropertyFilter) =>
    onChange(filters.map((each, at) => (at === index ? filter : each)));
  return (
    <Stack gap={6}>
      {filters.map((filter, index) => (
        <FilterRow
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name of their own, and one may stand twice
          key={index}
          filter={filter}
          eventOnly={eventOnly}
          onChange={(changed) => replace(index, changed)}
          onRemove={() => onChange(filters.filter((_, at) => at !== index))}
        />
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        w="fit-content"
        leftSection={<IconFilterPlus size={14} />}
        onClick={() => onChange([...filters, { key: '', type: 'event', operator: 'exact', value: [] }])}
      >
        {label}
      </Button>
    </Stack>
  );
}

interface FilterRowProps {
  filter: PropertyFilter;
  eventOnly?: boolean | undefined;
  onChange: (filter: PropertyFilter) => void;
  onRemove: () => void;
}

function FilterRow({ filter, eventOnly, onChange, onRemove }: FilterRowProps) {
  const isSimple = filter.type === 'event' || filter.type === 'person';
  if (!isSimple) {
    return (
      <Group gap={6}>
        <Text size="sm" className="breakable">
          {filter.type}: {filter.key} {filter.operator} {JSON.stringify(filter.value)}
        </Text>
        <RemoveButton onRemove={onRemove} />
      </Group>
    );
  }
  return (
    <Group gap={6}>
      <PropertyPicker
        label="Property"
        shown={filter.key || 'Choose a property'}
        type={filter.type as PropertyType}
        {...(eventOnly && { eventOnly })}
        onPick={(key, type) => onChange({ ...filter, key, type, value: defaultValueFor(filter.operator) })}
      />
      <Select
        aria-label="Comparison"
        size="xs"
        w={150}
        data={operators.map(({ value, label }) => ({ value, label }))}
        value={filter.operator}
        allowDeselect={false}
        onChange={(operator) =>
          operator &&
          onChange({
            ...filter,
            operator,
            value:
              isListOperator(operator) === isListOperator(filter.operator) ? filter.value : defaultValueFor(operator),
          })
        }
      />
      {needsValue(filter.operator) && (
        <ValueInput
          property={{ type: filter.type as PropertyType, key: filter.key }}
          operator={filter.operator}
          value={filter.value}
          onChange={(value) => onChange({ ...filter, value })}
        />
      )}
      <RemoveButton onRemove={onRemove} />
    </Group>
  );
}

const RemoveButton = ({ onRemove }: { onRemove: () => void }) => (
  <ActionIcon variant="subtle" color="gray" aria-label="Remove the filter" onClick={onRemove}>
    <IconX size={14} />
  </ActionIcon>
);
