import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caretRange, compareVersions, isWithin, parseVersion, tildeRange, wildcardRange } from './semver.ts';

test('versions are in the order that semantic versioning gives them', () => {
  const ordered = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    'v1.0.1',
    '1.2',
    '1.10',
  ];
  const versions = ordered.map((text) => parseVersion(text)!);
  assert.deepEqual(versions.toReversed().sort(compareVersions), versions);
});

test('build metadata makes no difference, and what is no version is none', () => {
  assert.equal(compareVersions(parseVersion('1.2.3+7')!, parseVersion(' 01.2.3 ')!), 0);
  for (const text of ['', 'abc', '1.2.3.4', '1..2', '1.x', 'vv1', '-1'])
    assert.equal(parseVersion(text), undefined, text);
});

test('a range never holds a pre-release', () => {
  for (const range of [tildeRange('1.2.0'), caretRange('1.0.0'), wildcardRange('1.*')]) {
    assert.equal(isWithin(parseVersion('1.2.5')!, range!), true);
    assert.equal(isWithin(parseVersion('1.2.5-rc.1')!, range!), false);
  }
});
