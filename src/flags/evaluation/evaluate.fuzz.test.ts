import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLong, seededRandom, seedOfRun } from '../../../test/random.ts';
import { evaluateFlags } from './evaluate.ts';
import { prepareProject } from './prepare.ts';
import { PropertyLayers } from './properties.ts';

const ROUNDS = isLong ? 100_000 : 5_000;

test(`whatever a flag is made of, evaluating it gives an answer (seed ${seedOfRun})`, () => {
  const random = seededRandom(seedOfRun);
  const scalars = [
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e300,
    '',
    'true',
    '5',
    'inf',
    'nan',
    'a',
    '(',
    '(?i)a',
    '-7d',
    '2024-02-30',
    '1.2.3',
    '__proto__',
    '😀',
  ];
  const keys = ['id', 'plan', '1', '2', '3', '__proto__', 'constructor', '$group_key', ''];
  const operators = `exact is_not is_set is_not_set icontains not_icontains regex not_regex gt gte lt lte in not_in
    is_date_before is_date_after is_date_exact between not_between semver_gt semver_tilde semver_caret semver_wildcard
    flag_evaluates_to icontains_multi starts_with toString`.split(/\s+/);
  const anything = (depth: number): unknown => {
    if (depth === 0 || random.chance(0.6)) return random.pick(scalars);
    if (random.chance(0.5)) return Array.from({ length: random.int(4) }, () => anything(depth - 1));
    return Object.fromEntries(Array.from({ length: random.int(4) }, () => [random.pick(keys), anything(depth - 1)]));
  };
  const maybe = (value: unknown) => (random.chance(0.9) ? value : anything(2));
  const many = (make: () => unknown) => maybe(Array.from({ length: random.int(4) }, make));
  const filter = () =>
    maybe({
      key: maybe(random.pick(keys)),
      type: maybe(random.pick(['person', 'group', 'cohort', 'flag', undefined])),
      operator: maybe(random.pick([...operators, undefined])),
      value: maybe(random.pick([1, 2, 3, 'a', ['a'], [1, 2], true])),
      group_type_index: maybe(random.int(3)),
      negation: random.chance(0.3),
    });
  const condition = () =>
    maybe({
      properties: many(filter),
      rollout_percentage: maybe(random.int(101)),
      variant: maybe('a'),
      ...(random.chance(0.2) && { aggregation_group_type_index: maybe(random.int(2)) }),
    });
  const tree = (depth: number): unknown =>
    depth === 0
      ? filter()
      : maybe({ type: random.pick(['AND', 'OR', 'property']), values: many(() => tree(depth - 1)) });
  const filters = () =>
    maybe({
      groups: many(condition),
      multivariate: maybe({ variants: many(() => ({ key: maybe('a'), rollout_percentage: maybe(50) })) }),
      payloads: maybe({ true: anything(1) }),
      aggregation_group_type_index: random.pick([null, null, 0, maybe(1)]),
      super_groups: maybe(random.chance(0.3) ? many(condition) : null),
      holdout_groups: maybe(random.chance(0.3) ? many(condition) : null),
    });

  for (let round = 0; round < ROUNDS; round += 1) {
    const flags = [1, 2, 3].map((id) => ({
      id,
      key: `f${id}`,
      active: true,
      deleted: false,
      filters: filters(),
      ensure_experience_continuity: random.chance(0.3),
    }));
    const cohorts = [1, 2, 3].map((id) => ({
      id,
      is_static: random.chance(0.2),
      filters: maybe({ properties: tree(2) }),
    }));
    const group = { key: 'acme', properties: new PropertyLayers([anything(1) as never]) };
    const project = prepareProject({ flags, cohorts, timezone: random.pick(['UTC', 'America/New_York', 'Nowhere']) });
    const { answers, failed } = evaluateFlags(project.flags, {
      distinct_id: 'somebody',
      person: new PropertyLayers([Object.fromEntries(keys.map((key) => [key, anything(2)]))], random.chance(0.8)),
      groups: random.chance(0.5) ? new Map([[0, group]]) : new Map(),
      cohorts: random.chance(0.8) ? new Set([1]) : undefined,
      hashKeys: random.chance(0.8) ? new Map() : undefined,
      nowMs: Date.UTC(2025, 0, 31),
    });
    assert.equal(answers.length + failed.length, 3, `seed ${seedOfRun}, round ${round}`);
  }
});
