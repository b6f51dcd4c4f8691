import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDecision, keepDecision } from './decisions.ts';
import type { ProjectFlags } from './definitions.ts';
import type { PersonFacts } from './stored-facts.ts';

const projectWith = (operator: string, where: 'flags' | 'cohorts' = 'flags') => {
  const filters = { properties: { type: 'AND', values: [{ key: 'k', type: 'person', operator, value: '-7d' }] } };
  return { flags: [], cohorts: [], [where]: [{ filters }] } as unknown as ProjectFlags;
};
const somebody = (): PersonFacts => ({ properties: {}, cohorts: new Set(), hashKeys: new Map() });
const evaluation = { answers: [], failed: [] };

test('what was decided holds for that person and those definitions, however long', () => {
  const [project, person] = [projectWith('exact'), somebody()];
  keepDecision(project, person, evaluation, 0);
  assert.equal(findDecision(project, person, 1_000_000), evaluation);
  assert.equal(findDecision(project, somebody(), 0), undefined);
  assert.equal(findDecision(projectWith('exact'), person, 0), undefined);
});

for (const where of ['flags', 'cohorts'] as const) {
  test(`with a condition on dates in ${where}, it holds for two seconds`, () => {
    const [project, person] = [projectWith('is_date_before', where), somebody()];
    keepDecision(project, person, evaluation, 0);
    assert.equal(findDecision(project, person, 2_000), evaluation);
    assert.equal(findDecision(project, person, 2_001), undefined);
  });
}
