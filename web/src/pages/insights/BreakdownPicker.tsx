import { ActionIcon, Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { PropertyPicker } from '../../pickers/PropertyPicker.tsx';
import { Choice } from '../../ui/Choice.tsx';
import type { EditorProps } from './editor-props.ts';

/** How many values are told apart; the API takes the others together. */
const LIMITS = ['10', '25', '100', '500'];
const DEFAULT_LIMIT = 25;

export function BreakdownPicker({ query, onChange }: EditorProps) {
  const { breakdown, breakdown_limit = DEFAULT_LIMIT } = query.breakdownFilter ?? {};
  const remove = () => {
    const { breakdownFilter: _before, ...rest } = query;
    onChange(rest);
  };
  return (
    <Group gap={4}>
      <Group gap={4} wrap="nowrap" miw={0}>
        <PropertyPicker
          label="Break down by"
          shown={breakdown === undefined ? 'No breakdown' : `By ${String(breakdown)}`}
          onPick={(name, type) => onChange({ ...query, breakdownFilter: { breakdown: name, breakdown_type: type } })}
        />
        {breakdown !== undefined && (
          <ActionIcon variant="subtle" color="gray" aria-label="Remove the breakdown" onClick={remove}>
            <IconX size={14} />
          </ActionIcon>
        )}
      </Group>
      {breakdown !== undefined && (
        <Choice
          aria-label="Values at most"
          w={100}
          data={[...new Set([...LIMITS, String(breakdown_limit)])].map((value) => ({ value, label: `top ${value}` }))}
          value={String(breakdown_limit)}
          onPick={(limit) =>
            onChange({ ...query, breakdownFilter: { ...query.breakdownFilter, breakdown_limit: Number(limit) } })
          }
        />
      )}
    </Group>
  );
}
