import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useSignIn } from '../../api/use-me.ts';
import { ownAddress } from '../../routes/entrance.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { rememberPassword } from '../welcome/first-password.ts';
import { Entrance } from './Entrance.tsx';

export function SignInPage() {
  const { next } = useSearch({ strict: false }) as { next?: string };
  const navigate = useNavigate();
  const signIn = useSignIn();
  const form = useForm({ initialValues: { email: '', password: '' } });

  const submit = form.onSubmit((credentials) =>
    signIn.mutate(credentials, {
      onSuccess: () => {
        rememberPassword(credentials.password);
        void navigate({ href: ownAddress(next) });
      },
    }),
  );

  return (
    <Entrance title="Sign in to Tenrec">
      <form onSubmit={submit}>
        <Stack>
          <Refusal error={signIn.error} />
          <TextInput
            label="E-mail"
            autoComplete="username"
            inputMode="email"
            required
            autoFocus
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={signIn.isPending}>
            Sign in
          </Button>
        </Stack>
      </form>
      <Text size="sm" c="dimmed">
        The very first start printed the owner's e-mail and password in its terminal. Lost them? There,{' '}
        <code>npx tenrec user password</code> sets a new one.
      </Text>
      <Anchor href="/start" size="sm">
        How to send events, without signing in
      </Anchor>
    </Entrance>
  );
}
