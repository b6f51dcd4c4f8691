import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileKey, manifestKey, type Naming, staleKeys } from './keys.ts';

const hour: Naming = {
  interval: { start: new Date('2025-03-04T09:00:00Z'), end: new Date('2025-03-04T10:00:00Z') },
  ...{ model: 'events', prefix: '', file_format: 'JSONLines', compression: null },
};
const HOUR = '2025-03-04T09:00:00+00:00-2025-03-04T10:00:00+00:00';

const cases: [given: Partial<Naming>, key: string][] = [
  [{}, `${HOUR}.jsonl`],
  [{ prefix: '/' }, `${HOUR}.jsonl`],
  [{ prefix: '/my-fancy-prefix' }, `my-fancy-prefix/${HOUR}.jsonl`],
  [{ prefix: 'nested/prefix/' }, `nested/prefix/${HOUR}.jsonl`],
  [{ prefix: '/nested/prefix/', file_format: 'Parquet', compression: 'snappy' }, `nested/prefix/${HOUR}.parquet.sz`],
  [{ file_format: 'Parquet', compression: 'zstd' }, `${HOUR}.parquet.zst`],
  [{ file_format: 'Parquet', compression: 'lz4' }, `${HOUR}.parquet.lz4`],
  [{ compression: 'brotli' }, `${HOUR}.jsonl.br`],
  [{ compression: 'gzip' }, `${HOUR}.jsonl.gz`],
  [{ prefix: '{table}/{year}/{month}/{day}/{hour}:{minute}:{second}' }, `events/2025/03/04/10:00:00/${HOUR}.jsonl`],
  [{ prefix: '{table}', model: 'persons' }, `persons/${HOUR}.jsonl`],
  [{ prefix: 'a-{invalid}-{year:5}-{' }, `a-{invalid}-{year:5}-{/${HOUR}.jsonl`],
  [{ prefix: '{data_interval_start}' }, `2025-03-04T09:00:00+00:00/${HOUR}.jsonl`],
  [{ prefix: '{constructor}' }, `{constructor}/${HOUR}.jsonl`],
  [{ interval: { start: null, end: hour.interval.end } }, 'None-2025-03-04T10:00:00+00:00.jsonl'],
  [
    { interval: { start: new Date('2025-03-04T09:00:00.5Z'), end: new Date('2025-03-04T10:00:00Z') } },
    '2025-03-04T09:00:00.500000+00:00-2025-03-04T10:00:00+00:00.jsonl',
  ],
];
for (const [given, key] of cases) {
  test(`${JSON.stringify(given)} is kept as ${key}`, () => assert.equal(fileKey({ ...hour, ...given }), key));
}

test('files of a split interval are numbered, beside their manifest', () => {
  assert.equal(fileKey({ ...hour, prefix: 'p' }, 0), `p/${HOUR}-0.jsonl`);
  assert.equal(manifestKey({ ...hour, prefix: 'p' }), `p/${HOUR}_manifest.json`);
});

test('only what an earlier run of the same kind left is stale', () => {
  const names = [
    '-0.jsonl',
    '-1.jsonl',
    '-12.jsonl',
    '.jsonl',
    '-0.jsonl.gz',
    '.parquet',
    '_manifest.json',
    '-x.jsonl',
    '-0-1.jsonl',
  ];
  const stale = staleKeys(
    hour,
    names.map((name) => `${HOUR}${name}`),
    [`${HOUR}-0.jsonl`],
  );
  assert.deepEqual(
    stale,
    ['-1.jsonl', '-12.jsonl', '.jsonl'].map((name) => `${HOUR}${name}`),
  );
});
