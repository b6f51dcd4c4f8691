// The projects of the organization: their keys, names and time zones.
import { Badge, Button, Group, Modal, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { meQuery, type Project, useMe } from '../../api/use-me.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { showDone } from '../../ui/messages.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';

const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

type Draft = Pick<Project, 'name' | 'timezone'>;

export function ProjectsPage() {
  const { organization } = useMe();
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (draft: Draft) => api.post<Project>('/api/projects/', draft),
    onSuccess: () => {
      setOpen(false);
      return client.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  if (!organization) return <Text>You belong to no organization. Ask somebody for an invite.</Text>;
  const isAdmin = organization.membership_level >= 8;
  return (
    <>
      <PageHeader title="Projects" about="A project has a key of its own: what is sent with it stays together.">
        {isAdmin && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
            New project
          </Button>
        )}
      </PageHeader>
      <Stack maw={720}>
        {organization.teams.map((project) => (
          <ProjectCard key={project.id} project={project} />
        ))}
      </Stack>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="New project">
        <ProjectForm
          initial={{ name: '', timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }}
          label="Make the project"
          isBusy={create.isPending}
          onSubmit={create.mutate}
        />
      </Modal>
    </>
  );
}

function ProjectCard({ project }: { project: Project }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (draft: Draft) => api.patch<Project>(`/api/projects/${project.id}/`, draft),
    onSuccess: () => {
      showDone('Saved.');
      return client.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <Paper withBorder p="md">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4" className="breakable">
            {project.name}
          </Title>
          <Badge variant="default" tt="none">
            id {project.id}
          </Badge>
        </Group>
        <CopyText label="Project key" text={project.api_token} />
        <ProjectForm
          initial={{ name: project.name, timezone: project.timezone }}
          label="Save"
          isBusy={change.isPending}
          onSubmit={change.mutate}
        />
      </Stack>
    </Paper>
  );
}

interface ProjectFormProps {
  initial: Draft;
  label: string;
  isBusy: boolean;
  onSubmit: (draft: Draft) => void;
}

function ProjectForm({ initial, label, isBusy, onSubmit }: ProjectFormProps) {
  const form = useForm({ initialValues: initial });
  return (
    <form onSubmit={form.onSubmit(onSubmit)}>
      <Group align="flex-end">
        <TextInput label="Name" required flex={1} miw={180} {...form.getInputProps('name')} />
        <Select
          label="Time zone"
          data={TIME_ZONES}
          searchable
          allowDeselect={false}
          limit={50}
          {...form.getInputProps('timezone')}
        />
        <Button type="submit" variant="default" loading={isBusy}>
          {label}
        </Button>
      </Group>
    </form>
  );
}
