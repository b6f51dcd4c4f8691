// The list of surveys.
import { Badge, Group, Table, Text } from '@mantine/core';
import { IconMessageQuestion, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useProjectId } from '../../api/use-project.ts';
import { responseCountsQuery, type Survey, surveysQuery } from '../../api/use-surveys.ts';
import { Age } from '../../ui/Age.tsx';
import { formatNumber } from '../../ui/format.ts';
import { LinkButton, LinkText } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { usePageSearch } from '../../ui/use-page-search.ts';
import { stateColors, stateOf } from './survey-state.ts';

export function SurveysPage() {
  const projectId = useProjectId();
  const [{ search = '' }, setSearch] = usePageSearch<{ search?: string | undefined }>();
  const surveys = useQuery(surveysQuery(projectId));
  const newSurvey = (
    <LinkButton
      to="/project/$projectId/surveys/new"
      params={{ projectId: String(projectId) }}
      leftSection={<IconPlus size={16} />}
    >
      New survey
    </LinkButton>
  );
  return (
    <>
      <PageHeader title="Surveys" about="Ask people in your app, while they are using it.">
        {newSurvey}
      </PageHeader>
      <Panel
        query={surveys}
        isEmpty={({ count }) => count === 0}
        empty={
          <Empty icon={<IconMessageQuestion size={28} />} title="No survey yet" action={newSurvey}>
            The JavaScript SDK shows it by itself, to the people that you choose; with a survey of type API, your own
            code does. Answers appear here as they come.
          </Empty>
        }
      >
        {({ results }) => (
          <>
            <Group mb="md">
              <SearchInput label="Search surveys" value={search} onSearch={(text) => setSearch({ search: text })} />
            </Group>
            <SurveyTable surveys={results.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))} />
          </>
        )}
      </Panel>
    </>
  );
}

function SurveyTable({ surveys }: { surveys: readonly Survey[] }) {
  const id = useProjectId();
  const projectId = String(id);
  const counts = useQuery(responseCountsQuery(id));
  if (surveys.length === 0) return <Text c="dimmed">No survey matches.</Text>;
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th ta="right">Answers</Table.Th>
          <Table.Th visibleFrom="sm">Made</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {surveys.map((survey) => (
          <Table.Tr key={survey.id}>
            <Table.Td className="breakable" dir="auto">
              <LinkText
                fw={600}
                size="sm"
                to="/project/$projectId/surveys/$surveyId"
                params={{ projectId, surveyId: survey.id }}
              >
                {survey.name}
              </LinkText>
              <Text size="sm" c="dimmed" lineClamp={1}>
                {survey.description || survey.questions?.[0]?.question}
              </Text>
            </Table.Td>
            <Table.Td>
              <SurveyBadge survey={survey} />
            </Table.Td>
            <Table.Td ta="right">{counts.data ? formatNumber(counts.data[survey.id] ?? 0) : '…'}</Table.Td>
            <Table.Td visibleFrom="sm">
              <Text size="sm" component="div">
                <Age at={survey.created_at} />
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

export function SurveyBadge({ survey }: { survey: Survey }) {
  const state = stateOf(survey);
  return (
    <Badge variant="dot" color={stateColors[state]} tt="none">
      {state}
    </Badge>
  );
}
