// Who is in a cohort: any of several groups, each with conditions that all have to hold.
import { ActionIcon, Badge, Button, Group, NumberInput, Paper, Select, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash, IconX } from '@tabler/icons-react';
import { Fragment } from 'react';
import { EventPicker } from '../../pickers/EventPicker.tsx';
import { PersonFilters } from '../../pickers/PersonFilters.tsx';
import type { PersonFilter } from '../../pickers/person-filter.ts';
import { type ConditionGroup, type Deed, isDeed, newDeed, type TimeUnit } from './conditions.ts';

interface EditorProps {
  groups: readonly ConditionGroup[];
  onChange: (groups: ConditionGroup[]) => void;
}

export function ConditionEditor({ groups, onChange }: EditorProps) {
  const replace = (index: number, group: ConditionGroup) =>
    onChange(groups.map((each, at) => (at === index ? group : each)));
  return (
    <Stack gap="xs" align="flex-start">
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups have no name of their own
        <Fragment key={index}>
          {index > 0 && <Badge variant="default">or</Badge>}
          <GroupEditor
            group={group}
            number={index + 1}
            onChange={(changed) => replace(index, changed)}
            onRemove={groups.length > 1 ? () => onChange(groups.filter((_, at) => at !== index)) : undefined}
          />
        </Fragment>
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...groups, []])}
      >
        Or people with something else in common
      </Button>
    </Stack>
  );
}

interface GroupProps {
  group: ConditionGroup;
  number: number;
  onChange: (group: ConditionGroup) => void;
  onRemove: (() => void) | undefined;
}

function GroupEditor({ group, number, onChange, onRemove }: GroupProps) {
  const filters = group.filter((condition): condition is PersonFilter => !isDeed(condition));
  const deeds = group.filter(isDeed);
  return (
    <Paper withBorder p="sm" w="100%" role="group" aria-label={`People ${number}`}>
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed">
          People for whom all of this holds
        </Text>
        {onRemove && (
          <ActionIcon variant="subtle" color="gray" aria-label={`Remove people ${number}`} onClick={onRemove}>
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </Group>
      <Stack gap={6}>
        {deeds.map((deed, index) => (
          <DeedRow
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name of their own, and one may stand twice
            key={index}
            deed={deed}
            onChange={(changed) => onChange([...filters, ...deeds.map((each, at) => (at === index ? changed : each))])}
            onRemove={() => onChange([...filters, ...deeds.filter((_, at) => at !== index)])}
          />
        ))}
        <PersonFilters
          label="What is known of them"
          filters={filters}
          withCohorts
          onChange={(changed) => onChange([...changed, ...deeds])}
        />
        <Button
          variant="subtle"
          size="compact-sm"
          w="fit-content"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...group, newDeed()])}
        >
          What they did
        </Button>
      </Stack>
    </Paper>
  );
}

interface DeedProps {
  deed: Deed;
  onChange: (deed: Deed) => void;
  onRemove: () => void;
}

const UNITS = [
  { value: 'hour', label: 'hours' },
  { value: 'day', label: 'days' },
  { value: 'week', label: 'weeks' },
  { value: 'month', label: 'months' },
];

function DeedRow({ deed, onChange, onRemove }: DeedProps) {
  return (
    <Group gap={6}>
      <Select
        aria-label="Did or did not"
        size="xs"
        w={90}
        allowDeselect={false}
        data={[
          { value: 'did', label: 'did' },
          { value: 'not', label: 'did not' },
        ]}
        value={deed.isNegated ? 'not' : 'did'}
        onChange={(value) => onChange({ ...deed, isNegated: value === 'not' })}
      />
      <EventPicker
        event={deed.event === '' ? 'Choose an event' : deed.event}
        withAll={false}
        onPick={(event) => onChange({ ...deed, event: event ?? '' })}
      />
      <Text size="sm">at least</Text>
      <NumberInput
        aria-label="Times"
        size="xs"
        w={64}
        min={1}
        value={deed.times}
        onChange={(times) => onChange({ ...deed, times: Number(times) })}
      />
      <Text size="sm">times in the last</Text>
      <NumberInput
        aria-label="How long"
        size="xs"
        w={64}
        min={1}
        value={deed.within}
        onChange={(within) => onChange({ ...deed, within: Number(within) })}
      />
      <Select
        aria-label="Unit of time"
        size="xs"
        w={100}
        allowDeselect={false}
        data={UNITS}
        value={deed.unit}
        onChange={(unit) => unit && onChange({ ...deed, unit: unit as TimeUnit })}
      />
      <ActionIcon variant="subtle" color="gray" aria-label="Remove the condition" onClick={onRemove}>
        <IconX size={14} />
      </ActionIcon>
    </Group>
  );
}
