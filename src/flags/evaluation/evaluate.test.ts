import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CohortDefinition } from './cohort.ts';
import type { FlagDefinition } from './definition.ts';
import { evaluateFlags, withDependencies } from './evaluate.ts';
import { prepareProject } from './prepare.ts';
import { type Properties, PropertyLayers } from './properties.ts';
import type { Subject } from './subject.ts';

const everybody = { properties: [], rollout_percentage: 100 };
const nobody = { properties: [], rollout_percentage: 0 };
const person = (key: string, value: unknown, operator = 'exact') => ({ key, value, operator, type: 'person' });
const only = (...properties: unknown[]) => ({ properties, rollout_percentage: 100 });
const inCohort = (value: unknown, operator?: string) => ({ key: 'id', type: 'cohort', value, operator });
const onFlag = (id: number, value: unknown) => ({
  key: String(id),
  type: 'flag',
  operator: 'flag_evaluates_to',
  value,
});
const halves = { variants: ['a', 'b'].map((key) => ({ key, rollout_percentage: 50 })) };

let lastId = 0;
function flag(filters: unknown, more: Partial<FlagDefinition> = {}): FlagDefinition {
  lastId += 1;
  return { id: lastId, key: `flag-${lastId}`, active: true, deleted: false, filters, ...more };
}

const somebody = (properties: Properties = {}, more: Partial<Subject> = {}): Subject => ({
  distinct_id: 'somebody',
  person: new PropertyLayers([properties]),
  groups: new Map(),
  cohorts: new Set(),
  hashKeys: new Map(),
  nowMs: 0,
  ...more,
});

function evaluate(flags: FlagDefinition[], subject: Subject, cohorts: CohortDefinition[] = []) {
  const project = prepareProject({ flags, cohorts, timezone: 'UTC' });
  const { answers, failed } = evaluateFlags(project.flags, subject);
  const values = Object.fromEntries(answers.map((a) => [a.flag.definition.id, a.enabled && (a.variant ?? true)]));
  const reasons = Object.fromEntries(answers.map((a) => [a.flag.definition.id, [a.reason, a.condition_index]]));
  return { values, reasons, failed: failed.map(({ definition }) => definition.id) };
}

/** What one flag is, and why. */
function evaluateOne(
  filters: unknown,
  subject: Subject,
  more: Partial<FlagDefinition> = {},
  cohorts?: CohortDefinition[],
) {
  const one = flag(filters, more);
  const { values, reasons } = evaluate([one], subject, cohorts);
  return [values[one.id], ...(reasons[one.id] ?? [])];
}

// Conditions

test('a flag from before conditions is one condition', () => {
  assert.deepEqual(evaluateOne({}, somebody(), { rollout_percentage: 0 }), [false, 'out_of_rollout_bound', 0]);
  assert.deepEqual(evaluateOne({ properties: [person('a', 'b')] }, somebody({ a: 'b' })), [true, 'condition_match', 0]);
});

test('a rollout that is no number releases nothing', () => {
  assert.equal(evaluateOne({ groups: [{ rollout_percentage: 'half' }] }, somebody())[0], false);
});

test('early exit: whom a condition leaves out by chance gets no other chance', () => {
  const groups = [nobody, everybody];
  assert.equal(evaluateOne({ groups }, somebody())[0], true);
  assert.deepEqual(evaluateOne({ groups, early_exit: true }, somebody()), [false, 'out_of_rollout_bound', 0]);
});

test('a gap between the variants is plain on', () => {
  const multivariate = { variants: [{ key: 'a', rollout_percentage: 0 }] };
  assert.equal(evaluateOne({ groups: [everybody], multivariate }, somebody())[0], true);
});

test('an enrolment decides by the value of the property alone', () => {
  const filters = { groups: [everybody], feature_enrollment: true };
  const enrolled = (value: unknown) =>
    evaluateOne(filters, somebody({ '$feature_enrollment/beta': value }), { key: 'beta' });
  assert.deepEqual(enrolled(false), [false, 'super_condition_value', 0]);
  assert.deepEqual(enrolled('true'), [true, 'super_condition_value', 0]);
  assert.deepEqual(evaluateOne(filters, somebody(), { key: 'beta' }), [true, 'condition_match', 0]);
});

test('a holdout takes its share of everybody before any condition', () => {
  const filters = { groups: [nobody], multivariate: halves, holdout: { id: 7, exclusion_percentage: 100 } };
  assert.deepEqual(evaluateOne(filters, somebody()), ['holdout-7', 'holdout_condition_value', null]);
});

test('a property named like a part of every object is not set unless somebody set it', () => {
  assert.equal(evaluateOne({ groups: [only(person('constructor', '', 'is_set'))] }, somebody())[0], false);
});

// Identifiers

test('by device: the same device has the same value for everybody, and no device none', () => {
  const filters = { groups: [{ rollout_percentage: 50 }], multivariate: halves };
  const by = (distinct_id: string, device_id?: string) =>
    evaluateOne(filters, somebody({}, { distinct_id, device_id }), { key: 'k', bucketing_identifier: 'device_id' });
  assert.deepEqual(by('ann', 'phone-3'), by('bob', 'phone-3'));
  assert.deepEqual(by('ann'), [false, 'out_of_rollout_bound', 0]);
});

test('experience continuity: the id hashed before wins over the anonymous one, and that over the new one', () => {
  const filters = { groups: [{ rollout_percentage: 50 }] };
  const known = { key: 'beta-feature', ensure_experience_continuity: true };
  const by = (more: Partial<Subject>) =>
    evaluateOne(filters, somebody({}, { distinct_id: 'another_id', ...more }), known)[0];
  assert.equal(by({}), false);
  assert.equal(by({ anon_distinct_id: 'other_id' }), true);
  assert.equal(by({ anon_distinct_id: 'other_id', hashKeys: new Map([['beta-feature', 'another_id']]) }), false);
});

test('conditions on groups and on the person may stand side by side', () => {
  const filters = {
    groups: [
      { ...nobody, aggregation_group_type_index: 0 },
      { ...only(person('plan', 'pro')), aggregation_group_type_index: null },
    ],
    aggregation_group_type_index: 0,
  };
  assert.deepEqual(evaluateOne(filters, somebody({ plan: 'pro' })), [true, 'condition_match', 1]);
  const groups = new Map([[0, { key: 'acme', properties: new PropertyLayers([]) }]]);
  assert.deepEqual(evaluateOne(filters, somebody({}, { groups })), [false, 'out_of_rollout_bound', 0]);
});

// Cohorts

const cohort = (id: number, ...values: unknown[]) => ({
  id,
  is_static: false,
  filters: { properties: { type: 'OR', values: [{ type: 'AND', values }] } },
});

test('a nested cohort is decided by what is inside it, turned round where it is negated', () => {
  const cohorts = [cohort(1, person('plan', 'pro')), cohort(2, { ...inCohort(1), negation: true })];
  const pro = somebody({ plan: 'pro' });
  assert.equal(evaluateOne({ groups: [only(inCohort(2))] }, pro, {}, cohorts)[0], false);
  assert.equal(evaluateOne({ groups: [only(inCohort('2', 'not_in'))] }, pro, {}, cohorts)[0], true);
  assert.equal(evaluateOne({ groups: [only(inCohort(2))] }, somebody(), {}, cohorts)[0], true);
});

test('nobody is in, or provably outside of, a cohort that is not there or that contains itself', () => {
  const cohorts = [cohort(1, inCohort(2)), cohort(2, inCohort(1)), cohort(3, { ...inCohort(1), negation: true })];
  for (const id of [1, 2, 99, 'x', null]) {
    for (const operator of ['in', 'not_in']) {
      assert.equal(evaluateOne({ groups: [only(inCohort(id, operator))] }, somebody(), {}, cohorts)[0], false);
    }
  }
  assert.equal(evaluateOne({ groups: [only(inCohort(3))] }, somebody(), {}, cohorts)[0], false);
});

test('a cohort by behaviour is decided by its calculated membership', () => {
  const cohorts = [cohort(5, { type: 'behavioral', value: 'performed_event', key: 'paid' })];
  const paid = somebody({}, { cohorts: new Set([5]) });
  assert.equal(evaluateOne({ groups: [only(inCohort(5))] }, paid, {}, cohorts)[0], true);
  assert.equal(evaluateOne({ groups: [only(inCohort(5))] }, somebody(), {}, cohorts)[0], false);
});

test('cohorts inside cohorts without end are no stack overflow', () => {
  const cohorts = Array.from({ length: 20_000 }, (_, id) => cohort(id, inCohort(id + 1)));
  assert.equal(evaluateOne({ groups: [only(inCohort(0))] }, somebody(), {}, cohorts)[0], false);
});

// Dependencies

test('a flag waits for those it depends on, however long the chain and whatever the order', () => {
  const chain = Array.from({ length: 5_000 }, (_, at) =>
    flag({ groups: [only(onFlag(100_001 + at, true))] }, { id: 100_000 + at, key: `c-${at}` }),
  );
  const end = flag({ groups: [everybody] }, { id: 105_000, key: 'end' });
  assert.equal(evaluate([...chain, end], somebody()).values[100_000], true);
});

test('flags that wait for each other, or for one that is not there, are off', () => {
  const [a, b, c, d] = [1, 2, 3, 4].map((id) => ({ id: id + 200_000, key: `loop-${id}` }));
  const flags = [
    flag({ groups: [only(onFlag(b!.id, false)), everybody] }, a),
    flag({ groups: [only(onFlag(a!.id, false)), everybody] }, b),
    flag({ groups: [only(onFlag(999_999, false)), everybody] }, c),
    flag({ groups: [only(onFlag(d!.id, true))] }, d),
  ];
  const { values, reasons } = evaluate(flags, somebody());
  for (const { id } of flags) {
    assert.equal(values[id], false);
    assert.deepEqual(reasons[id], ['missing_dependency', null]);
  }
});

test('asking for some flags evaluates what they depend on, and hands back only those', () => {
  const parent = flag({ groups: [everybody] });
  const child = flag({ groups: [only(onFlag(parent.id, true))] });
  const other = flag({ groups: [everybody] });
  const project = prepareProject({ flags: [child, parent, other], cohorts: [], timezone: 'UTC' });
  const wanted = [project.byId.get(child.id)!];
  const flags = withDependencies(project, wanted);
  const { answers } = evaluateFlags(flags, somebody(), (one) => wanted.includes(one));
  assert.equal(flags.length, 2);
  assert.deepEqual(
    answers.map((answer) => [answer.flag.definition.id, answer.enabled]),
    [[child.id, true]],
  );
});

// Outages

test('without the stored facts, what needs none is answered, and the rest is left out rather than guessed', () => {
  const plain = flag({ groups: [{ rollout_percentage: 100 }] });
  const given = flag({ groups: [only(person('plan', 'pro'))] });
  const stored = flag({ groups: [only(person('age', 18, 'gte')), everybody] });
  const settledBefore = flag({ groups: [only(person('plan', 'free'), person('age', 18, 'gte')), everybody] });
  const member = flag({ groups: [only(inCohort(1))] });
  const kept = flag({ groups: [everybody] }, { ensure_experience_continuity: true });
  const waiting = flag({ groups: [only(onFlag(stored.id, true)), everybody] });
  const blind = somebody(
    {},
    { person: new PropertyLayers([{ plan: 'pro' }], false), cohorts: undefined, hashKeys: undefined },
  );
  const { values, failed } = evaluate([plain, given, stored, settledBefore, member, kept, waiting], blind, [
    { id: 1, is_static: true },
  ]);
  assert.deepEqual(values, { [plain.id]: true, [given.id]: true, [settledBefore.id]: true });
  assert.deepEqual(failed, [stored.id, member.id, kept.id, waiting.id]);
});
