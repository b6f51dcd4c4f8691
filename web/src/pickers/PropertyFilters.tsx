// Conditions that all have to hold: a property, a comparison, a value.
import { ActionIcon, Autocomplete, Button, Group, Select, Stack, TagsInput, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFilterPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type PropertyType, propertyValuesQuery } from '../api/use-definitions.ts';
import { useProjectId } from '../api/use-project.ts';
import type { PropertyFilter } from '../query/nodes.ts';
import { defaultValueFor, isListOperator, needsValue, operators } from './operators.ts';
import { PropertyPicker } from './PropertyPicker.tsx';

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
        <ValueInput filter={filter} onChange={(value) => onChange({ ...filter, value })} />
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

const VALUE_MS = 250;

function ValueInput({
  filter,
  onChange,
}: {
  filter: PropertyFilter;
  onChange: (value: PropertyFilter['value']) => void;
}) {
  const projectId = useProjectId();
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search, VALUE_MS);
  const values = useQuery(propertyValuesQuery(projectId, filter.type as PropertyType, filter.key, settled));
  const known = [...new Set(values.data ?? [])];
  if (isListOperator(filter.operator)) {
    return (
      <TagsInput
        aria-label="Values"
        size="xs"
        miw={180}
        maw={360}
        data={known}
        value={(Array.isArray(filter.value) ? filter.value : filter.value == null ? [] : [filter.value]).map(String)}
        onChange={onChange}
        onSearchChange={setSearch}
        acceptValueOnBlur
        placeholder="Value"
      />
    );
  }
  return (
    <Autocomplete
      aria-label="Value"
      size="xs"
      w={180}
      data={known}
      value={filter.value == null ? '' : String(filter.value)}
      onChange={(value) => {
        setSearch(value);
        onChange(value);
      }}
      placeholder="Value"
    />
  );
}
