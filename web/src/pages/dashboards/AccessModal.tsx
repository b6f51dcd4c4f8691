import { ActionIcon, Group, Modal, Radio, Select, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Dashboard, useChangeDashboard } from '../../api/use-dashboards.ts';
import { useMe } from '../../api/use-me.ts';
import { membersQuery } from '../../api/use-members.ts';
import { useProjectId } from '../../api/use-project.ts';
import { collaboratorsQuery, useCollaborators } from '../../api/use-sharing.ts';
import { Panel } from '../../ui/Panel.tsx';

const EVERYONE = 21;
const INVITED = 37;
const ADMIN = 8;

export default function AccessModal({ dashboard, onClose }: { dashboard: Dashboard; onClose: () => void }) {
  const change = useChangeDashboard(dashboard.id);
  return (
    <Modal opened onClose={onClose} title="Who can change this dashboard">
      <Stack>
        <Radio.Group
          aria-label="Who can change it"
          value={String(dashboard.restriction_level)}
          onChange={(level) => change.mutate({ restriction_level: Number(level) as 21 | 37 })}
        >
          <Stack gap="xs">
            <Radio value={String(EVERYONE)} label="Everyone in the project" />
            <Radio
              value={String(INVITED)}
              label="Only those invited"
              description="Besides you: whoever made it, and the admins of the project."
            />
          </Stack>
        </Radio.Group>
        {dashboard.restriction_level === INVITED && <Collaborators dashboard={dashboard} />}
      </Stack>
    </Modal>
  );
}

function Collaborators({ dashboard }: { dashboard: Dashboard }) {
  const projectId = useProjectId();
  const { organization } = useMe();
  const collaborators = useQuery(collaboratorsQuery(projectId, dashboard.id));
  const members = useQuery({ ...membersQuery(organization?.id ?? ''), enabled: organization !== null });
  const { add, remove } = useCollaborators(dashboard.id);
  const isInvited = (uuid: string) => collaborators.data?.some(({ user }) => user.uuid === uuid);
  const others = (members.data?.results ?? []).filter(
    ({ user, level }) => level < ADMIN && user.id !== dashboard.created_by?.id && !isInvited(user.uuid),
  );
  return (
    <Panel query={collaborators}>
      {(list) => (
        <Stack gap="xs">
          {list.map(({ id, user }) => (
            <Group key={id} justify="space-between">
              <Text size="sm" className="breakable">
                {user.first_name} ({user.email})
              </Text>
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={`Take ${user.email} off`}
                onClick={() => remove.mutate(user.uuid)}
              >
                <IconX size={14} />
              </ActionIcon>
            </Group>
          ))}
          <Select
            label="Invite"
            placeholder={others.length === 0 ? 'Everyone else can change it already' : 'Choose a member'}
            disabled={others.length === 0}
            searchable
            value={null}
            data={others.map(({ user }) => ({ value: user.uuid, label: `${user.first_name} (${user.email})` }))}
            onChange={(uuid) => uuid && add.mutate(uuid)}
          />
        </Stack>
      )}
    </Panel>
  );
}
