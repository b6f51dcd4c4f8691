// What holds for a whole project: its name and days, its key, what is taken in, and who is left out of answers.
import { Button, NumberInput, Stack, Switch, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMe } from '../../api/use-me.ts';
import { useProjectId } from '../../api/use-project.ts';
import {
  type ProjectSettings,
  projectQuery,
  useChangeProject,
  useDeleteProject,
  useRenewKey,
} from '../../api/use-settings.ts';
import { isComplete } from '../../pickers/operators.ts';
import { PropertyFilters } from '../../pickers/PropertyFilters.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { CopyText } from '../../ui/CopyText.tsx';
import { askFirst } from '../../ui/confirm.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { DeleteForGood } from './DeleteForGood.tsx';
import { ProjectForm } from './ProjectForm.tsx';
import { Section } from './Section.tsx';

const DAY_SECONDS = 86_400;
const WEEK_STARTS = [
  { value: '0', label: 'Sunday' },
  { value: '1', label: 'Monday' },
] as const;

export function ProjectSettingsPage() {
  const project = useQuery(projectQuery(useProjectId()));
  return (
    <>
      <PageHeader title="Project settings" about="For everybody who works in this project." />
      <Panel query={project}>{(found) => <Settings key={found.id} project={found} />}</Panel>
    </>
  );
}

function Settings({ project }: { project: ProjectSettings }) {
  const isAdmin = (useMe().organization?.membership_level ?? 1) >= 8;
  return (
    <Stack maw={760}>
      <General project={project} />
      <ProjectKey project={project} isAdmin={isAdmin} />
      <TestAccounts project={project} />
      <Intake project={project} />
      <Names project={project} />
      {isAdmin && <Deletion project={project} />}
    </Stack>
  );
}

interface PartProps {
  project: ProjectSettings;
}

function General({ project }: PartProps) {
  const change = useChangeProject(project.id);
  const { name, timezone, week_start_day } = project;
  return (
    <Section title="General" about="Days begin and end in this time zone, in every chart and for every export.">
      <ProjectForm
        key={`${name} ${timezone}`}
        initial={{ name, timezone }}
        label="Save"
        isBusy={change.isPending}
        onSubmit={change.mutate}
      />
      <Choice
        label="Weeks begin on"
        size="sm"
        w={180}
        data={WEEK_STARTS}
        value={week_start_day === 1 ? '1' : '0'}
        onPick={(day) => change.mutate({ week_start_day: day === '1' ? 1 : 0 })}
      />
    </Section>
  );
}

function ProjectKey({ project, isAdmin }: PartProps & { isAdmin: boolean }) {
  const renew = useRenewKey(project.id);
  return (
    <Section title="Project key" about="Sent along with events. It is no secret: it can send, and read nothing.">
      <CopyText label="Project key" text={project.api_token} />
      {isAdmin && (
        <Button
          variant="default"
          w="fit-content"
          loading={renew.isPending}
          onClick={() =>
            askFirst({
              title: 'Replace the project key?',
              message:
                'The present key stops working at once: whatever sends with it is refused until it has the new one.',
              confirm: 'Replace',
              onConfirm: () => renew.mutate(),
            })
          }
        >
          Replace the key
        </Button>
      )}
    </Section>
  );
}

function TestAccounts({ project }: PartProps) {
  const change = useChangeProject(project.id);
  const saved = project.test_account_filters;
  const [draft, setDraft] = useState(saved);
  const complete = draft.filter(isComplete);
  return (
    <Section
      title="Test accounts"
      about="An insight “without test accounts” counts only events for which all of this holds, such as: e-mail does not contain @your-company.com."
    >
      <PropertyFilters filters={draft} onChange={setDraft} label="Condition" />
      <Button
        variant="default"
        w="fit-content"
        disabled={JSON.stringify(complete) === JSON.stringify(saved)}
        loading={change.isPending}
        onClick={() => change.mutate({ test_account_filters: complete })}
      >
        Save the conditions
      </Button>
      <Switch
        label="New insights are without test accounts"
        description="Whoever asks can still count them in; what was saved before stays as it is."
        checked={project.test_account_filters_default_checked === true}
        onChange={({ currentTarget }) => change.mutate({ test_account_filters_default_checked: currentTarget.checked })}
      />
    </Section>
  );
}

function Intake({ project }: PartProps) {
  const change = useChangeProject(project.id);
  const days = (project.drop_events_older_than_seconds ?? 0) / DAY_SECONDS;
  const [draft, setDraft] = useState<string | number>(days || '');
  const keepDays = () => {
    const wanted = Number(draft);
    if (wanted === days) return;
    change.mutate({ drop_events_older_than_seconds: wanted > 0 ? Math.round(wanted * DAY_SECONDS) : null });
  };
  return (
    <Section title="What is taken in" about="For events that arrive from now on.">
      <Switch
        label="Leave out addresses"
        description="The address that an event came from is used for nothing and kept nowhere."
        checked={project.anonymize_ips}
        onChange={({ currentTarget }) => change.mutate({ anonymize_ips: currentTarget.checked })}
      />
      <Switch
        label="Keep no people"
        description="Events are counted, but nothing is kept of who did them beside their id."
        checked={project.person_processing_opt_out === true}
        onChange={({ currentTarget }) => change.mutate({ person_processing_opt_out: currentTarget.checked })}
      />
      <NumberInput
        label="Drop what is older than"
        description="Empty: events are taken however old they are."
        suffix=" days"
        min={0}
        w={240}
        value={draft}
        onChange={setDraft}
        onBlur={keepDays}
      />
    </Section>
  );
}

function Names({ project }: PartProps) {
  const change = useChangeProject(project.id);
  return (
    <Section title="Names of people" about="The first of these properties that somebody has is what they are called.">
      <TagsInput
        label="Properties, in order"
        description="Empty: e-mail, then name, then user name."
        value={project.person_display_name_properties ?? []}
        onChange={(names) => change.mutate({ person_display_name_properties: names.length > 0 ? names : null })}
      />
    </Section>
  );
}

function Deletion({ project }: PartProps) {
  const remove = useDeleteProject(project.id);
  return (
    <Section
      title="Delete the project"
      about="With its events, people, dashboards, flags and exports. There is no way back."
    >
      <DeleteForGood
        name={project.name}
        label="Delete the project"
        isBusy={remove.isPending}
        onDelete={() => remove.mutate()}
      />
    </Section>
  );
}
