// The value that a property is compared with; what is known of the property is offered while one types.
import { Autocomplete, TagsInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type PropertyType, propertyValuesQuery } from '../api/use-definitions.ts';
import { useProjectId } from '../api/use-project.ts';
import { isListOperator } from './operators.ts';

const PATIENCE_MS = 250;

interface ValueInputProps {
  /** The property; undefined when nothing is known of its values. */
  property: { type: PropertyType; key: string } | undefined;
  operator: string;
  value: unknown;
  onChange: (value: string | string[]) => void;
}

export function ValueInput({ property, operator, value, onChange }: ValueInputProps) {
  const projectId = useProjectId();
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search, PATIENCE_MS);
  const values = useQuery({
    ...propertyValuesQuery(projectId, property?.type ?? 'event', property?.key ?? '', settled),
    enabled: property !== undefined && property.key !== '',
  });
  const known = [...new Set(values.data ?? [])];
  if (isListOperator(operator)) {
    const chosen = Array.isArray(value) ? value : value == null ? [] : [value];
    return (
      <TagsInput
        aria-label="Values"
        size="xs"
        miw={180}
        maw={360}
        data={known}
        value={chosen.map(String)}
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
      value={value == null ? '' : String(value)}
      onChange={(text) => {
        setSearch(text);
        onChange(text);
      }}
      placeholder="Value"
    />
  );
}
