// Conditions in groups, joined by "and" or "or". Most questions need one group, which then looks like a plain list.
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { FilterGroup, FilterGroups, Join } from '../query/filter-groups.ts';
import { Choice } from '../ui/Choice.tsx';
import { PropertyFilters } from './PropertyFilters.tsx';

const WITHIN = [
  { value: 'AND', label: 'all of these hold' },
  { value: 'OR', label: 'any of these holds' },
] as const;
const BETWEEN = [
  { value: 'OR', label: 'or' },
  { value: 'AND', label: 'and' },
] as const;
const NEW_GROUP: FilterGroup = { type: 'AND', values: [{ key: '', type: 'event', operator: 'exact', value: [] }] };

interface FilterGroupsEditorProps {
  groups: FilterGroups;
  onChange: (groups: FilterGroups) => void;
  /** The button that adds the first condition. */
  label: string;
}

export function FilterGroupsEditor({ groups, onChange, label }: FilterGroupsEditorProps) {
  const { type, values } = groups;
  const setGroups = (changed: FilterGroup[]) =>
    onChange({ type, values: changed.filter((group) => group.values.length > 0) });
  if (values.length === 0) {
    return (
      <PropertyFilters
        filters={[]}
        label={label}
        onChange={(filters) => setGroups([{ ...NEW_GROUP, values: filters }])}
      />
    );
  }
  const replace = (index: number, group: FilterGroup) =>
    setGroups(values.map((each, at) => (at === index ? group : each)));
  return (
    <Stack gap={6}>
      {values.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups have no name of their own
        <Stack key={index} gap={6}>
          {index > 0 && <Between join={type} onPick={(join) => onChange({ type: join, values })} />}
          <OneGroup
            group={group}
            name={`Group ${index + 1}`}
            isAlone={values.length === 1}
            onChange={(changed) => replace(index, changed)}
          />
        </Stack>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        w="fit-content"
        leftSection={<IconPlus size={14} />}
        // A second group is there for what else may hold.
        onClick={() => onChange({ type: values.length === 1 ? 'OR' : type, values: [...values, NEW_GROUP] })}
      >
        Another group
      </Button>
    </Stack>
  );
}

const Between = ({ join, onPick }: { join: Join; onPick: (join: Join) => void }) => (
  <Choice aria-label="Between the groups" w={80} data={BETWEEN} value={join} onPick={onPick} />
);

interface OneGroupProps {
  group: FilterGroup;
  name: string;
  isAlone: boolean;
  onChange: (group: FilterGroup) => void;
}

function OneGroup({ group, name, isAlone, onChange }: OneGroupProps) {
  const conditions = (
    <>
      {group.values.length > 1 && (
        <Group gap={6}>
          <Text size="sm">Where</Text>
          <Choice
            aria-label={`${name}: how many hold`}
            w={160}
            data={WITHIN}
            value={group.type}
            onPick={(type) => onChange({ ...group, type })}
          />
        </Group>
      )}
      <PropertyFilters filters={group.values} onChange={(values) => onChange({ ...group, values })} />
    </>
  );
  if (isAlone) return conditions;
  return (
    <Paper withBorder p="xs" role="group" aria-label={name}>
      <Stack gap={6}>{conditions}</Stack>
    </Paper>
  );
}
