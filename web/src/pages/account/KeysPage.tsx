// Personal API keys: what scripts sign in with. Each value is shown once.
import { Alert, Badge, Button, Group, Modal, Stack, Table, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keysQuery, type PersonalKey, useKeys } from '../../api/use-keys.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { askFirst } from '../../ui/confirm.tsx';
import { toFieldErrors } from '../../ui/form-errors.ts';
import { formatAge } from '../../ui/format.ts';
import { showError } from '../../ui/messages.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { Scroll } from '../../ui/Scroll.tsx';
import { ScopePicker } from './ScopePicker.tsx';
import { type Choices, toScopes } from './scopes.ts';

export function KeysPage() {
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<PersonalKey>();
  const keys = useQuery(keysQuery);
  const newKey = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
      New key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Personal API keys"
        about="A script with your key acts in your name, within the scopes that you give it."
      >
        {newKey}
      </PageHeader>
      {shown?.value && (
        <Alert title={`The value of “${shown.label}”`} mb="md" withCloseButton onClose={() => setShown(undefined)}>
          <Stack gap="xs">
            <Text size="sm">It is shown only now. Keep it where passwords are kept.</Text>
            <CopyText label="Personal API key" text={shown.value} />
          </Stack>
        </Alert>
      )}
      <Panel
        query={keys}
        isEmpty={(list) => list.length === 0}
        empty={
          <Empty icon={<IconKey size={28} />} title="No key yet" action={newKey}>
            Make one to read dashboards, ask queries or change flags from a program of your own.
          </Empty>
        }
      >
        {(list) => <KeyTable keys={list} onShow={setShown} />}
      </Panel>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="New personal API key" size="md">
        <NewKey
          onMade={(key) => {
            setOpen(false);
            setShown(key);
          }}
        />
      </Modal>
    </>
  );
}

function KeyTable({ keys, onShow }: { keys: readonly PersonalKey[]; onShow: (key: PersonalKey) => void }) {
  const { roll, remove } = useKeys();
  return (
    <Scroll label="Keys">
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Label</Table.Th>
            <Table.Th visibleFrom="sm">Key</Table.Th>
            <Table.Th>Scopes</Table.Th>
            <Table.Th visibleFrom="sm">Last used</Table.Th>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.id}>
              <Table.Td className="breakable">
                {key.label}
                <Text size="xs" c="dimmed" ff="monospace" hiddenFrom="sm">
                  {key.mask_value}
                </Text>
              </Table.Td>
              <Table.Td ff="monospace" visibleFrom="sm">
                {key.mask_value}
              </Table.Td>
              <Table.Td>
                <Group gap={4}>
                  {key.scopes.map((scope) => (
                    <Badge key={scope} variant="default" tt="none">
                      {scope === '*' ? 'everything' : scope}
                    </Badge>
                  ))}
                </Group>
              </Table.Td>
              <Table.Td visibleFrom="sm">{key.last_used_at ? formatAge(key.last_used_at) : 'never'}</Table.Td>
              <Table.Td>
                <Group gap="xs" wrap="nowrap" justify="flex-end">
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={() =>
                      askFirst({
                        title: `Give “${key.label}” a new value?`,
                        message: 'The value that scripts use now stops working at once.',
                        confirm: 'Renew',
                        onConfirm: () => roll.mutate(key.id, { onSuccess: onShow }),
                      })
                    }
                  >
                    Renew
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="light"
                    color="red"
                    onClick={() =>
                      askFirst({
                        title: `Delete “${key.label}”?`,
                        message: 'Whatever uses it stops working at once. This cannot be taken back.',
                        confirm: 'Delete',
                        onConfirm: () => remove.mutate(key.id),
                      })
                    }
                  >
                    Delete
                  </Button>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scroll>
  );
}

function NewKey({ onMade }: { onMade: (key: PersonalKey) => void }) {
  const { create } = useKeys();
  const [isEverything, setEverything] = useState(false);
  const [choices, setChoices] = useState<Choices>({});
  const form = useForm({ initialValues: { label: '', scopes: '' } });
  const submit = form.onSubmit(({ label }) =>
    create.mutate(
      { label, scopes: isEverything ? ['*'] : toScopes(choices) },
      {
        onSuccess: onMade,
        onError: (error) => {
          const errors = toFieldErrors(error, ['label', 'scopes']);
          if (errors) form.setErrors(errors);
          else showError(error);
        },
      },
    ),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Label"
          description="What uses the key: you will want to know when you see it again."
          required
          maxLength={40}
          data-autofocus
          {...form.getInputProps('label')}
        />
        <ScopePicker
          isEverything={isEverything}
          onEverything={setEverything}
          choices={choices}
          onChoices={setChoices}
          error={form.errors.scopes as string | undefined}
        />
        <Button type="submit" loading={create.isPending}>
          Make the key
        </Button>
      </Stack>
    </form>
  );
}
