import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { openDestinations } from './all.ts';
import { readConfig, withDefaults, withoutSecrets } from './config.ts';
import type { Config, DestinationType } from './destination.ts';

const destinations = openDestinations({ privateNetworksAllowed: false, filesFolder: tmpdir() });
const get = (type: DestinationType) => destinations[type]!;

const s3 = { bucket_name: 'lake', region: 'eu', prefix: 'p' };
const postgres = { user: 'u', password: 'p', host: 'db.example.com', database: 'd' };

const refusals: [type: DestinationType, config: Config, text: string][] = [
  ['S3', { ...s3, hello2: 1, hello: 2 }, "Configuration has unknown field/s: 'hello', 'hello2'"],
  ['S3', { bucket_name: 'lake', region: 'eu' }, "Configuration missing required field: 'prefix'"],
  ['S3', { ...s3, prefix: 7 }, "Configuration has invalid type: got 'int', expected 'str'"],
  ['S3', { ...s3, prefix: null }, "Configuration has invalid type: got 'NoneType', expected 'str'"],
  ['S3', { ...s3, prefix: ['a'] }, "Configuration has invalid type: got 'list', expected 'str'"],
  ['S3', { ...s3, region: '' }, "The following inputs are empty: ['region']"],
  ['S3', { ...s3, max_file_size_mb: 'large' }, "Configuration has invalid type: got 'str', expected 'int'"],
  [
    'S3',
    { ...s3, file_format: 'unknown' },
    "File format unknown is not supported. Supported file formats are ['Parquet', 'JSONLines']",
  ],
  [
    'S3',
    { ...s3, compression: 'zstd' },
    "Compression zstd is not supported for file format JSONLines. Supported compressions are ['gzip', 'brotli']",
  ],
  [
    'S3',
    { ...s3, file_format: 'Parquet', compression: 'bzip2' },
    "Compression bzip2 is not supported for file format Parquet. Supported compressions are ['zstd', 'lz4', 'snappy', 'gzip', 'brotli']",
  ],
  ['Postgres', { ...postgres, table_name: 'a"b' }, "'table_name' contains forbidden characters"],
  ['Postgres', { ...postgres, schema: 'a\nb' }, "'schema' contains forbidden characters"],
  ['Postgres', { ...postgres, host: '/var/run/postgresql' }, "'host' must be the name or the address of a server"],
  ['Postgres', { ...postgres, port: 5.5 }, "Configuration has invalid type: got 'float', expected 'int'"],
  [
    'Postgres',
    { ...postgres, has_self_signed_cert: 'perhaps' },
    "Configuration has invalid type: got 'str', expected 'bool'",
  ],
];
for (const [type, config, text] of refusals) {
  test(`${type} is refused: ${text}`, () => assert.throws(() => readConfig(get(type), config), { message: text }));
}

test('texts become the numbers and booleans they mean', () => {
  const read = readConfig(get('Postgres'), { ...postgres, port: '5433', has_self_signed_cert: 'True' });
  assert.deepEqual(read, { ...postgres, port: 5433, has_self_signed_cert: true });
});

test('what every export understands is kept, what older clients send along is not', () => {
  const read = readConfig(get('S3'), { ...s3, exclude_events: ['a'], include_events: null, team_id: 3 });
  assert.deepEqual(read, { ...s3, exclude_events: ['a'], include_events: null });
});

test('secrets that nobody saw are kept when something else is changed', () => {
  const stored = { ...postgres, schema: 'old' };
  assert.deepEqual(readConfig(get('Postgres'), { schema: 'new' }, stored), { ...postgres, schema: 'new' });
});

test('no secret is shown, however deep', () => {
  assert.deepEqual(withoutSecrets(get('Postgres'), postgres), { host: 'db.example.com', database: 'd' });
  const keys = { aws_access_key_id: 'a', aws_secret_access_key: 's' };
  const copy_inputs = { s3_bucket: 'b', authorization: keys, bucket_credentials: keys };
  assert.deepEqual(withoutSecrets(get('Redshift'), { host: 'h', copy_inputs }), {
    host: 'h',
    copy_inputs: { s3_bucket: 'b', authorization: {}, bucket_credentials: {} },
  });
});

test('a destination finds every field it knows', () => {
  assert.deepEqual(withDefaults(get('NoOp'), { hello: 1 }), { arg: '' });
  assert.equal(withDefaults(get('Postgres'), postgres).table_name, 'events');
});
