import { Alert, type AlertProps } from '@mantine/core';
import { messageOf } from './messages.tsx';

/** Why a form was not taken, in words, where the person is looking; nothing while there is nothing to say. */
export function Refusal({ error, ...look }: { error: unknown } & Pick<AlertProps, 'mt'>) {
  if (error === undefined || error === null) return null;
  return (
    <Alert color="red" role="alert" {...look}>
      {messageOf(error)}
    </Alert>
  );
}
