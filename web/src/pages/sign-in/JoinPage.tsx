import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { Panel } from '../../ui/Panel.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { Entrance } from './Entrance.tsx';

interface Invite {
  target_email: string;
  first_name: string;
  organization_name: string;
}

/** What an invite's link opens: make an account, or show the password of the one you have. */
export function JoinPage() {
  const { inviteId = '' } = useParams({ strict: false });
  const path = `/api/signup/${encodeURIComponent(inviteId)}/`;
  const invite = useQuery({ queryKey: ['invite', inviteId], queryFn: () => api.get<Invite>(path) });
  return (
    <Entrance title="Join Tenrec">
      <Panel query={invite}>{(found) => <JoinForm invite={found} path={path} />}</Panel>
    </Entrance>
  );
}

function JoinForm({ invite, path }: { invite: Invite; path: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { first_name: invite.first_name, password: '' } });
  const join = useMutation({
    meta: { quiet: true },
    mutationFn: (draft: typeof form.values) => api.post(path, draft),
    onSuccess: () => {
      client.clear();
      void navigate({ to: '/' });
    },
  });
  return (
    <form onSubmit={form.onSubmit((draft) => join.mutate(draft))}>
      <Stack>
        <Text>
          You are invited to <strong className="breakable">{invite.organization_name}</strong> as {invite.target_email}.
        </Text>
        <Refusal error={join.error} />
        <TextInput label="Your first name" required {...form.getInputProps('first_name')} />
        <PasswordInput
          label="Password"
          description="At least 8 characters. If you have an account here already, its password."
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={join.isPending}>
          Join
        </Button>
      </Stack>
    </form>
  );
}
