import { Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChangeMe, useMe } from '../../api/use-me.ts';
import { toFieldErrors } from '../../ui/form-errors.ts';
import { showDone, showError } from '../../ui/messages.tsx';

const LENGTH_MIN = 8;

interface PasswordFormProps {
  /** The present password, when it is known from having signed in with it a moment ago. */
  known?: string | undefined;
  onDone?: () => void;
}

export function PasswordForm({ known, onDone }: PasswordFormProps) {
  const { has_password } = useMe();
  const change = useChangeMe({ quiet: true });
  const form = useForm({
    initialValues: { current_password: known ?? '', password: '' },
    validate: { password: (text) => (text.length < LENGTH_MIN ? `At least ${LENGTH_MIN} characters.` : null) },
  });
  const submit = form.onSubmit((values) =>
    change.mutate(values, {
      onSuccess: () => {
        form.reset();
        showDone('Your password is changed. Other places where you were signed in are signed out.');
        onDone?.();
      },
      onError: (error) => {
        const errors = toFieldErrors(error, ['password', 'current_password']);
        if (errors) form.setErrors(errors);
        else showError(error);
      },
    }),
  );
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        {has_password && known === undefined && (
          <PasswordInput
            label="Present password"
            autoComplete="current-password"
            required
            {...form.getInputProps('current_password')}
          />
        )}
        <PasswordInput
          label="New password"
          description={`At least ${LENGTH_MIN} characters.`}
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={change.isPending} w="fit-content">
          Set password
        </Button>
      </Stack>
    </form>
  );
}
