// Paths against the reference: random projects, random questions, the same edges.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Random } from '../../../../test/random.ts';
import { compareWithReference } from '../../../../test/reference/query/compare.ts';
import type { Dataset } from '../../../../test/reference/query/dataset.ts';
import { countEdges, type PathsQuestion } from '../../../../test/reference/query/paths.ts';
import { paths } from './paths.ts';

const DAY_MICROS = 86_400e6;
const PLACES = ['https://a.example', 'https://a.example/x?', 'Home', 'signup', '$pageview', 'purchase'] as const;

function makeQuestion(random: Random, { now }: Dataset): PathsQuestion {
  return {
    types: random.pick([[], [], ['$pageview'], ['$screen'], ['$pageview', 'custom_event'], ['custom_event']] as const),
    fromMicros: now * 1_000 - random.pick([3, 20, 100]) * DAY_MICROS,
    toMicros: now * 1_000,
    ...(random.chance(0.3) && { startPoint: random.pick(PLACES) }),
    ...(random.chance(0.3) && { endPoint: random.pick(PLACES) }),
    stepsMax: 2 + random.int(6),
    edgesMax: random.pick([3, 50]),
    ...(random.chance(0.2) && { weightMin: 2 }),
    ...(random.chance(0.2) && { weightMax: 2 }),
    groupings: random.chance(0.2) ? ['a.ex*e/x', 'Ho*', '?*'] : [],
    excluded: random.chance(0.2) ? [random.pick(PLACES)] : [],
    replacements: random.chance(0.2) ? [{ regex: '[?#].*$', alias: '' }] : [],
    ...(random.chance(0.2) && { groupTypeIndex: 0 }),
  };
}

const toIso = (micros: number) => new Date(micros / 1_000).toISOString();

const toQuery = (question: PathsQuestion) => ({
  kind: 'PathsQuery',
  dateRange: { date_from: toIso(question.fromMicros), date_to: toIso(question.toMicros), explicitDate: true },
  aggregation_group_type_index: question.groupTypeIndex,
  pathsFilter: {
    includeEventTypes: question.types,
    startPoint: question.startPoint,
    endPoint: question.endPoint,
    stepLimit: question.stepsMax,
    edgeLimit: question.edgesMax,
    minEdgeWeight: question.weightMin,
    maxEdgeWeight: question.weightMax,
    pathGroupings: question.groupings,
    excludeEvents: question.excluded,
    localPathCleaningFilters: question.replacements,
  },
});

test('the edges are those of the reference, whatever the project and the question', async () => {
  await compareWithReference({
    size: { events: 200, persons: 4 },
    make: makeQuestion,
    async look({ question, dataset, context, told }) {
      const expected = countEdges(dataset, question);
      const { results } = await paths.run(context, paths.read(toQuery(question)));
      assert.deepEqual(results, expected, told);
      return expected.length > 1;
    },
  });
});
