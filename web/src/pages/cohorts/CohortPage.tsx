// One cohort: what it is made of, and who is in it.
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { resultsOf } from '../../api/next-page.ts';
import { type Cohort, cohortQuery, membersQuery, useChangeCohort, useDeleteCohort } from '../../api/use-cohorts.ts';
import { useProjectId } from '../../api/use-project.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { showDone } from '../../ui/messages.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { PersonTable } from '../persons/PersonTable.tsx';
import { CohortCount, cohortName } from './CohortsPage.tsx';
import { ConditionEditor } from './ConditionEditor.tsx';
import { type ConditionGroup, fromTree, isReady, toTree } from './conditions.ts';
import { countIds } from './csv-ids.ts';
import { CsvInput } from './NewCohortPage.tsx';

export function CohortPage() {
  const projectId = useProjectId();
  const { cohortId } = useParams({ strict: false }) as { cohortId?: string };
  const cohort = useQuery(cohortQuery(projectId, Number(cohortId)));
  return <Panel query={cohort}>{(found) => <CohortView key={found.id} cohort={found} />}</Panel>;
}

function CohortView({ cohort }: { cohort: Cohort }) {
  const projectId = String(useProjectId());
  const navigate = useNavigate();
  const remove = useDeleteCohort(cohort.id);
  const name = cohortName(cohort);
  return (
    <>
      <PageHeader title={name} about={cohort.description}>
        <Button
          variant="default"
          leftSection={<IconTrash size={16} />}
          onClick={() =>
            remove(name, () => void navigate({ to: '/project/$projectId/cohorts', params: { projectId } }))
          }
        >
          Delete
        </Button>
      </PageHeader>
      <Stack gap="xl">
        {cohort.is_static ? <AddPeople cohort={cohort} /> : <Conditions cohort={cohort} />}
        <Members cohort={cohort} />
      </Stack>
    </>
  );
}

function Conditions({ cohort }: { cohort: Cohort }) {
  const change = useChangeCohort(cohort.id, { quiet: true });
  const stored = cohort.filters ? fromTree(cohort.filters.properties) : [[]];
  const [groups, setGroups] = useState<ConditionGroup[] | undefined>(stored);
  if (groups === undefined) {
    return (
      <section>
        <Text size="sm" c="dimmed" mb="xs">
          This cohort was made over the API, in words that the editor does not have.
        </Text>
        <CopyText label="Filters" text={JSON.stringify(cohort.filters, null, 2)} />
      </section>
    );
  }
  const isChanged = JSON.stringify(groups) !== JSON.stringify(stored);
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        What they have in common
      </Title>
      <ConditionEditor groups={groups} onChange={setGroups} />
      <Refusal error={change.error} mt="sm" />
      <Group mt="sm">
        <Button
          disabled={!isChanged || !isReady(groups)}
          loading={change.isPending}
          onClick={() =>
            change.mutate(
              { filters: { properties: toTree(groups) } },
              { onSuccess: () => showDone('Saved; the people are being counted.') },
            )
          }
        >
          Save
        </Button>
        {isChanged && (
          <Button variant="default" onClick={() => setGroups(stored)}>
            Undo changes
          </Button>
        )}
      </Group>
    </section>
  );
}

function AddPeople({ cohort }: { cohort: Cohort }) {
  const change = useChangeCohort(cohort.id);
  const [csv, setCsv] = useState('');
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        Add people
      </Title>
      <Stack maw={640}>
        <CsvInput csv={csv} onChange={setCsv} />
        <Button
          w="fit-content"
          disabled={countIds(csv) === 0}
          loading={change.isPending}
          onClick={() =>
            change.mutate(
              { csv },
              {
                onSuccess: () => {
                  setCsv('');
                  showDone('Those who are known were added.');
                },
              },
            )
          }
        >
          Add
        </Button>
      </Stack>
    </section>
  );
}

function Members({ cohort }: { cohort: Cohort }) {
  const projectId = useProjectId();
  const members = useInfiniteQuery(membersQuery(projectId, cohort.id, cohort.last_calculation));
  return (
    <section>
      <Group gap="xs" mb="xs">
        <Title order={2} size="h4">
          People
        </Title>
        <Badge variant="default" tt="none" size="lg">
          <CohortCount cohort={cohort} />
        </Badge>
      </Group>
      <Panel
        query={members}
        isEmpty={(data) => resultsOf(data).length === 0}
        empty={<Text c="dimmed">{cohort.is_calculating ? 'Being counted…' : 'Nobody is in it now.'}</Text>}
      >
        {(data) => <PersonTable persons={resultsOf(data)} />}
      </Panel>
      <MoreButton query={members} />
    </section>
  );
}
