import { Button, Group, Modal, Select, Stack, Switch, TagsInput, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  type Definition,
  type DefinitionKind,
  PROPERTY_TYPES,
  useChangeDefinition,
} from '../../api/use-definition-list.ts';

interface DialogProps {
  kind: DefinitionKind;
  definition: Definition;
  onClose: () => void;
}

export function DefinitionDialog({ kind, definition, onClose }: DialogProps) {
  const change = useChangeDefinition(kind);
  const { id, description, tags, verified, hidden, property_type } = definition;
  const form = useForm({
    initialValues: { description, tags, verified, hidden, property_type: property_type ?? null },
  });
  const submit = form.onSubmit(({ property_type: type, ...values }) =>
    change.mutate({ id, ...values, ...(kind === 'properties' && { property_type: type }) }, { onSuccess: onClose }),
  );
  return (
    <Modal opened onClose={onClose} title="Describe">
      <form onSubmit={submit}>
        <Stack>
          <Text fw={600} className="breakable" dir="auto">
            {definition.name}
          </Text>
          <Textarea
            label="Description"
            description="What it means, and when it is sent. Shown wherever one picks it."
            autosize
            minRows={2}
            maxRows={8}
            data-autofocus
            {...form.getInputProps('description')}
          />
          <TagsInput label="Tags" acceptValueOnBlur {...form.getInputProps('tags')} />
          {kind === 'properties' && (
            <Select label="Kind" data={[...PROPERTY_TYPES]} clearable {...form.getInputProps('property_type')} />
          )}
          <Switch
            label="Verified"
            description="Your team vouches for it."
            {...form.getInputProps('verified', { type: 'checkbox' })}
          />
          <Switch
            label="Hidden"
            description="Not offered where one picks a name."
            {...form.getInputProps('hidden', { type: 'checkbox' })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
