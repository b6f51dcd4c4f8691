// A new cohort: of people who are described, or of people who are named.
import { Button, FileButton, Group, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCreateCohort } from '../../api/use-cohorts.ts';
import { useProjectId } from '../../api/use-project.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { ConditionEditor } from './ConditionEditor.tsx';
import { type ConditionGroup, isReady, newDeed, toTree } from './conditions.ts';
import { countIds } from './csv-ids.ts';

export function NewCohortPage() {
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const create = useCreateCohort();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [kind, setKind] = useState<'dynamic' | 'static'>('dynamic');
  const [groups, setGroups] = useState<ConditionGroup[]>([[newDeed()]]);
  const [csv, setCsv] = useState('');
  const isComplete = name.trim() !== '' && (kind === 'static' ? countIds(csv) > 0 : isReady(groups));
  const submit = () =>
    create.mutate(
      {
        name,
        description,
        ...(kind === 'static' ? { is_static: true, csv } : { filters: { properties: toTree(groups) } }),
      },
      {
        onSuccess: ({ id }) =>
          navigate({ to: '/project/$projectId/cohorts/$cohortId', params: { projectId, cohortId: String(id) } }),
      },
    );
  return (
    <>
      <PageHeader title="New cohort" about="People who have something in common, to filter and target by." />
      <Stack maw={860}>
        <TextInput
          label="Name"
          required
          maxLength={400}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label="Description"
          maxLength={1000}
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        <SegmentedControl
          aria-label="Kind of cohort"
          w="fit-content"
          value={kind}
          onChange={(value) => setKind(value as typeof kind)}
          data={[
            { value: 'dynamic', label: 'Described' },
            { value: 'static', label: 'Named one by one' },
          ]}
        />
        {kind === 'dynamic' ? (
          <ConditionEditor groups={groups} onChange={setGroups} />
        ) : (
          <CsvInput csv={csv} onChange={setCsv} />
        )}
        <Refusal error={create.error} />
        <Group>
          <Button disabled={!isComplete} loading={create.isPending} onClick={submit}>
            Make the cohort
          </Button>
        </Group>
      </Stack>
    </>
  );
}

export function CsvInput({ csv, onChange }: { csv: string; onChange: (csv: string) => void }) {
  return (
    <Stack gap="xs">
      <Textarea
        label="Distinct ids"
        description="One a line. Of a CSV, the first column is taken. Those who are not known yet are left out."
        autosize
        minRows={4}
        maxRows={14}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={csv}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Group gap="sm">
        <FileButton
          accept=".csv,.txt,text/csv,text/plain"
          onChange={async (file) => file && onChange(await file.text())}
        >
          {(props) => (
            <Button {...props} size="xs" variant="default" leftSection={<IconUpload size={14} />}>
              Take a file
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          {countIds(csv)} ids
        </Text>
      </Group>
    </Stack>
  );
}
