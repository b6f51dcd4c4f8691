import { ActionIcon, Group, TextInput, Title } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';

interface EditableTitleProps {
  label: string;
  text: string;
  canEdit: boolean;
  onSave: (text: string) => void;
}

/** A title that turns into a field: Enter keeps what was typed, Escape does not. */
export function EditableTitle({ label, text, canEdit, onSave }: EditableTitleProps) {
  const [draft, setDraft] = useState<string>();
  const keep = () => {
    const trimmed = draft?.trim();
    setDraft(undefined);
    if (trimmed && trimmed !== text) onSave(trimmed);
  };
  if (draft !== undefined) {
    return (
      <TextInput
        aria-label={label}
        value={draft}
        maxLength={400}
        autoFocus
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onBlur={keep}
        onKeyDown={({ key }) => {
          if (key === 'Enter') keep();
          if (key === 'Escape') setDraft(undefined);
        }}
      />
    );
  }
  return (
    <Group gap={4} wrap="nowrap">
      <Title order={1} size="h2" className="breakable">
        {text}
      </Title>
      {canEdit && (
        <ActionIcon variant="subtle" color="gray" aria-label={`Change: ${label}`} onClick={() => setDraft(text)}>
          <IconPencil size={16} />
        </ActionIcon>
      )}
    </Group>
  );
}
