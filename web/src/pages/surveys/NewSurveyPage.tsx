import { useNavigate } from '@tanstack/react-router';
import { useProjectId } from '../../api/use-project.ts';
import { useCreateSurvey } from '../../api/use-surveys.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SurveyForm } from './SurveyForm.tsx';
import { newSurvey } from './survey-draft.ts';

const initial = newSurvey();

export function NewSurveyPage() {
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const create = useCreateSurvey();
  return (
    <>
      <PageHeader title="New survey" about="Nobody sees it before you start it." />
      <SurveyForm
        initial={initial}
        confirm="Make the survey"
        error={create.error}
        isSaving={create.isPending}
        onSave={(draft) =>
          create.mutate(draft, {
            onSuccess: ({ id }) =>
              navigate({ to: '/project/$projectId/surveys/$surveyId', params: { projectId, surveyId: id } }),
          })
        }
      />
    </>
  );
}
