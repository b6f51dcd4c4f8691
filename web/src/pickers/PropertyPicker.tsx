import { Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { type PropertyType, propertyNamesQuery } from '../api/use-definitions.ts';
import { useProjectId } from '../api/use-project.ts';
import { SearchPicker } from './SearchPicker.tsx';

interface PropertyPickerProps {
  label: string;
  shown: string;
  type?: PropertyType | undefined;
  isNumerical?: boolean;
  /** Only properties of events make sense here. */
  eventOnly?: boolean;
  onPick: (name: string, type: PropertyType) => void;
}

/** A property of events, or of the people who sent them. */
export function PropertyPicker({ label, shown, type = 'event', isNumerical, eventOnly, onPick }: PropertyPickerProps) {
  const projectId = useProjectId();
  const [chosen, setChosen] = useState<PropertyType>(type);
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      {!eventOnly && (
        <SegmentedControl
          size="xs"
          aria-label={`${label}: of what`}
          value={chosen}
          onChange={(value) => setChosen(value as PropertyType)}
          data={[
            { value: 'event', label: 'Event' },
            { value: 'person', label: 'Person' },
          ]}
        />
      )}
      <SearchPicker
        label={label}
        shown={shown}
        size="xs"
        find={(search) => propertyNamesQuery(projectId, chosen, search, isNumerical)}
        toChoices={({ results }) =>
          results.map(({ name, property_type }) => ({ value: name, label: name, about: property_type ?? undefined }))
        }
        onPick={({ value }) => onPick(value, chosen)}
      />
    </Group>
  );
}
