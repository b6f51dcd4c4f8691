import { Group, NumberInput, Stack, Switch, TextInput } from '@mantine/core';
import type { InsightQuery } from '../../query/nodes.ts';
import type { EditorProps } from './editor-props.ts';

type PathsFilter = NonNullable<InsightQuery['pathsFilter']>;
const PATH_TYPES = [
  { value: '$pageview', label: 'pages' },
  { value: '$screen', label: 'screens' },
  { value: 'custom_event', label: 'events of your own' },
] as const;

export function PathsParts({ query, onChange }: EditorProps) {
  const filter = query.pathsFilter ?? {};
  const types = filter.includeEventTypes ?? [];
  const set = (change: Partial<PathsFilter>) => onChange({ ...query, pathsFilter: { ...filter, ...change } });
  const setPoint = (name: 'startPoint' | 'endPoint', text: string) => {
    const { [name]: _before, ...rest } = filter;
    onChange({ ...query, pathsFilter: text === '' ? rest : { ...rest, [name]: text } });
  };
  return (
    <Stack gap="xs">
      <Group gap="md">
        {PATH_TYPES.map(({ value, label }) => (
          <Switch
            key={value}
            size="sm"
            label={label}
            checked={types.includes(value)}
            onChange={({ currentTarget }) =>
              set({
                includeEventTypes: currentTarget.checked ? [...types, value] : types.filter((each) => each !== value),
              })
            }
          />
        ))}
      </Group>
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Beginning with"
          size="xs"
          placeholder="anything"
          value={filter.startPoint ?? ''}
          onChange={({ currentTarget }) => setPoint('startPoint', currentTarget.value)}
        />
        <TextInput
          label="Ending with"
          size="xs"
          placeholder="anything"
          value={filter.endPoint ?? ''}
          onChange={({ currentTarget }) => setPoint('endPoint', currentTarget.value)}
        />
        <NumberInput
          label="Steps"
          size="xs"
          w={80}
          min={2}
          max={20}
          value={filter.stepLimit ?? 5}
          onChange={(value) => Number(value) > 1 && set({ stepLimit: Number(value) })}
        />
      </Group>
    </Stack>
  );
}
