// The parts of a question, by its kind.
import { Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { FilterGroupsEditor } from '../../pickers/FilterGroupsEditor.tsx';
import { readGroups, toProperties } from '../../query/filter-groups.ts';
import { BreakdownPicker } from './BreakdownPicker.tsx';
import type { EditorProps } from './editor-props.ts';
import { FunnelParts } from './FunnelParts.tsx';
import { PathsParts } from './PathsParts.tsx';
import { RetentionParts } from './RetentionParts.tsx';
import { SeriesEditor } from './SeriesEditor.tsx';

const letter = (index: number) => String.fromCharCode(65 + index);
const number = (index: number) => String(index + 1);

export function QueryEditor(props: EditorProps) {
  const { query, onChange } = props;
  return (
    <Stack gap="sm">
      <OwnPart {...props} />
      <Stack gap={6}>
        <CommonFilters {...props} />
        <Switch
          size="sm"
          label="Without test accounts"
          checked={query.filterTestAccounts === true}
          onChange={({ currentTarget }) => onChange({ ...query, filterTestAccounts: currentTarget.checked })}
        />
      </Stack>
    </Stack>
  );
}

function CommonFilters({ query, onChange }: EditorProps) {
  const groups = readGroups(query.properties);
  if (!groups) {
    return (
      <Text size="sm" c="dimmed">
        Its filters are nested deeper than this editor shows; they hold all the same.
      </Text>
    );
  }
  return (
    <FilterGroupsEditor
      groups={groups}
      label="Filter everything"
      onChange={(changed) => onChange({ ...query, properties: toProperties(changed) })}
    />
  );
}

function OwnPart(props: EditorProps) {
  const { query, onChange } = props;
  const common = {
    series: query.series ?? [],
    onChange: (series: NonNullable<typeof query.series>) => onChange({ ...query, series }),
  };
  switch (query.kind) {
    case 'TrendsQuery':
      return (
        <>
          <SeriesEditor {...common} withMath mark={letter} addLabel="Another series" />
          <TrendParts {...props} />
        </>
      );
    case 'StickinessQuery':
    case 'LifecycleQuery': {
      const max = query.kind === 'LifecycleQuery' ? 1 : 10;
      return <SeriesEditor {...common} withMath={false} max={max} mark={letter} addLabel="Another series" />;
    }
    case 'FunnelsQuery':
      return (
        <>
          <SeriesEditor {...common} withMath={false} min={2} max={20} mark={number} addLabel="Another step" />
          <FunnelParts {...props} />
        </>
      );
    case 'RetentionQuery':
      return <RetentionParts {...props} />;
    case 'PathsQuery':
      return <PathsParts {...props} />;
    default:
      return null;
  }
}

function TrendParts({ query, onChange }: EditorProps) {
  const { formula = '' } = query.trendsFilter ?? {};
  const setFormula = (text: string) => {
    const { formula: _before, ...rest } = query.trendsFilter ?? {};
    onChange({ ...query, trendsFilter: text === '' ? rest : { ...rest, formula: text } });
  };
  return (
    <Group gap="xs" align="flex-end">
      <BreakdownPicker query={query} onChange={onChange} />
      <TextInput
        aria-label="Formula"
        placeholder="Formula, such as A / B"
        size="xs"
        w={180}
        value={formula}
        onChange={({ currentTarget }) => setFormula(currentTarget.value)}
      />
    </Group>
  );
}
