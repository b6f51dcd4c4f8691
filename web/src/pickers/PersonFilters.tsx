// Conditions on people that all have to hold: a property with a comparison, a cohort, another flag.
import { ActionIcon, Autocomplete, Button, Group, Menu, Select, Stack, Text } from '@mantine/core';
import { IconFilterPlus, IconX } from '@tabler/icons-react';
import { queryOptions } from '@tanstack/react-query';
import { api, type Page } from '../api/client.ts';
import type { PropertyDefinition } from '../api/use-definitions.ts';
import { projectPath, useProjectId } from '../api/use-project.ts';
import { CohortPicker } from './CohortPicker.tsx';
import { FlagPicker } from './FlagPicker.tsx';
import { needsValue, operators } from './operators.ts';
import { newFilter, type PersonFilter, withOperator } from './person-filter.ts';
import { SearchPicker } from './SearchPicker.tsx';
import { ValueInput } from './ValueInput.tsx';

interface PersonFiltersProps {
  filters: readonly PersonFilter[];
  onChange: (filters: PersonFilter[]) => void;
  label?: string;
  withCohorts?: boolean;
  withFlags?: boolean;
  /** Conditions are on groups of this type, not on people. */
  groupTypeIndex?: number | undefined;
}

export function PersonFilters({ filters, onChange, label = 'Filter', groupTypeIndex, ...kinds }: PersonFiltersProps) {
  const add = (filter: PersonFilter) => onChange([...filters, filter]);
  return (
    <Stack gap={6}>
      {filters.map((filter, index) => (
        <FilterRow
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name of their own, and one may stand twice
          key={index}
          filter={filter}
          onChange={(changed) => onChange(filters.map((each, at) => (at === index ? changed : each)))}
          onRemove={() => onChange(filters.filter((_, at) => at !== index))}
        />
      ))}
      <AddButton label={label} groupTypeIndex={groupTypeIndex} onAdd={add} {...kinds} />
    </Stack>
  );
}

interface AddButtonProps extends Pick<PersonFiltersProps, 'withCohorts' | 'withFlags' | 'groupTypeIndex'> {
  label: string;
  onAdd: (filter: PersonFilter) => void;
}

function AddButton({ label, withCohorts, withFlags, groupTypeIndex, onAdd }: AddButtonProps) {
  const isGroup = groupTypeIndex !== undefined;
  const addProperty = () => onAdd(newFilter(groupTypeIndex));
  const look = {
    variant: 'subtle',
    size: 'compact-sm',
    w: 'fit-content',
    leftSection: <IconFilterPlus size={14} />,
  } as const;
  if (!withFlags && (!withCohorts || isGroup)) {
    return (
      <Button {...look} onClick={addProperty}>
        {label}
      </Button>
    );
  }
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button {...look}>{label}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={addProperty}>{isGroup ? 'Property of the group' : 'Property of the person'}</Menu.Item>
        {withCohorts && !isGroup && (
          <Menu.Item onClick={() => onAdd({ key: 'id', type: 'cohort', operator: 'in', value: null })}>
            Member of a cohort
          </Menu.Item>
        )}
        {withFlags && (
          <Menu.Item onClick={() => onAdd({ key: '', type: 'flag', operator: 'flag_evaluates_to', value: true })}>
            Another flag
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

interface FilterRowProps {
  filter: PersonFilter;
  onChange: (filter: PersonFilter) => void;
  onRemove: () => void;
}

function FilterRow({ filter, onChange, onRemove }: FilterRowProps) {
  const Fields = filter.type === 'cohort' ? CohortFields : filter.type === 'flag' ? FlagFields : PropertyFields;
  return (
    <Group gap={6}>
      <Fields filter={filter} onChange={onChange} />
      <ActionIcon variant="subtle" color="gray" aria-label="Remove the condition" onClick={onRemove}>
        <IconX size={14} />
      </ActionIcon>
    </Group>
  );
}

type FieldsProps = Omit<FilterRowProps, 'onRemove'>;

function CohortFields({ filter, onChange }: FieldsProps) {
  return (
    <>
      <Select
        aria-label="Belongs"
        size="xs"
        w={130}
        allowDeselect={false}
        data={[
          { value: 'in', label: 'is in cohort' },
          { value: 'not_in', label: 'is not in cohort' },
        ]}
        value={filter.operator ?? 'in'}
        onChange={(operator) => onChange({ ...filter, operator: operator ?? 'in' })}
      />
      <CohortPicker
        id={filter.value === null || filter.value === undefined ? undefined : Number(filter.value)}
        name={filter.cohort_name}
        onPick={(id, name) => onChange({ ...filter, value: id, cohort_name: name })}
      />
    </>
  );
}

function FlagFields({ filter, onChange }: FieldsProps) {
  return (
    <>
      <Text size="sm">flag</Text>
      <FlagPicker
        id={filter.key === '' ? undefined : Number(filter.key)}
        onPick={(id) => onChange({ ...filter, key: String(id) })}
      />
      <Text size="sm">is</Text>
      <Autocomplete
        aria-label="Value of the flag"
        size="xs"
        w={140}
        data={['true', 'false']}
        value={String(filter.value ?? '')}
        onChange={(text) => onChange({ ...filter, value: text === 'true' ? true : text === 'false' ? false : text })}
      />
    </>
  );
}

const NAMES_MAX = 50;

/** Names of properties of people, or of groups of one type. */
const namesQuery = (projectId: number, { type, group_type_index }: PersonFilter, search: string) =>
  queryOptions({
    queryKey: ['condition-names', projectId, type, group_type_index, search],
    queryFn: ({ signal }) =>
      api.get<Page<PropertyDefinition>>(projectPath(projectId, '/property_definitions/'), {
        query: { type, group_type_index, search, limit: NAMES_MAX, exclude_hidden: true },
        signal,
      }),
  });

function PropertyFields({ filter, onChange }: FieldsProps) {
  const projectId = useProjectId();
  const operator = filter.operator ?? 'exact';
  return (
    <>
      <SearchPicker
        label="Property"
        size="xs"
        shown={filter.key || 'Choose a property'}
        find={(search) => namesQuery(projectId, filter, search)}
        toChoices={({ results }) =>
          results.map(({ name, property_type }) => ({ value: name, label: name, about: property_type ?? undefined }))
        }
        freeText
        onPick={({ value }) => onChange({ ...filter, key: value })}
      />
      <Select
        aria-label="Comparison"
        size="xs"
        w={150}
        data={operators.map(({ value, label }) => ({ value, label }))}
        value={operator}
        allowDeselect={false}
        onChange={(value) => value && onChange(withOperator(filter, value))}
      />
      {needsValue(operator) && (
        <ValueInput
          // Values of groups are not known ahead.
          property={filter.type === 'person' ? { type: 'person', key: filter.key } : undefined}
          operator={operator}
          value={filter.value}
          onChange={(value) => onChange({ ...filter, value })}
        />
      )}
    </>
  );
}
