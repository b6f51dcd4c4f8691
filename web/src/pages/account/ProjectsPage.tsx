// The projects of the organization, with their keys.
import { Badge, Button, Group, Modal, Paper, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type Project, useMe } from '../../api/use-me.ts';
import { useCreateProject } from '../../api/use-settings.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { LinkText } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ProjectForm } from '../settings/ProjectForm.tsx';

export function ProjectsPage() {
  const { organization } = useMe();
  const [isOpen, setOpen] = useState(false);
  const create = useCreateProject();
  if (!organization) {
    return (
      <Text>
        You belong to no organization. Ask somebody for an invite, or{' '}
        <LinkText to="/account/organization">make one</LinkText>.
      </Text>
    );
  }
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
          onSubmit={(draft) => create.mutate(draft, { onSuccess: () => setOpen(false) })}
        />
      </Modal>
    </>
  );
}

function ProjectCard({ project }: { project: Project }) {
  const params = { projectId: String(project.id) };
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
        <Group>
          <LinkText to="/project/$projectId/dashboards" params={params}>
            Open
          </LinkText>
          <LinkText to="/project/$projectId/settings" params={params}>
            Settings
          </LinkText>
          <Text size="sm" c="dimmed">
            {project.timezone}
          </Text>
        </Group>
      </Stack>
    </Paper>
  );
}
