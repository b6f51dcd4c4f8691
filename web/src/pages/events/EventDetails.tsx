import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { StoredEvent } from '../../api/use-events.ts';
import { useTimeZone } from '../../api/use-project.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { formatMoment } from '../../ui/format.ts';
import { PropertyTable } from '../../ui/PropertyTable.tsx';

/** Everything that is known of one event. */
export function EventDetails({ event }: { event: StoredEvent }) {
  const timeZone = useTimeZone();
  const [look, setLook] = useState('properties');
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {formatMoment(event.timestamp, timeZone)} ({timeZone})
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Show as"
          value={look}
          onChange={setLook}
          data={[
            { value: 'properties', label: 'Properties' },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </Group>
      {look === 'properties' ? (
        <PropertyTable properties={event.properties} />
      ) : (
        <CopyText label="The event as JSON" text={JSON.stringify(event, null, 2)} />
      )}
    </Stack>
  );
}
