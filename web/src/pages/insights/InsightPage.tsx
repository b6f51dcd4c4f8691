// The builder: a question on the left, its answer on the right, asked anew while one changes it.
import {
  Alert,
  Button,
  Center,
  Grid,
  Group,
  Loader,
  Paper,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  Title,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { type Insight, insightQuery, useChangeInsight } from '../../api/use-insights.ts';
import { useProjectId } from '../../api/use-project.ts';
import { answerQuery, type ChartPoint } from '../../api/use-query.ts';
import { projectQuery } from '../../api/use-settings.ts';
import { InsightResult } from '../../charts/InsightResult.tsx';
import { SeriesTable } from '../../charts/SeriesTable.tsx';
import { kindLabels, kinds, newQuery } from '../../query/defaults.ts';
import { insightName } from '../../query/insight-name.ts';
import { type InsightKind, type InsightQuery, sourceOf, wrap } from '../../query/nodes.ts';
import { describe, toReady } from '../../query/ready.ts';
import type { QueryAnswer, TrendItem } from '../../query/results.ts';
import { EditableTitle } from '../../ui/EditableTitle.tsx';
import { formatAge } from '../../ui/format.ts';
import { messageOf } from '../../ui/messages.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { InsightActions } from './InsightActions.tsx';
import classes from './InsightPage.module.css';
import { QueryEditor } from './QueryEditor.tsx';
import { useDraft } from './use-draft.ts';
import { ViewBar } from './ViewBar.tsx';

const SqlEditor = lazy(() => import('./SqlEditor.tsx'));
const ActorsModal = lazy(() => import('./ActorsModal.tsx'));

/** A question is asked once one has stopped changing it for this long. */
const SETTLE_MS = 400;

export function NewInsightPage() {
  const project = useQuery(projectQuery(useProjectId()));
  return (
    <Panel query={project}>
      {({ test_account_filters_default_checked }) => (
        <Builder saved={undefined} isWithoutTests={test_account_filters_default_checked === true} />
      )}
    </Panel>
  );
}

export function SavedInsightPage() {
  const projectId = useProjectId();
  const { insightId } = useParams({ strict: false });
  const insight = useQuery(insightQuery(projectId, Number(insightId)));
  return <Panel query={insight}>{(found) => <Builder key={found.id} saved={found} />}</Panel>;
}

interface BuilderProps {
  saved: Insight | undefined;
  /** Whether a new question leaves test accounts out. */
  isWithoutTests?: boolean;
}

function Builder({ saved, isWithoutTests = false }: BuilderProps) {
  const fresh: InsightQuery = { kind: 'TrendsQuery', filterTestAccounts: isWithoutTests };
  const draft = useDraft(saved?.query ? sourceOf(saved.query) : newQuery('TrendsQuery', fresh));
  const change = useChangeInsight();
  const { query } = draft;
  const name = saved ? insightName(saved) : describe(query) || 'New insight';
  const ready = useMemo(() => toReady(query), [query]);
  const [settled] = useDebouncedValue(ready, SETTLE_MS);
  const canEdit = saved === undefined || saved.effective_privilege_level >= 37;
  const projectId = useProjectId();
  const answer = useQuery(answerQuery(projectId, wrap(settled)));
  const [toPicture, setToPicture] = useState<() => string>();

  return (
    <>
      <PageHeader
        title={saved ? name : 'New insight'}
        heading={
          saved && (
            <EditableTitle
              label="Name of the insight"
              text={name}
              canEdit={canEdit}
              onSave={(text) => change.mutate({ id: saved.id, name: text })}
            />
          )
        }
        about={saved?.description ?? kindLabels[query.kind]?.about}
      >
        <InsightActions saved={saved} draft={draft} answer={answer.data} toPicture={toPicture} canEdit={canEdit} />
      </PageHeader>
      <div className={classes.kinds}>
        <SegmentedControl
          aria-label="Kind of insight"
          value={query.kind}
          onChange={(kind) => draft.set(newQuery(kind as InsightKind, query.kind === 'HogQLQuery' ? fresh : query))}
          data={kinds.map((value) => ({ value, label: kindLabels[value].label }))}
        />
      </div>
      {query.kind === 'HogQLQuery' ? (
        <Stack>
          <Suspense fallback={<Loader />}>
            <SqlEditor sql={query.query ?? ''} onRun={(sql) => draft.set({ ...query, query: sql })} />
          </Suspense>
          <Paper withBorder p="md" className={classes.rows}>
            <Answer name={name} query={settled} answer={answer} onReady={undefined} />
          </Paper>
        </Stack>
      ) : (
        <Grid>
          <Grid.Col span={{ base: 12, md: 5, lg: 4 }}>
            <Paper withBorder p="md">
              <Title order={2} size="h5" mb="xs">
                Question
              </Title>
              <QueryEditor query={query} onChange={draft.set} />
            </Paper>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 7, lg: 8 }}>
            <Paper withBorder p="md">
              <ViewBar query={query} onChange={draft.set} />
              <Answer name={name} query={settled} answer={answer} onReady={(make) => setToPicture(() => make)} />
            </Paper>
          </Grid.Col>
        </Grid>
      )}
    </>
  );
}

interface AnswerProps {
  name: string;
  query: InsightQuery;
  answer: { data: QueryAnswer | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown };
  onReady: ((toPicture: () => string) => void) | undefined;
}

const HAS_SERIES = new Set(['TrendsQuery', 'StickinessQuery', 'LifecycleQuery']);

function Answer({ name, query, answer, onReady }: AnswerProps) {
  const [point, setPoint] = useState<ChartPoint>();
  const [withTable, setWithTable] = useState(true);
  const hasTable = HAS_SERIES.has(query.kind) && query.trendsFilter?.display !== 'ActionsTable';
  if (answer.error) {
    return (
      <Alert color="red" mt="md" role="alert" title="This question could not be answered">
        <Stack gap="xs" align="flex-start">
          <Text size="sm" className="breakable">
            {messageOf(answer.error)}
          </Text>
          <Button size="xs" variant="default" onClick={() => answer.refetch()}>
            Ask again
          </Button>
        </Stack>
      </Alert>
    );
  }
  const { data } = answer;
  // The answer to the question before stays until the new one is there, unless it could not even be drawn.
  const isOfKind = data !== undefined && fits(query, data);
  return (
    <>
      <Group justify="space-between" my="xs" mih={24}>
        <Text size="xs" c="dimmed">
          {data?.last_refresh ? `Computed ${formatAge(data.last_refresh)}` : ''}
        </Text>
        <Group gap="sm">
          {answer.isFetching && <Loader size={16} role="status" aria-label="Computing" />}
          {hasTable && (
            <Switch
              size="xs"
              label="Table"
              checked={withTable}
              onChange={({ currentTarget }) => setWithTable(currentTarget.checked)}
            />
          )}
        </Group>
      </Group>
      {isOfKind ? (
        <>
          <div className={classes.chart} data-busy={answer.isFetching || undefined}>
            <InsightResult name={name} query={query} answer={data} onPoint={setPoint} onReady={onReady} />
          </div>
          {hasTable && withTable && (
            <div className={classes.table}>
              <SeriesTable items={data.results as TrendItem[]} withPoints onPoint={setPoint} />
            </div>
          )}
        </>
      ) : (
        <Center h={240} role="status" aria-busy="true" aria-label="Computing">
          <Loader />
        </Center>
      )}
      {point && (
        <Suspense>
          <ActorsModal
            source={query as unknown as { kind: string }}
            point={point}
            onClose={() => setPoint(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Whether an answer has the shape that this kind of question draws. */
function fits({ kind, funnelsFilter }: InsightQuery, { results }: QueryAnswer): boolean {
  if (kind === 'FunnelsQuery' && funnelsFilter?.funnelVizType === 'time_to_convert') return !Array.isArray(results);
  if (!Array.isArray(results)) return false;
  const first: unknown = results[0];
  if (first === undefined) return true;
  const has = (field: string) => typeof first === 'object' && first !== null && field in first;
  switch (kind) {
    case 'TrendsQuery':
    case 'StickinessQuery':
      return has('label') && (has('data') || has('aggregated_value'));
    case 'LifecycleQuery':
      return has('status');
    case 'FunnelsQuery':
      return funnelsFilter?.funnelVizType === 'trends' ? has('data') : Array.isArray(first) || has('order');
    case 'RetentionQuery':
      return has('values');
    case 'PathsQuery':
      return has('source');
    case 'HogQLQuery':
      return Array.isArray(first);
  }
}
