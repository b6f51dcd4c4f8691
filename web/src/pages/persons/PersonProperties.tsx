// What is known of a person, and ways to change it.
import { ActionIcon, Button, Group, Modal, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { type Person, usePersonChanges } from '../../api/use-persons.ts';
import { showUndo } from '../../ui/messages.tsx';
import { PropertyTable } from '../../ui/PropertyTable.tsx';
import { toText } from '../../ui/Value.tsx';
import { parseValue } from './parse-value.ts';

interface Edited {
  /** Undefined: a new one. */
  name?: string;
  text: string;
}

export function PersonProperties({ person }: { person: Person }) {
  const [edited, setEdited] = useState<Edited>();
  const { setProperty, removeProperty } = usePersonChanges(person.uuid);
  const remove = (name: string, value: unknown) =>
    removeProperty.mutate(
      { name },
      { onSuccess: () => showUndo(`“${name}” was removed.`, () => setProperty.mutateAsync({ key: name, value })) },
    );
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Properties
        </Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => setEdited({ text: '' })}
        >
          Add a property
        </Button>
      </Group>
      <PropertyTable
        properties={person.properties}
        actions={(name, value) => (
          <Group gap={2} wrap="nowrap" justify="flex-end">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Change ${name}`}
              onClick={() => setEdited({ name, text: toText(value) })}
            >
              <IconPencil size={16} />
            </ActionIcon>
            <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${name}`} onClick={() => remove(name, value)}>
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        )}
      />
      <Text size="xs" c="dimmed" mt="xs">
        Events keep what was known when they happened. A change travels as an event, and shows everywhere a moment
        later.
      </Text>
      {edited && (
        <PropertyDialog
          edited={edited}
          onClose={() => setEdited(undefined)}
          onSave={(key, value) => setProperty.mutate({ key, value })}
        />
      )}
    </section>
  );
}

interface DialogProps {
  edited: Edited;
  onClose: () => void;
  onSave: (name: string, value: unknown) => void;
}

function PropertyDialog({ edited, onClose, onSave }: DialogProps) {
  const form = useForm({
    initialValues: { name: edited.name ?? '', text: edited.text },
    validate: { name: (name) => (name.trim() === '' ? 'Give it a name.' : null) },
  });
  const submit = form.onSubmit(({ name, text }) => {
    onSave(name.trim(), parseValue(text));
    onClose();
  });
  return (
    <Modal opened onClose={onClose} title={edited.name === undefined ? 'New property' : 'Change a property'}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name"
            readOnly={edited.name !== undefined}
            data-autofocus={edited.name === undefined || undefined}
            {...form.getInputProps('name')}
          />
          <Textarea
            label="Value"
            description="Numbers, true, false and JSON are taken as such; anything else is text."
            autosize
            maxRows={12}
            data-autofocus={edited.name !== undefined || undefined}
            {...form.getInputProps('text')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Save</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
