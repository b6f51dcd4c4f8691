// One flag: its release, how it is used, what it is for somebody, and who changed it.
import { Button, Group, Title } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type Flag, flagQuery, useChangeFlag, useDeleteFlag } from '../../api/use-flags.ts';
import { useProjectId } from '../../api/use-project.ts';
import { showDone } from '../../ui/messages.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { SubNav } from '../../ui/SubNav.tsx';
import { usePageSearch } from '../../ui/use-page-search.ts';
import { describeRelease } from './describe-flag.ts';
import { FlagEditor } from './FlagEditor.tsx';
import { FlagHistory } from './FlagHistory.tsx';
import { FlagStatusBadge } from './FlagsPage.tsx';
import { FlagUsage } from './FlagUsage.tsx';
import { toDraft, toEdited } from './flag-draft.ts';
import { TryFlag } from './TryFlag.tsx';

const VIEWS = [
  { label: 'Release', view: undefined },
  { label: 'Try', view: 'try' },
  { label: 'Usage', view: 'usage' },
  { label: 'History', view: 'history' },
] as const;

type View = (typeof VIEWS)[number]['view'];

export function FlagPage() {
  const projectId = useProjectId();
  const { flagId } = useParams({ strict: false }) as { flagId?: string };
  const flag = useQuery(flagQuery(projectId, Number(flagId)));
  return <Panel query={flag}>{(found) => <FlagView flag={found} />}</Panel>;
}

function FlagView({ flag }: { flag: Flag }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [{ view }] = usePageSearch<{ view?: View }>();
  const remove = useDeleteFlag(flag.id);
  return (
    <>
      <PageHeader
        title={flag.key}
        heading={
          <Group gap="sm">
            <Title order={1} size="h2" className="breakable">
              {flag.key}
            </Title>
            <FlagStatusBadge flag={flag} />
          </Group>
        }
        about={describeRelease(flag)}
      >
        <Button
          variant="default"
          leftSection={<IconTrash size={16} />}
          onClick={() =>
            remove(
              flag.key,
              () => void navigate({ to: '/project/$projectId/flags', params: { projectId: String(projectId) } }),
            )
          }
        >
          Delete
        </Button>
      </PageHeader>
      <SubNav
        label="Flag"
        projectId={projectId}
        pages={VIEWS.map(({ label, view: each }) => ({
          label,
          path: `/flags/${flag.id}`,
          search: each ? { view: each } : {},
          isHere: view === each,
        }))}
      />
      {view === undefined && <Release key={flag.version} flag={flag} />}
      {view === 'try' && <TryFlag flag={flag} />}
      {view === 'usage' && <FlagUsage flag={flag} />}
      {view === 'history' && <FlagHistory flag={flag} />}
    </>
  );
}

function Release({ flag }: { flag: Flag }) {
  const change = useChangeFlag(flag.id, { quiet: true });
  return (
    <FlagEditor
      initial={toEdited(flag)}
      confirm="Save"
      error={change.error}
      isSaving={change.isPending}
      // The version keeps from undoing what somebody else has changed meanwhile.
      onSave={(edited) =>
        change.mutate({ ...toDraft(edited), version: flag.version }, { onSuccess: () => showDone('Saved.') })
      }
    />
  );
}
