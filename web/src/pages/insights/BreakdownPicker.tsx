import { ActionIcon, Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { PropertyPicker } from '../../pickers/PropertyPicker.tsx';
import type { InsightQuery } from '../../query/nodes.ts';

export function BreakdownPicker({ query, onChange }: { query: InsightQuery; onChange: (query: InsightQuery) => void }) {
  const breakdown = query.breakdownFilter?.breakdown;
  const remove = () => {
    const { breakdownFilter: _before, ...rest } = query;
    onChange(rest);
  };
  return (
    <Group gap={4} wrap="nowrap">
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
  );
}
