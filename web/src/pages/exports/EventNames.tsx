import { TagsInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { eventNamesQuery } from '../../api/use-definitions.ts';
import { useProjectId } from '../../api/use-project.ts';

const SETTLED_MS = 200;

interface EventNamesProps {
  label: string;
  about: string;
  names: readonly string[];
  onChange: (names: string[]) => void;
}

/** Several events by name; also such that nobody has sent yet. */
export function EventNames({ label, about, names, onChange }: EventNamesProps) {
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search, SETTLED_MS);
  const found = useQuery(eventNamesQuery(useProjectId(), settled));
  return (
    <TagsInput
      label={label}
      description={about}
      data={found.data?.results.map(({ name }) => name) ?? []}
      value={[...names]}
      onChange={onChange}
      onSearchChange={setSearch}
      acceptValueOnBlur
    />
  );
}
