// One time, filters and breakdown for all tiles; each tile keeps its own where none are set here.
import { Button, Group, Popover, Stack } from '@mantine/core';
import { IconFilter, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { type Dashboard, type DashboardFilters as Filters, useChangeDashboard } from '../../api/use-dashboards.ts';
import { DateRangePicker } from '../../pickers/DateRangePicker.tsx';
import { isComplete } from '../../pickers/operators.ts';
import { PropertyFilters } from '../../pickers/PropertyFilters.tsx';
import { PropertyPicker } from '../../pickers/PropertyPicker.tsx';
import type { PropertyFilter } from '../../query/nodes.ts';

export function DashboardFilters({ dashboard, canEdit }: { dashboard: Dashboard; canEdit: boolean }) {
  const change = useChangeDashboard(dashboard.id);
  const { filters } = dashboard;
  const set = (changed: Filters) => change.mutate({ filters: withoutNothing({ ...filters, ...changed }) });
  const breakdown = filters.breakdown_filter?.breakdown;
  if (!canEdit) return null;
  return (
    <Group mb="md" gap="xs">
      <DateRangePicker
        range={{ date_from: filters.date_from ?? null, date_to: filters.date_to ?? null }}
        onChange={set}
        none="Each tile its own time"
      />
      <FilterPopover
        filters={(filters.properties ?? []) as PropertyFilter[]}
        onSave={(properties) => set({ properties })}
      />
      <Group gap={4}>
        <PropertyPicker
          label="Break all tiles down by"
          shown={breakdown === undefined ? 'No common breakdown' : `By ${String(breakdown)}`}
          onPick={(name, type) => set({ breakdown_filter: { breakdown: name, breakdown_type: type } })}
        />
        {breakdown !== undefined && (
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconX size={12} />}
            onClick={() => set({ breakdown_filter: null })}
          >
            Remove the breakdown
          </Button>
        )}
      </Group>
    </Group>
  );
}

/** What is empty is left out, so that a dashboard without filters has none. */
function withoutNothing(filters: Filters): Filters {
  const isSet = (value: unknown) =>
    value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => isSet(value)));
}

function FilterPopover({
  filters,
  onSave,
}: {
  filters: PropertyFilter[];
  onSave: (filters: PropertyFilter[]) => void;
}) {
  const [draft, setDraft] = useState<PropertyFilter[]>();
  return (
    <Popover
      opened={draft !== undefined}
      onChange={(isOpen) => !isOpen && setDraft(undefined)}
      position="bottom-start"
      closeOnClickOutside={false}
      trapFocus
    >
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconFilter size={14} />}
          onClick={() => setDraft(draft ? undefined : filters)}
        >
          {filters.length === 0 ? 'No filters' : filters.length === 1 ? '1 filter' : `${filters.length} filters`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <PropertyFilters filters={draft ?? []} onChange={setDraft} />
          <Group gap="xs">
            <Button
              size="xs"
              onClick={() => {
                onSave((draft ?? []).filter(isComplete));
                setDraft(undefined);
              }}
            >
              Apply
            </Button>
            <Button size="xs" variant="default" onClick={() => setDraft(undefined)}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
