import { Button, Modal, Paper, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Dashboard, Tile } from '../../api/use-dashboards.ts';
import { useTiles } from '../../api/use-tiles.ts';
import { Prose } from '../../ui/Prose.tsx';

const LENGTH_MAX = 4_000;

interface TextTileModalProps {
  dashboard: Dashboard;
  /** Without one, a new tile is made. */
  tile: Tile | undefined;
  onClose: () => void;
}

export function TextTileModal({ dashboard, tile, onClose }: TextTileModalProps) {
  const { change } = useTiles(dashboard.id);
  const [body, setBody] = useState(tile?.text?.body ?? '');
  const save = () =>
    change.mutate([tile?.text ? { id: tile.id, text: { id: tile.text.id, body } } : { text: { body } }], {
      onSuccess: onClose,
    });
  return (
    <Modal opened onClose={onClose} title={tile ? 'Edit text' : 'Add text'} size="lg">
      <Stack>
        <Textarea
          label="Text"
          description="# heading, - list, **bold**, `code`, [link](https://…)"
          autosize
          minRows={5}
          maxRows={16}
          maxLength={LENGTH_MAX}
          data-autofocus
          value={body}
          onChange={({ currentTarget }) => setBody(currentTarget.value)}
        />
        {body !== '' && (
          <Paper withBorder p="sm">
            <Text size="xs" c="dimmed" mb={4}>
              How it looks
            </Text>
            <Prose text={body} />
          </Paper>
        )}
        <Button disabled={body.trim() === ''} loading={change.isPending} onClick={save}>
          Save
        </Button>
      </Stack>
    </Modal>
  );
}
