// Who belongs to the organization, and the invites that are open.
import { Badge, Button, Group, Select, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../api/use-me.ts';
import {
  type Invite,
  invitesQuery,
  type Level,
  levelNames,
  type Member,
  membersQuery,
  useInvites,
  useMembers,
} from '../../api/use-members.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { askFirst } from '../../ui/confirm.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { Scroll } from '../../ui/Scroll.tsx';

export function MembersPage() {
  const { organization } = useMe();
  if (!organization) return null;
  return (
    <>
      <PageHeader title="Members" about={`People of ${organization.name}. Everyone sees all of its projects.`} />
      <Stack gap="xl">
        <MemberTable organizationId={organization.id} own={organization.membership_level} />
        <Invites organizationId={organization.id} own={organization.membership_level} />
      </Stack>
    </>
  );
}

const levelsUpTo = (own: Level) =>
  ([1, 8, 15] as const)
    .filter((level) => level <= own)
    .map((level) => ({ value: String(level), label: levelNames[level] }));

function MemberTable({ organizationId, own }: { organizationId: string; own: Level }) {
  const members = useQuery(membersQuery(organizationId));
  return (
    <Panel query={members}>
      {({ results }) => (
        <Scroll label="Members">
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th visibleFrom="sm">E-mail</Table.Th>
                <Table.Th>Level</Table.Th>
                <Table.Th aria-label="Actions" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {results.map((member) => (
                <MemberRow key={member.id} member={member} organizationId={organizationId} own={own} />
              ))}
            </Table.Tbody>
          </Table>
        </Scroll>
      )}
    </Panel>
  );
}

function MemberRow({ member, organizationId, own }: { member: Member; organizationId: string; own: Level }) {
  const me = useMe();
  const { setLevel, remove } = useMembers(organizationId);
  const { user, level } = member;
  const isChangeable = user.id !== me.id && own >= 8 && level <= own;
  return (
    <Table.Tr>
      <Table.Td className="breakable">
        {[user.first_name, user.last_name].filter(Boolean).join(' ')}
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {user.email}
        </Text>
      </Table.Td>
      <Table.Td className="breakable" visibleFrom="sm">
        {user.email}
      </Table.Td>
      <Table.Td>
        {isChangeable ? (
          <Select
            aria-label={`Level of ${user.email}`}
            size="xs"
            w={120}
            data={levelsUpTo(own)}
            value={String(level)}
            allowDeselect={false}
            onChange={(value) => value && setLevel.mutate({ uuid: user.uuid, level: Number(value) as Level })}
          />
        ) : (
          <Badge variant="default" tt="none">
            {levelNames[level]}
          </Badge>
        )}
      </Table.Td>
      <Table.Td ta="right">
        {isChangeable && (
          <Button
            size="compact-sm"
            variant="light"
            color="red"
            onClick={() =>
              askFirst({
                title: `Remove ${user.email}?`,
                message: 'They lose access to every project of the organization. Invite them again to bring them back.',
                confirm: 'Remove',
                onConfirm: () => remove.mutate(user.uuid),
              })
            }
          >
            Remove
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function Invites({ organizationId, own }: { organizationId: string; own: Level }) {
  const invites = useQuery(invitesQuery(organizationId));
  const { invite, withdraw } = useInvites(organizationId);
  const form = useForm({ initialValues: { target_email: '', level: '1' } });
  const submit = form.onSubmit(({ target_email, level }) =>
    invite.mutate({ target_email, level: Number(level) as Level }, { onSuccess: () => form.reset() }),
  );
  return (
    <Stack>
      <Title order={2} size="h4">
        Invites
      </Title>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput label="E-mail" type="email" required {...form.getInputProps('target_email')} />
          <Select label="Level" w={140} data={levelsUpTo(own)} allowDeselect={false} {...form.getInputProps('level')} />
          <Button type="submit" loading={invite.isPending}>
            Invite
          </Button>
        </Group>
      </form>
      <Refusal error={invite.error} />
      <Panel query={invites} isEmpty={({ count }) => count === 0} empty={null}>
        {({ results }) =>
          results.map((each) => <InviteCard key={each.id} invite={each} onWithdraw={withdraw.mutate} />)
        }
      </Panel>
    </Stack>
  );
}

/** Nothing is sent by mail: the link is handed over by whoever invites. */
function InviteCard({ invite, onWithdraw }: { invite: Invite; onWithdraw: (id: string) => void }) {
  const { id, target_email, level, is_expired } = invite;
  return (
    <Stack gap={4} maw={720}>
      <Group justify="space-between">
        <Group gap="xs">
          <span className="breakable">{target_email}</span>
          <Badge variant="default" tt="none">
            {is_expired ? 'expired' : levelNames[level]}
          </Badge>
        </Group>
        <Button size="compact-sm" variant="light" color="red" onClick={() => onWithdraw(id)}>
          Take back
        </Button>
      </Group>
      {!is_expired && <CopyText label={`Link for ${target_email}`} text={`${window.location.origin}/signup/${id}`} />}
    </Stack>
  );
}
