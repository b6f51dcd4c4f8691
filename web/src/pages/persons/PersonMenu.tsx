import { Button, Menu } from '@mantine/core';
import { IconTrash, IconUserX } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type Person, usePersonChanges } from '../../api/use-persons.ts';
import { useProjectId } from '../../api/use-project.ts';
import { askFirst } from '../../ui/confirm.tsx';
import { showDone } from '../../ui/messages.tsx';

export function PersonMenu({ person }: { person: Person }) {
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const { remove } = usePersonChanges(person.uuid);
  const ask = (withEvents: boolean) =>
    askFirst({
      title: `Delete ${person.name.slice(0, 80)}?`,
      message: withEvents
        ? 'The person and all of their events are deleted. This cannot be taken back.'
        : 'The person and what is known of them are deleted; their events stay. This cannot be taken back.',
      confirm: 'Delete',
      onConfirm: () =>
        remove.mutate(
          { withEvents },
          {
            onSuccess: () => {
              showDone('The person was deleted.');
              void navigate({ to: '/project/$projectId/persons', params: { projectId } });
            },
          },
        ),
    });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconTrash size={16} />} loading={remove.isPending}>
          Delete
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUserX size={14} />} onClick={() => ask(false)}>
          The person
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={() => ask(true)}>
          The person and all events
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
