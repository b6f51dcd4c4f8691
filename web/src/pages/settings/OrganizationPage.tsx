// What holds for the whole organization, and a new one beside it.
import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../api/use-me.ts';
import {
  type OrganizationSettings,
  organizationQuery,
  useChangeOrganization,
  useCreateOrganization,
  useDeleteOrganization,
} from '../../api/use-settings.ts';
import { LinkText } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { DeleteForGood } from './DeleteForGood.tsx';
import { Section } from './Section.tsx';

const ADMIN = 8;
const OWNER = 15;

export function OrganizationPage() {
  const { organization } = useMe();
  return (
    <>
      <PageHeader title="Organization" about="The people who work together, and all of their projects." />
      <Stack maw={760}>
        {organization && <Present id={organization.id} />}
        <NewOrganization />
      </Stack>
    </>
  );
}

function Present({ id }: { id: string }) {
  const organization = useQuery(organizationQuery(id));
  return <Panel query={organization}>{(found) => <Settings key={found.id} organization={found} />}</Panel>;
}

function Settings({ organization }: { organization: OrganizationSettings }) {
  const change = useChangeOrganization(organization.id);
  const canChange = organization.membership_level >= ADMIN;
  return (
    <>
      <Section
        title={organization.name}
        about={organization.member_count === 1 ? 'You are its only member.' : `${organization.member_count} members.`}
      >
        <NameForm
          key={organization.name}
          initial={organization.name}
          label="Save"
          isBusy={change.isPending}
          isDisabled={!canChange}
          onSubmit={(name) => change.mutate({ name })}
        />
        <Switch
          label="Members may invite others"
          disabled={!canChange}
          checked={organization.members_can_invite}
          onChange={({ currentTarget }) => change.mutate({ members_can_invite: currentTarget.checked })}
        />
        <Switch
          label="Members may use personal API keys"
          description="Admins always may."
          disabled={!canChange}
          checked={organization.members_can_use_personal_api_keys}
          onChange={({ currentTarget }) => change.mutate({ members_can_use_personal_api_keys: currentTarget.checked })}
        />
        {!canChange && <Text size="sm">Only admins can change this.</Text>}
        <Group>
          <LinkText to="/account/members">Members and invites</LinkText>
          <LinkText to="/account/projects">Projects</LinkText>
        </Group>
      </Section>
      {organization.membership_level >= OWNER && <Deletion organization={organization} />}
    </>
  );
}

function Deletion({ organization }: { organization: OrganizationSettings }) {
  const remove = useDeleteOrganization(organization.id);
  return (
    <Section
      title="Delete the organization"
      about="With all of its projects and everything in them. There is no way back."
    >
      <DeleteForGood
        name={organization.name}
        label="Delete the organization"
        isBusy={remove.isPending}
        onDelete={() => remove.mutate()}
      />
    </Section>
  );
}

function NewOrganization() {
  const create = useCreateOrganization();
  return (
    <Section title="Another organization" about="With people and projects of its own. You change between them above.">
      <NameForm initial="" label="Make the organization" isBusy={create.isPending} onSubmit={create.mutate} />
    </Section>
  );
}

interface NameFormProps {
  initial: string;
  label: string;
  isBusy: boolean;
  isDisabled?: boolean;
  onSubmit: (name: string) => void;
}

function NameForm({ initial, label, isBusy, isDisabled = false, onSubmit }: NameFormProps) {
  const form = useForm({ initialValues: { name: initial } });
  return (
    <form onSubmit={form.onSubmit(({ name }) => onSubmit(name))}>
      <Group align="flex-end">
        <TextInput
          label="Name"
          required
          maxLength={64}
          flex={1}
          miw={180}
          disabled={isDisabled}
          {...form.getInputProps('name')}
        />
        <Button type="submit" variant="default" loading={isBusy} disabled={isDisabled}>
          {label}
        </Button>
      </Group>
    </form>
  );
}
