import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

const SETTLED_MS = 250;

interface SearchInputProps {
  label: string;
  placeholder?: string;
  value: string | undefined;
  /** Called when somebody has stopped typing for a moment; undefined when nothing is left. */
  onSearch: (text: string | undefined) => void;
}

export function SearchInput({ label, placeholder = 'Search', value, onSearch }: SearchInputProps) {
  const [text, setText] = useState(value ?? '');
  const settle = useDebouncedCallback((typed: string) => onSearch(typed || undefined), SETTLED_MS);
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        settle(currentTarget.value);
      }}
    />
  );
}
