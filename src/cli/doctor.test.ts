import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ok, problem, warning } from './checks/check.ts';
import { report } from './doctor.ts';

test('a problem fails the doctor, a warning does not', () => {
  assert.equal(report([{ name: 'a', ...ok('fine') }]).exit, 0);
  assert.equal(report([{ name: 'a', ...warning('so-so', 'tidy up') }]).exit, 0);
  assert.equal(
    report([
      { name: 'a', ...ok('fine') },
      { name: 'b', ...problem('broken', 'mend it') },
    ]).exit,
    1,
  );
});

test('the last line sums up', () => {
  const last = (...results: Parameters<typeof report>[0]) => report(results).text.split('\n').at(-1);

  assert.equal(last({ name: 'a', ...ok('fine') }), 'All is well.');
  assert.equal(last({ name: 'a', ...warning('so-so', 'tidy up') }), 'No problem, 1 warning.');
});

test('every finding is shown with how to mend it, for people and for machines', () => {
  const { text, data } = report([
    { name: 'disk', ...ok('2 GB free') },
    { name: 'data folder', ...problem('it is a file', 'name a folder') },
  ]);

  assert.equal(
    text,
    [
      'ok       disk         2 GB free',
      'problem  data folder  it is a file',
      '                      → name a folder',
      '',
      '1 problem to mend.',
    ].join('\n'),
  );
  assert.deepEqual(data, {
    ok: false,
    checks: [
      { name: 'disk', state: 'ok', found: '2 GB free', mend: null },
      { name: 'data folder', state: 'problem', found: 'it is a file', mend: 'name a folder' },
    ],
  });
});
