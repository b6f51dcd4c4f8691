// A time: so long ago, or between two days.
import { Button, Divider, Group, Menu, Stack, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';
import type { DateRange } from '../query/nodes.ts';
import { presets, rangeText } from './date-ranges.ts';

interface DateRangePickerProps {
  range: DateRange;
  onChange: (range: DateRange) => void;
  /** Offered when there may be none: on a dashboard, each tile then keeps its own. */
  none?: string;
}

export function DateRangePicker({ range, onChange, none }: DateRangePickerProps) {
  const [isOpen, setOpen] = useState(false);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const choose = (chosen: DateRange) => {
    onChange(chosen);
    setOpen(false);
  };
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-start" width={260} trapFocus>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<IconCalendar size={14} />}>
          {rangeText(range) ?? none ?? 'Last 7 days'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {none && <Menu.Item onClick={() => choose({ date_from: null, date_to: null })}>{none}</Menu.Item>}
        {presets.map(({ label, range: preset }) => (
          <Menu.Item key={label} onClick={() => choose(preset)}>
            {label}
          </Menu.Item>
        ))}
        <Divider my={4} />
        <Stack gap={6} p={6}>
          <Group gap={6} grow>
            <TextInput
              label="From"
              type="date"
              size="xs"
              value={from}
              onChange={({ currentTarget }) => setFrom(currentTarget.value)}
            />
            <TextInput
              label="To"
              type="date"
              size="xs"
              value={to}
              onChange={({ currentTarget }) => setTo(currentTarget.value)}
            />
          </Group>
          <Button
            size="xs"
            disabled={from === '' || (to !== '' && to < from)}
            onClick={() => choose({ date_from: from, date_to: to || null })}
          >
            Use these days
          </Button>
        </Stack>
      </Menu.Dropdown>
    </Menu>
  );
}
