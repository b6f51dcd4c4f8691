import { Button, Paper, Select, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChangeMe, useMe } from '../../api/use-me.ts';
import { toFieldErrors } from '../../ui/form-errors.ts';
import { showDone, showError } from '../../ui/messages.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PasswordForm } from './PasswordForm.tsx';

const ROLES = ['engineering', 'data', 'product', 'founder', 'leadership', 'marketing', 'sales', 'other'];
const FIELDS = ['first_name', 'last_name', 'email', 'role_at_organization'];

export function ProfilePage() {
  return (
    <>
      <PageHeader title="Profile" about="How others see you here, and how you sign in." />
      <Stack maw={560}>
        <Paper withBorder p="md">
          <ProfileForm />
        </Paper>
        <Paper withBorder p="md">
          <Title order={2} size="h4" mb="sm">
            Password
          </Title>
          <PasswordForm />
        </Paper>
      </Stack>
    </>
  );
}

function ProfileForm() {
  const { first_name, last_name, email, role_at_organization } = useMe();
  const change = useChangeMe({ quiet: true });
  const form = useForm({ initialValues: { first_name, last_name, email, role_at_organization } });
  const submit = form.onSubmit((values) =>
    change.mutate(values, {
      onSuccess: () => showDone('Saved.'),
      onError: (error) => {
        const errors = toFieldErrors(error, FIELDS);
        if (errors) form.setErrors(errors);
        else showError(error);
      },
    }),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput label="First name" required autoComplete="given-name" {...form.getInputProps('first_name')} />
        <TextInput label="Last name" autoComplete="family-name" {...form.getInputProps('last_name')} />
        <TextInput label="E-mail" required autoComplete="email" {...form.getInputProps('email')} />
        <Select label="What you do" data={ROLES} clearable {...form.getInputProps('role_at_organization')} />
        <Button type="submit" loading={change.isPending} w="fit-content">
          Save
        </Button>
      </Stack>
    </form>
  );
}
