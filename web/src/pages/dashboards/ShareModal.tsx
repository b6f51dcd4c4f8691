// A link for everyone, with or without a password, and the lines that embed the dashboard elsewhere.
import { Button, Group, Modal, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useProjectId } from '../../api/use-project.ts';
import { type Sharing, sharingQuery, useSharing } from '../../api/use-sharing.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { askFirst } from '../../ui/confirm.tsx';
import { formatAge } from '../../ui/format.ts';
import { Panel } from '../../ui/Panel.tsx';

export default function ShareModal({ dashboardId, onClose }: { dashboardId: number; onClose: () => void }) {
  const sharing = useQuery(sharingQuery(useProjectId(), dashboardId));
  return (
    <Modal opened onClose={onClose} title="Share this dashboard" size="lg">
      <Panel query={sharing}>{(found) => <ShareForm dashboardId={dashboardId} sharing={found} />}</Panel>
    </Modal>
  );
}

const toLink = ({ access_token }: Sharing) => `${window.location.origin}/shared/${access_token}`;

const toEmbedCode = ({ access_token }: Sharing) =>
  `<iframe src="${window.location.origin}/embedded/${access_token}" width="100%" height="800" frameborder="0"></iframe>`;

function ShareForm({ dashboardId, sharing }: { dashboardId: number; sharing: Sharing }) {
  const { change, renew } = useSharing(dashboardId);
  return (
    <Stack>
      <Switch
        label="Everyone with the link can see it"
        checked={sharing.enabled}
        onChange={({ currentTarget }) => change.mutate({ enabled: currentTarget.checked })}
      />
      {sharing.enabled && (
        <>
          <Text size="sm" fw={600}>
            Link
          </Text>
          <CopyText label="Link" text={toLink(sharing)} />
          <Text size="sm" fw={600}>
            To put it into a page of your own
          </Text>
          <CopyText label="Embed code" text={toEmbedCode(sharing)} />
          <Button
            variant="default"
            size="xs"
            w="fit-content"
            loading={renew.isPending}
            onClick={() =>
              askFirst({
                title: 'Make a new link?',
                message: 'The present link stops working after a few minutes, wherever it was sent.',
                confirm: 'Make a new link',
                onConfirm: () => renew.mutate(),
              })
            }
          >
            Make a new link
          </Button>
          <Passwords dashboardId={dashboardId} sharing={sharing} />
        </>
      )}
    </Stack>
  );
}

function Passwords({ dashboardId, sharing }: { dashboardId: number; sharing: Sharing }) {
  const { change, addPassword, removePassword } = useSharing(dashboardId);
  const [password, setPassword] = useState('');
  const [note, setNote] = useState('');
  const add = () =>
    addPassword.mutate(
      { ...(password && { raw_password: password }), ...(note && { note }) },
      {
        onSuccess: () => {
          setPassword('');
          setNote('');
        },
      },
    );
  return (
    <>
      <Switch
        label="It asks for a password"
        checked={sharing.password_required}
        onChange={({ currentTarget }) => change.mutate({ password_required: currentTarget.checked })}
      />
      {sharing.password_required && (
        <Stack gap="xs">
          {sharing.share_passwords.map(({ id, note: about, created_at }) => (
            <Group key={id} justify="space-between">
              <Text size="sm" className="breakable">
                {about || 'A password'}, added {formatAge(created_at)}
              </Text>
              <Button size="compact-xs" variant="light" color="red" onClick={() => removePassword.mutate(id)}>
                Remove
              </Button>
            </Group>
          ))}
          {addPassword.data && <CopyText label="The new password, shown only now" text={addPassword.data.password} />}
          <Group align="flex-end">
            <TextInput
              label="New password"
              description="Left empty, one is made up."
              value={password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
            <TextInput
              label="For whom"
              description="A note for yourself."
              value={note}
              onChange={({ currentTarget }) => setNote(currentTarget.value)}
            />
            <Button onClick={add} loading={addPassword.isPending}>
              Add
            </Button>
          </Group>
        </Stack>
      )}
    </>
  );
}
