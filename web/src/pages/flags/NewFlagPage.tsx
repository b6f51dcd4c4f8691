import { useNavigate } from '@tanstack/react-router';
import { useCreateFlag } from '../../api/use-flags.ts';
import { useProjectId } from '../../api/use-project.ts';
import { showDone } from '../../ui/messages.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { FlagEditor } from './FlagEditor.tsx';
import { newFlag, toDraft } from './flag-draft.ts';

const initial = newFlag();

export function NewFlagPage() {
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const create = useCreateFlag();
  return (
    <>
      <PageHeader title="New flag" about="It starts closed: open it when the code behind it is there." />
      <FlagEditor
        initial={initial}
        confirm="Make the flag"
        error={create.error}
        isSaving={create.isPending}
        onSave={(flag) =>
          create.mutate(toDraft(flag), {
            onSuccess: ({ id, key }) => {
              showDone(`“${key}” was made.`);
              void navigate({ to: '/project/$projectId/flags/$flagId', params: { projectId, flagId: String(id) } });
            },
          })
        }
      />
    </>
  );
}
