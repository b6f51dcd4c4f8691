// The published cases: every SDK and server of the wire agrees on them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { CohortDefinition } from './cohort.ts';
import type { FlagDefinition } from './definition.ts';
import { evaluateFlags } from './evaluate.ts';
import { linePosition } from './hash.ts';
import { makePropertyTest } from './match-property.ts';
import type { FlagAnswer } from './prepare.ts';
import { prepareProject } from './prepare.ts';
import { PropertyLayers } from './properties.ts';
import type { GroupSubject, Subject } from './subject.ts';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8'));

const NOW_MS = Date.UTC(2025, 5, 15, 12);
const shown = (answer: FlagAnswer | undefined) => answer?.enabled && (answer.variant ?? true);

const stranger = (distinct_id: string, known: Partial<Subject> = {}): Subject => ({
  distinct_id,
  person: new PropertyLayers([]),
  groups: new Map(),
  cohorts: new Set(),
  hashKeys: new Map(),
  nowMs: NOW_MS,
  ...known,
});

test('positions on the line are those of the published hash', () => {
  for (const { prefix, identifier, salt, hash } of read('hash-values').rows) {
    assert.equal(linePosition(prefix, identifier, salt), hash, identifier);
  }
});

for (const name of ['rollout-consistency', 'multivariate-consistency']) {
  test(`${name}: 1,000 people get what every SDK gives them`, () => {
    const { flag, expected } = read(name);
    const { flags } = prepareProject({ flags: [flag], cohorts: [], timezone: 'UTC' });
    const values = expected.map((_: unknown, i: number) =>
      shown(evaluateFlags(flags, stranger(`distinct_id_${i}`)).answers[0]),
    );
    assert.deepEqual(values, expected);
  });
}

for (const { id, operator, value, properties, expected, now, project_timezone = 'UTC' } of read('operators').cases) {
  test(`${id}: ${operator} ${JSON.stringify(value)} of ${JSON.stringify(properties.key)}: ${expected}`, () => {
    const passes = makePropertyTest(operator ?? undefined, value, project_timezone);
    assert.equal(passes(new PropertyLayers([properties]).get('key'), now ? Date.parse(now) : NOW_MS), expected);
  });
}

// A small world in memory: who has which properties, who is in which cohort.

interface Scenario {
  id: string;
  title: string;
  flags: FlagDefinition[];
  cohorts?: (CohortDefinition & { members?: string[] })[];
  persons?: { distinct_ids: string[]; properties: Record<string, unknown> }[];
  groups?: { group_type_index: number; group_key: string; properties: Record<string, unknown> }[];
  group_type_mapping?: Record<string, string>;
  requests: { body: Body; expected: { details: Record<string, Detail> } }[];
}

interface Body {
  distinct_id: string;
  person_properties?: Record<string, unknown>;
  groups?: Record<string, unknown>;
  group_properties?: Record<string, Record<string, unknown>>;
  disable_flags?: boolean;
  flag_keys_to_evaluate?: string[];
  $anon_distinct_id?: string;
}

interface Detail {
  enabled: boolean;
  variant: string | null;
  reason: { code: string; condition_index: number | null };
  payload: unknown;
}

function subjectOf(scenario: Scenario, body: Body): Subject {
  const { distinct_id, person_properties, groups = {}, group_properties = {} } = body;
  const person = scenario.persons?.find(({ distinct_ids }) => distinct_ids.includes(distinct_id));
  const cohorts = scenario.cohorts?.filter(({ members = [] }) => members.some((m) => person?.distinct_ids.includes(m)));
  const named = Object.entries(scenario.group_type_mapping ?? {}).flatMap(([index, type]): [number, GroupSubject][] => {
    if (groups[type] === undefined) return [];
    const key = String(groups[type]);
    const stored = scenario.groups?.find((g) => g.group_type_index === Number(index) && g.group_key === key);
    return [
      [
        Number(index),
        { key, properties: new PropertyLayers([{ $group_key: key }, group_properties[type], stored?.properties]) },
      ],
    ];
  });
  return stranger(distinct_id, {
    person: new PropertyLayers([person_properties, { distinct_id }, person?.properties]),
    cohorts: new Set(cohorts?.map(({ id }) => id)),
    groups: new Map(named),
    anon_distinct_id: body.$anon_distinct_id,
  });
}

/** A version-dependent corner of which the vectors say that only the value counts. */
const REASON_IS_FREE = new Set(['sc-08']);

for (const scenario of read('flag-scenarios').scenarios as Scenario[]) {
  const { flags } = prepareProject({ ...scenario, cohorts: scenario.cohorts ?? [], timezone: 'UTC' });
  for (const { body, expected } of scenario.requests.filter(({ body }) => !body.disable_flags)) {
    test(`${scenario.id}: ${scenario.title}: ${JSON.stringify(body)}`, () => {
      const { answers } = evaluateFlags(
        flags,
        subjectOf(scenario, body),
        (flag) => body.flag_keys_to_evaluate?.includes(flag.definition.key) ?? true,
      );
      const details = answers.map(({ flag, enabled, variant, reason, condition_index, payload }) => [
        flag.definition.key,
        { enabled, variant, payload, ...(!REASON_IS_FREE.has(scenario.id) && { reason, condition_index }) },
      ]);
      const wanted = Object.entries(expected.details).map(([key, { enabled, variant, payload, reason }]) => [
        key,
        {
          enabled,
          variant,
          payload,
          ...(!REASON_IS_FREE.has(scenario.id) && { reason: reason.code, condition_index: reason.condition_index }),
        },
      ]);
      assert.deepEqual(Object.fromEntries(details), Object.fromEntries(wanted));
    });
  }
}
