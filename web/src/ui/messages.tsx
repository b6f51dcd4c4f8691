// Messages in the corner: what failed, what was done, and the way back.
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';

const UNDO_MS = 8_000;
const ERROR_MS = 10_000;

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export function showError(error: unknown): void {
  notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error), autoClose: ERROR_MS });
}

export function showDone(message: string): void {
  notifications.show({ color: 'teal', message });
}

/** Tells what was done and offers to take it back, for a while. */
export function showUndo(message: string, undo: () => unknown): void {
  const id = notifications.show({
    autoClose: UNDO_MS,
    withCloseButton: true,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="light"
          onClick={async () => {
            notifications.hide(id);
            await Promise.resolve(undo()).catch(showError);
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}
