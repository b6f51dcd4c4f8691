import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';

interface DeleteForGoodProps {
  /** Has to be typed, so that nobody deletes the wrong one. */
  name: string;
  label: string;
  isBusy: boolean;
  onDelete: () => void;
}

export function DeleteForGood({ name, label, isBusy, onDelete }: DeleteForGoodProps) {
  const [typed, setTyped] = useState('');
  return (
    <Group align="flex-end">
      <TextInput
        label={`Type “${name}” to go on`}
        value={typed}
        miw={240}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Button color="red" disabled={typed !== name} loading={isBusy} onClick={onDelete}>
        {label}
      </Button>
    </Group>
  );
}
