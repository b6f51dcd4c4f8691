import { Button, Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { type Choice, type Choices, scopeObjects } from './scopes.ts';

const CHOICES: { value: Choice; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Write' },
];

interface ScopePickerProps {
  isEverything: boolean;
  onEverything: (on: boolean) => void;
  choices: Choices;
  onChoices: (choices: Choices) => void;
  error?: string | undefined;
}

export function ScopePicker({ isEverything, onEverything, choices, onChoices, error }: ScopePickerProps) {
  const setAll = (choice: Choice) => onChoices(Object.fromEntries(scopeObjects.map(({ object }) => [object, choice])));
  return (
    <Stack gap="xs">
      <Switch
        label="Everything that you may do"
        checked={isEverything}
        onChange={({ currentTarget }) => onEverything(currentTarget.checked)}
      />
      {!isEverything && (
        <>
          <Group gap="xs">
            <Button size="compact-xs" variant="default" onClick={() => setAll('read')}>
              Read all
            </Button>
            <Button size="compact-xs" variant="default" onClick={() => setAll('none')}>
              Clear
            </Button>
          </Group>
          {scopeObjects.map(({ object, label }) => (
            <Group key={object} justify="space-between" wrap="nowrap">
              <Text size="sm">{label}</Text>
              <SegmentedControl
                size="xs"
                aria-label={label}
                data={CHOICES}
                value={choices[object] ?? 'none'}
                onChange={(choice) => onChoices({ ...choices, [object]: choice as Choice })}
              />
            </Group>
          ))}
        </>
      )}
      {error && (
        <Text c="red" size="sm" role="alert">
          {error}
        </Text>
      )}
    </Stack>
  );
}
