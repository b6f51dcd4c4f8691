import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';

interface Question {
  title: string;
  /** What follows from it. */
  message: string;
  /** The verb on the button. */
  confirm: string;
  onConfirm: () => void;
}

/** Asks before something that cannot be taken back. */
export function askFirst({ title, message, confirm, onConfirm }: Question): void {
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{message}</Text>,
    labels: { confirm, cancel: 'Cancel' },
    confirmProps: { color: 'red' },
    onConfirm,
  });
}
