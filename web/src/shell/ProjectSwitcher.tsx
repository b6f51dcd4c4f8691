import { Button, Menu, Text } from '@mantine/core';
import { IconCheck, IconChevronDown, IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useChangeMe, useMe } from '../api/use-me.ts';
import { useProject } from '../api/use-project.ts';
import { LateMenu } from '../ui/LateMenu.tsx';

/** The project one works in; the choice is kept for the next visit. */
export function ProjectSwitcher() {
  const me = useMe();
  const current = useProject() ?? me.team;
  const navigate = useNavigate();
  const change = useChangeMe();
  if (!me.organization) return null;

  const choose = async (id: number) => {
    await navigate({ to: '/project/$projectId/dashboards', params: { projectId: String(id) } });
    change.mutate({ set_current_team: id });
  };

  return (
    <LateMenu
      position="bottom-start"
      width={260}
      button={
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          size="compact-md"
          px="xs"
          maw={220}
          rightSection={<IconChevronDown size={14} />}
          aria-label={`Project: ${current?.name ?? 'none'}. Change`}
        >
          <Text truncate size="sm">
            {current?.name ?? 'No project'}
          </Text>
        </Button>
      }
    >
      <Menu.Label>{me.organization.name}</Menu.Label>
      {me.organization.teams.map(({ id, name }) => (
        <Menu.Item
          key={id}
          onClick={() => void choose(id)}
          leftSection={<IconCheck size={14} visibility={id === current?.id ? undefined : 'hidden'} />}
        >
          <span className="breakable">{name}</span>
        </Menu.Item>
      ))}
      {me.organizations.length > 1 && (
        <>
          <Menu.Divider />
          <Menu.Label>Organizations</Menu.Label>
          {me.organizations.map(({ id, name }) => (
            <Menu.Item
              key={id}
              onClick={() =>
                change.mutate({ set_current_organization: id }, { onSuccess: () => window.location.assign('/') })
              }
              leftSection={<IconCheck size={14} visibility={id === me.organization?.id ? undefined : 'hidden'} />}
            >
              <span className="breakable">{name}</span>
            </Menu.Item>
          ))}
        </>
      )}
      <Menu.Divider />
      <Menu.Item component={Link} to="/account/projects" leftSection={<IconPlus size={14} />}>
        Projects and keys
      </Menu.Item>
    </LateMenu>
  );
}
