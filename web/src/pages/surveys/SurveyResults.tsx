// How a survey is received, and what was answered to each question.
import { Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconMessageQuestion } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { resultsOf } from '../../api/next-page.ts';
import { personNameOf } from '../../api/use-events.ts';
import { useProjectId } from '../../api/use-project.ts';
import { answersQuery, type Survey, surveyStatsQuery } from '../../api/use-surveys.ts';
import { Age } from '../../ui/Age.tsx';
import { formatNumber, formatShare } from '../../ui/format.ts';
import { LinkText } from '../../ui/links.tsx';
import { MoreButton } from '../../ui/MoreButton.tsx';
import { Empty, Panel } from '../../ui/Panel.tsx';
import { type Tally, tallyAnswers } from './tally-answers.ts';

export function SurveyResults({ survey }: { survey: Survey }) {
  const projectId = useProjectId();
  const answers = useInfiniteQuery(answersQuery(projectId, survey.id));
  return (
    <Stack gap="lg">
      <Reception survey={survey} />
      <Panel
        query={answers}
        isEmpty={(data) => resultsOf(data).length === 0}
        empty={
          <Empty icon={<IconMessageQuestion size={28} />} title="No answers yet">
            {survey.start_date
              ? 'They appear here as they come.'
              : 'Start the survey, and the people that you chose are asked.'}
          </Empty>
        }
      >
        {(data) =>
          tallyAnswers(survey.questions ?? [], resultsOf(data)).map((tally, index) => (
            <TallyCard key={tally.question.id ?? index} tally={tally} />
          ))
        }
      </Panel>
      <MoreButton query={answers} />
    </Stack>
  );
}

function Reception({ survey }: { survey: Survey }) {
  const stats = useQuery(surveyStatsQuery(useProjectId(), survey.id));
  return (
    <Panel query={stats}>
      {({ stats: counted, rates }) => (
        <SimpleGrid cols={{ base: 2, md: 4 }}>
          <Fact label="Shown" value={formatNumber(counted['survey shown'].total_count)} />
          <Fact label="Answered" value={formatNumber(counted['survey sent'].total_count)} />
          <Fact label="Closed unanswered" value={formatNumber(counted['survey dismissed'].total_count)} />
          <Fact label="Answered, of those shown" value={formatShare(Math.min(1, rates.response_rate / 100))} />
        </SimpleGrid>
      )}
    </Panel>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text size="xl" fw={700}>
        {value}
      </Text>
    </Paper>
  );
}

const TEXTS_MAX = 50;

function TallyCard({ tally: { question, answers, average, counts, texts } }: { tally: Tally }) {
  const projectId = String(useProjectId());
  const most = Math.max(1, ...counts.map(({ count }) => count));
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" className="breakable" dir="auto">
        {question.question}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {formatNumber(answers)} {answers === 1 ? 'answer' : 'answers'}
        {average !== null && `, ${formatNumber(average)} on average`}
      </Text>
      <Stack gap={6}>
        {counts.map(({ label, count }) => (
          <div key={label}>
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" className="breakable" dir="auto">
                {label}
              </Text>
              <Text size="sm" flex="none">
                {formatNumber(count)} ({formatShare(answers === 0 ? 0 : count / answers)})
              </Text>
            </Group>
            <Progress value={(count / most) * 100} aria-label={`${label}: ${count}`} />
          </div>
        ))}
        {texts.slice(0, TEXTS_MAX).map(({ text, event }) => (
          <Paper key={event.id} p="xs" bg="var(--tenrec-code)">
            <Text size="sm" className="breakable" dir="auto" lineClamp={8}>
              {text}
            </Text>
            <Text size="xs" c="dimmed" component="div" className="breakable">
              <LinkText
                size="xs"
                to="/project/$projectId/person"
                params={{ projectId }}
                search={{ distinct_id: event.distinct_id }}
              >
                {personNameOf(event).slice(0, 100)}
              </LinkText>
              , <Age at={event.timestamp} />
            </Text>
          </Paper>
        ))}
        {texts.length > TEXTS_MAX && (
          <Text size="sm" c="dimmed">
            and {formatNumber(texts.length - TEXTS_MAX)} more
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
