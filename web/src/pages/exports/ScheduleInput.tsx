import { Group, Select, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Schedule } from '../../api/use-exports.ts';
import { DAYS, describeSchedule, intervals } from './schedule-words.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

interface ScheduleInputProps {
  schedule: Schedule;
  onChange: (change: Partial<Schedule>) => void;
}

export function ScheduleInput({ schedule, onChange }: ScheduleInputProps) {
  const { interval, timezone, offset_day, offset_hour } = schedule;
  const zones = useMemo(() => [...new Set(['UTC', timezone, ...Intl.supportedValuesOf('timeZone')])], [timezone]);
  const known = intervals.some(({ value }) => value === interval);
  const followsDays = interval === 'day' || interval === 'week';
  return (
    <Stack gap="xs">
      <Group align="flex-end">
        <Select
          label="How often"
          w={180}
          allowDeselect={false}
          data={known ? [...intervals] : [...intervals, { value: interval, label: interval }]}
          value={interval}
          onChange={(value) => value && onChange({ interval: value })}
        />
        {interval === 'week' && (
          <Select
            label="On"
            w={140}
            allowDeselect={false}
            data={DAYS.map((label, day) => ({ value: String(day), label }))}
            value={String(offset_day ?? 0)}
            onChange={(day) => onChange({ offset_day: Number(day) })}
          />
        )}
        {followsDays && (
          <>
            <Select
              label="At"
              w={110}
              allowDeselect={false}
              data={HOURS}
              value={String(offset_hour ?? 0)}
              onChange={(hour) => onChange({ offset_hour: Number(hour) })}
            />
            <Select
              label="In the time zone"
              w={220}
              searchable
              allowDeselect={false}
              limit={100}
              data={zones}
              value={timezone}
              onChange={(zone) => zone && onChange({ timezone: zone })}
            />
          </>
        )}
      </Group>
      <Text size="sm" role="status">
        {describeSchedule({ ...schedule, offset_day: interval === 'week' ? (offset_day ?? 0) : null })}.
      </Text>
    </Stack>
  );
}
