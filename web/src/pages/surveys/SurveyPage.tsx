// One survey: what was answered, and what it asks.
import { Button, Menu } from '@mantine/core';
import { IconArchive, IconDots, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useProjectId } from '../../api/use-project.ts';
import { type Survey, surveyQuery, useChangeSurvey, useDeleteSurvey } from '../../api/use-surveys.ts';
import { askFirst } from '../../ui/confirm.tsx';
import { showDone, showUndo } from '../../ui/messages.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { SubNav } from '../../ui/SubNav.tsx';
import { usePageSearch } from '../../ui/use-page-search.ts';
import { SurveyForm } from './SurveyForm.tsx';
import { SurveyResults } from './SurveyResults.tsx';
import { SurveyBadge } from './SurveysPage.tsx';
import { toDraft } from './survey-draft.ts';
import { stateOf } from './survey-state.ts';

export function SurveyPage() {
  const projectId = useProjectId();
  const { surveyId = '' } = useParams({ strict: false }) as { surveyId?: string };
  const survey = useQuery(surveyQuery(projectId, surveyId));
  return <Panel query={survey}>{(found) => <SurveyView survey={found} />}</Panel>;
}

function SurveyView({ survey }: { survey: Survey }) {
  const projectId = useProjectId();
  const [{ view }] = usePageSearch<{ view?: 'questions' }>();
  const change = useChangeSurvey(survey.id, { quiet: true });
  const path = `/surveys/${survey.id}`;
  return (
    <>
      <PageHeader title={survey.name} badge={<SurveyBadge survey={survey} />} about={survey.description}>
        <StateButton survey={survey} />
        <SurveyMenu survey={survey} />
      </PageHeader>
      <SubNav
        label="Survey"
        projectId={projectId}
        pages={[
          { label: 'Answers', path, isHere: view === undefined },
          { label: 'Questions', path, search: { view: 'questions' }, isHere: view === 'questions' },
        ]}
      />
      {view === 'questions' ? (
        <SurveyForm
          initial={toDraft(survey)}
          confirm="Save"
          error={change.error}
          isSaving={change.isPending}
          onSave={(draft) => change.mutate(draft, { onSuccess: () => showDone('Saved.') })}
        />
      ) : (
        <SurveyResults survey={survey} />
      )}
    </>
  );
}

/** What comes next in the survey's life. */
function StateButton({ survey }: { survey: Survey }) {
  const change = useChangeSurvey(survey.id);
  const { start_date, end_date } = survey;
  const now = () => new Date().toISOString();
  const start = () =>
    change.mutate(
      { start_date: now(), end_date: null },
      { onSuccess: () => showUndo('The survey is running.', () => change.mutateAsync({ start_date, end_date })) },
    );
  const end = () =>
    change.mutate(
      { end_date: now() },
      { onSuccess: () => showUndo('The survey has ended.', () => change.mutateAsync({ end_date })) },
    );
  const state = stateOf(survey);
  if (state === 'archived') return null;
  return state === 'running' ? (
    <Button variant="default" loading={change.isPending} onClick={end}>
      End
    </Button>
  ) : (
    <Button loading={change.isPending} onClick={start}>
      {state === 'draft' ? 'Start' : 'Start again'}
    </Button>
  );
}

function SurveyMenu({ survey }: { survey: Survey }) {
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const change = useChangeSurvey(survey.id);
  const remove = useDeleteSurvey();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" px="xs" aria-label="More actions">
          <IconDots size={16} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconArchive size={14} />}
          onClick={() => change.mutate({ archived: !survey.archived })}
        >
          {survey.archived ? 'Take out of the archive' : 'Put into the archive'}
        </Menu.Item>
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={14} />}
          onClick={() =>
            askFirst({
              title: `Delete “${survey.name}”?`,
              message: 'It is not asked any more, and its answers are left as events. This cannot be taken back.',
              confirm: 'Delete',
              onConfirm: () =>
                remove.mutate(survey.id, {
                  onSuccess: () => void navigate({ to: '/project/$projectId/surveys', params: { projectId } }),
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
