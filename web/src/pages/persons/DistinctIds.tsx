import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { type Person, usePersonChanges } from '../../api/use-persons.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { askFirst } from '../../ui/confirm.tsx';
import { formatNumber } from '../../ui/format.ts';
import { showDone } from '../../ui/messages.tsx';

const SHOWN_MAX = 20;

/** Whom the person is known as, and the way to take several apart again. */
export function DistinctIds({ person }: { person: Person }) {
  const { split } = usePersonChanges(person.uuid);
  const [isAll, setAll] = useState(false);
  const ids = isAll ? person.distinct_ids : person.distinct_ids.slice(0, SHOWN_MAX);
  const keep = (id: string) =>
    askFirst({
      title: 'Split this person?',
      message: `“${id.slice(0, 80)}” stays this person, with all properties. Each of the ${
        person.distinct_ids.length - 1
      } other ids becomes a person of its own, without properties, and takes its events along.`,
      confirm: 'Split',
      onConfirm: () => split.mutate(id, { onSuccess: () => showDone('The person was split.') }),
    });
  return (
    <section>
      <Group gap="xs" mb="xs">
        <Title order={2} size="h4">
          Distinct ids
        </Title>
        <Badge variant="default">{formatNumber(person.distinct_ids.length)}</Badge>
      </Group>
      {person.distinct_ids.length > 1 && (
        <Text size="sm" c="dimmed" mb="xs">
          All of these are one person. When that is a mistake, keep the id that is right, and split off the others.
        </Text>
      )}
      <Stack gap="xs" maw={720}>
        {ids.map((id) => (
          <Group key={id} gap="xs" wrap="nowrap" align="center">
            <div style={{ flex: 1, minWidth: 0 }}>
              <CopyText label={`Distinct id ${id}`} text={id} />
            </div>
            {person.distinct_ids.length > 1 && (
              <Button size="xs" variant="default" loading={split.isPending} onClick={() => keep(id)}>
                Keep only this
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      {!isAll && person.distinct_ids.length > SHOWN_MAX && (
        <Button mt="xs" size="xs" variant="subtle" onClick={() => setAll(true)}>
          Show all {formatNumber(person.distinct_ids.length)}
        </Button>
      )}
    </section>
  );
}
