// Redshift's ways, on the PostgreSQL that it descends from: as far as the two agree.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { assertReadBack, MERGED_PERSONS, shipPersonsTwice } from '../../../../test/exports/cases.ts';
import { openWarehouse, type Warehouse } from '../../../../test/exports/postgres-server.ts';
import { type S3Server, startS3Server } from '../../../../test/exports/s3-server.ts';
import { eventInHour, openSource, type ShipmentGiven, type Source } from '../../../../test/exports/source.ts';
import { openGuard } from '../../network/guard.ts';
import { readConfig, withDefaults } from '../config.ts';
import { copyStatement } from './copy.ts';
import { redshiftDestination } from './destination.ts';

const guard = openGuard({ privateNetworksAllowed: true });
const destination = redshiftDestination(guard);

let source: Source;
let postgres: Warehouse;
let s3: S3Server;

const rows = Array.from({ length: 700 }, (_, n) =>
  eventInHour(n, {
    distinct_id: n === 1 ? `${'é'.repeat(150)}end` : `it's "${n}" \\ \n`,
    properties: JSON.stringify({ n, $ip: '10.1.2.3', text: n === 2 ? 'x'.repeat(70_000) : "it's \\ here" }),
  }),
);

before(async () => {
  [source, postgres, s3] = await Promise.all([openSource(), openWarehouse(), startS3Server()]);
  await source.insert(rows);
});
after(async () => {
  await source[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
  await s3[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await postgres.query('DROP SCHEMA public CASCADE');
  await postgres.query(`CREATE SCHEMA public;
    CREATE DOMAIN super AS jsonb;
    CREATE FUNCTION json_parse(text) RETURNS jsonb LANGUAGE sql AS 'SELECT $1::jsonb'`);
});

function shipmentTo(config: Record<string, unknown>, given: Partial<ShipmentGiven> = {}) {
  const { has_self_signed_cert: _, ...access } = postgres.access;
  return source.shipment({ teamId: 1, ...given, config: withDefaults(destination, { ...access, ...config }) });
}

const ship = async (config: Record<string, unknown>, given: Partial<ShipmentGiven> = {}, to = destination) =>
  to.ship(await shipmentTo(config, given));

for (const properties_data_type of ['varchar', 'super']) {
  test(`events are inserted once, their properties as ${properties_data_type}`, async () => {
    await ship({ properties_data_type });
    const shipped = await ship({ properties_data_type });
    const found = await postgres.query<Record<string, unknown>>('SELECT * FROM events ORDER BY uuid');

    assert.equal(shipped.records, rows.length);
    assert.equal(found.length, rows.length);
    for (const [n, row] of found.entries()) {
      const { properties, uuid, distinct_id } = rows[n]!;
      const parsed = typeof row.properties === 'string' ? JSON.parse(row.properties) : row.properties;
      assert.equal(row.uuid, uuid);
      assert.equal((row.timestamp as Date).getTime(), Math.floor(rows[n]!.timestamp / 1_000));
      assert.equal(row.ip, '10.1.2.3');
      if (n === 1) assert.equal(row.distinct_id, `${'é'.repeat(98)}\ufffd`);
      else assert.equal(row.distinct_id, distinct_id);
      if (n === 2) assert.match(parsed.$export_error, /bytes do not fit/);
      else assert.deepEqual(parsed, JSON.parse(String(properties)));
    }
  });
}

test('persons are merged: newer versions win, older ones change nothing', async () => {
  await shipPersonsTwice((given) => ship({ table_name: 'People' }, given));

  const found = await postgres.query<{ distinct_id: string; properties: string }>(
    'SELECT * FROM people ORDER BY distinct_id',
  );
  assert.deepEqual(
    found.map(({ distinct_id, properties }) => `${distinct_id} ${JSON.parse(properties).name}`),
    MERGED_PERSONS,
  );
});

test('what is missing and what is there twice shows when the rows are read back', async () => {
  await ship({});
  const ids = rows.map(({ uuid }) => uuid);
  const [missing, twice] = [ids[5]!, ids[6]!];
  await postgres.query(`DELETE FROM events WHERE uuid = '${missing}'`);
  await postgres.query(`INSERT INTO events SELECT * FROM events WHERE uuid = '${twice}'`);
  await assertReadBack(destination, await shipmentTo({}), { ids, missing, twice });
});

test('the files of a COPY that fails are removed, and no row stays', async () => {
  const keys = { aws_access_key_id: 'S3RVER', aws_secret_access_key: 'S3RVER' };
  const copy_inputs = {
    s3_bucket: 'lake',
    region_name: 'us-east-1',
    s3_key_prefix: '/stage',
    authorization: 'default',
    bucket_credentials: keys,
  };
  const written: string[] = [];
  s3.intercept = (method, url) => {
    if (method === 'PUT') written.push(new URL(url, 'http://x').pathname.replace(/tenrec-[^/]+/, '*'));
    return undefined;
  };
  // PostgreSQL does not know this form of COPY; everything up to it is as with Redshift.
  await assert.rejects(ship({ mode: 'COPY', copy_inputs }, {}, redshiftDestination(guard, s3.url)), /syntax error/);

  assert.deepEqual(written, ['/lake/stage/*/rows.parquet.zst', '/lake/stage/*/manifest.json']);
  assert.deepEqual(await s3.keys(), []);
  assert.equal((await postgres.query('SELECT FROM events')).length, 0);
});

test('COPY names the files, the columns and how to read them', () => {
  const columns = [
    { name: 'uuid', type: 'VARCHAR(200)', sql: 'uuid' },
    { name: 'properties', type: 'SUPER', sql: 'properties' },
  ];
  const authorization = { aws_access_key_id: 'A', aws_secret_access_key: "S'" };
  assert.equal(
    copyStatement('"public"."events"', columns, 's3://b/m.json', { authorization, region_name: 'eu-west-1' }),
    `COPY "public"."events" ("uuid", "properties") FROM 's3://b/m.json' ACCESS_KEY_ID 'A' SECRET_ACCESS_KEY 'S''' REGION 'eu-west-1' MANIFEST FORMAT AS PARQUET SERIALIZETOJSON`,
  );
});

const needed = { user: 'u', password: 'p', host: 'h', database: 'd', mode: 'COPY' };
const complete = {
  s3_bucket: 'b',
  region_name: 'r',
  authorization: 'role',
  bucket_credentials: { aws_access_key_id: 'a', aws_secret_access_key: 's' },
};
const mistakes: [title: string, copy_inputs: unknown, text: string][] = [
  ['nothing', null, "Missing required inputs for 'COPY'"],
  ['no bucket', { ...complete, s3_bucket: undefined }, "Missing required input for 'COPY'"],
  [
    'half of the keys',
    { ...complete, bucket_credentials: { aws_access_key_id: 'a' } },
    "Missing required bucket credentials for 'COPY'",
  ],
  ['a blank role', { ...complete, authorization: ' ' }, "Missing required IAM role for 'COPY'"],
  [
    'half of the authorization',
    { ...complete, authorization: { aws_access_key_id: 'a' } },
    "Missing required credentials for 'COPY'",
  ],
];
for (const [title, copy_inputs, text] of mistakes) {
  test(`COPY is refused with ${title}`, () => {
    assert.throws(() => readConfig(destination, { ...needed, copy_inputs }), { message: text });
  });
}
