// A button that opens a list one searches by typing; what is found comes from the server.
import { Button, Combobox, Loader, ScrollArea, Text, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

export interface Choice {
  value: string;
  label: string;
  about?: string | undefined;
}

interface SearchPickerProps<T> {
  /** What is picked, for those who do not see the button. */
  label: string;
  shown: string;
  /** The question for a search text. */
  // biome-ignore lint/suspicious/noExplicitAny: the key of a question is its own business
  find: (search: string) => UseQueryOptions<T, Error, T, any>;
  toChoices: (found: T) => Choice[];
  /** Offered before anything that is found. */
  first?: readonly Choice[];
  onPick: (choice: Choice) => void;
  size?: 'xs' | 'sm';
  /** What was typed may be picked as well: a name that was never seen yet. */
  freeText?: boolean;
}

const SEARCH_MS = 150;
const MIDDLE_MAX = 40;

export function SearchPicker<T>({
  label,
  shown,
  find,
  toChoices,
  first = [],
  onPick,
  size = 'sm',
  freeText = false,
}: SearchPickerProps<T>) {
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search, SEARCH_MS);
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setSearch('');
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  const found = useQuery({ ...find(settled), enabled: combobox.dropdownOpened });
  const wanted = search.toLowerCase();
  const choices = [
    ...first.filter((choice) => choice.label.toLowerCase().includes(wanted)),
    ...(found.data === undefined ? [] : toChoices(found.data)),
  ];
  if (freeText && search !== '' && choices.every(({ value }) => value !== search)) {
    choices.push({ value: search, label: search, about: 'Use it as it is typed' });
  }
  return (
    <Combobox
      store={combobox}
      width={300}
      position="bottom-start"
      withinPortal
      onOptionSubmit={(value) => {
        const choice = choices.find((each) => each.value === value);
        if (choice) onPick(choice);
        combobox.closeDropdown();
      }}
    >
      <Combobox.Target withAriaAttributes={false}>
        <Button
          variant="default"
          size={size}
          fw={500}
          miw={0}
          maw={280}
          rightSection={<IconChevronDown size={14} />}
          onClick={() => combobox.toggleDropdown()}
          aria-label={`${label}: ${shown}`}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
        >
          <Text truncate inherit lh={1.4}>
            {shorten(shown)}
          </Text>
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={({ currentTarget }) => {
            setSearch(currentTarget.value);
            combobox.updateSelectedOptionIndex();
          }}
          placeholder="Search"
          aria-label={`Search: ${label}`}
          rightSection={found.isFetching ? <Loader size={14} /> : undefined}
        />
        <Combobox.Options aria-label={label}>
          <ScrollArea.Autosize mah={260} type="auto">
            {choices.map(({ value, label: text, about }) => (
              <Combobox.Option key={value} value={value} className="breakable">
                {text}
                {about && (
                  <Text size="xs" c="dimmed">
                    {about}
                  </Text>
                )}
              </Combobox.Option>
            ))}
            {choices.length === 0 && (
              <Combobox.Empty>{found.isFetching ? 'Searching…' : 'Nothing has that name'}</Combobox.Empty>
            )}
          </ScrollArea.Autosize>
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

const shorten = (text: string) => (text.length > MIDDLE_MAX ? `${text.slice(0, MIDDLE_MAX)}…` : text);
