// One export: its runs, its backfills, what they said, and its settings.
import { Alert, Badge, Button, Menu } from '@mantine/core';
import { IconDots, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type BatchExport, exportQuery, useExportChanges, usePauseWithUndo } from '../../api/use-exports.ts';
import { useProjectId } from '../../api/use-project.ts';
import { Age } from '../../ui/Age.tsx';
import { askFirst } from '../../ui/confirm.tsx';
import { showDone } from '../../ui/messages.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Failure, Panel } from '../../ui/Panel.tsx';
import { SubNav } from '../../ui/SubNav.tsx';
import { usePageSearch } from '../../ui/use-page-search.ts';
import { BackfillsView } from './BackfillsView.tsx';
import { describeWay, findDestination } from './destinations.ts';
import { ExportForm } from './ExportForm.tsx';
import { toDraft, toEdited } from './export-draft.ts';
import { LogView } from './LogView.tsx';
import { RunsView } from './RunsView.tsx';
import { describeSchedule } from './schedule-words.ts';

const VIEWS = [
  { label: 'Runs', view: undefined },
  { label: 'Backfills', view: 'backfills' },
  { label: 'Logs', view: 'logs' },
  { label: 'Settings', view: 'settings' },
] as const;

type View = (typeof VIEWS)[number]['view'];

export function ExportPage() {
  const projectId = useProjectId();
  const { exportId = '' } = useParams({ strict: false }) as { exportId?: string };
  const found = useQuery(exportQuery(projectId, exportId));
  return <Panel query={found}>{(data) => <ExportView found={data} />}</Panel>;
}

function ExportView({ found }: { found: BatchExport }) {
  const projectId = useProjectId();
  const [{ view }] = usePageSearch<{ view?: View }>();
  return (
    <>
      <PageHeader
        title={found.name}
        badge={
          found.paused && (
            <Badge variant="default" tt="none">
              paused
            </Badge>
          )
        }
        about={`${describeWay(found)}. ${describeSchedule(found)}.`}
      >
        <PauseButton found={found} />
        <ExportMenu found={found} />
      </PageHeader>
      {found.paused && (
        <Alert mb="md" title="Paused">
          Nothing is shipped by the schedule since <Age at={found.last_paused_at ?? found.last_updated_at} />. What is
          missed meanwhile can be made up for when it goes on.
        </Alert>
      )}
      <SubNav
        label="Export"
        projectId={projectId}
        pages={VIEWS.map(({ label, view: each }) => ({
          label,
          path: `/exports/${found.id}`,
          search: each ? { view: each } : {},
          isHere: view === each,
        }))}
      />
      {view === undefined && <RunsView found={found} />}
      {view === 'backfills' && <BackfillsView found={found} />}
      {view === 'logs' && <LogView found={found} />}
      {view === 'settings' && <Settings key={found.last_updated_at} found={found} />}
    </>
  );
}

function PauseButton({ found }: { found: BatchExport }) {
  const { unpause } = useExportChanges(found.id);
  const pause = usePauseWithUndo(found.id);
  if (!found.paused) {
    return (
      <Button variant="default" leftSection={<IconPlayerPause size={16} />} onClick={() => pause(found.name)}>
        Pause
      </Button>
    );
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<IconPlayerPlay size={16} />} loading={unpause.isPending}>
          Go on
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => unpause.mutate({ backfill: true })}>And make up for what was missed</Menu.Item>
        <Menu.Item onClick={() => unpause.mutate({ backfill: false })}>With what comes from now on</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ExportMenu({ found }: { found: BatchExport }) {
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const { remove } = useExportChanges(found.id);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" px="xs" aria-label="More actions">
          <IconDots size={16} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={14} />}
          onClick={() =>
            askFirst({
              title: `Delete “${found.name}”?`,
              message: 'Nothing is shipped any more. What was shipped stays where it is. This cannot be taken back.',
              confirm: 'Delete',
              onConfirm: () =>
                remove.mutate(undefined, {
                  onSuccess: () => void navigate({ to: '/project/$projectId/exports', params: { projectId } }),
                }),
            })
          }
        >
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Settings({ found }: { found: BatchExport }) {
  const { change } = useExportChanges(found.id);
  const words = findDestination(found.destination.type);
  if (!words)
    return <Failure error={new Error(`Exports to ${found.destination.type} are changed over the API only.`)} />;
  return (
    <ExportForm
      words={words}
      initial={toEdited(words, found)}
      exportId={found.id}
      confirm="Save"
      error={change.error}
      isSaving={change.isPending}
      onSave={(edited) => {
        // The model of an export stays what it is.
        const { model: _, ...draft } = toDraft(words, edited, true);
        change.mutate(draft, { onSuccess: () => showDone('Saved. Runs under way go on as they began.') });
      }}
    />
  );
}
