// BigQuery through Google's client, against a server that answers its calls.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { OAuth2Client } from 'google-auth-library';
import { type BigQueryServer, DATASET, startBigQueryServer } from '../../../../test/exports/bigquery-server.ts';
import {
  assertReadBack,
  assertTold,
  hostileEvents,
  MERGED_PERSONS,
  shipPersonsTwice,
  type Told,
} from '../../../../test/exports/cases.ts';
import { openSource, type ShipmentGiven, type Source } from '../../../../test/exports/source.ts';
import { withDefaults } from '../config.ts';
import type { Column, Destination } from '../destination.ts';
import { bigQueryDestination } from './destination.ts';

let source: Source;
let server: BigQueryServer;
let destination: Destination;

const rows = hostileEvents();
const credentials = { private_key: 'k', private_key_id: 'i', token_uri: 't', client_email: 'e' };

before(async () => {
  [source, server] = await Promise.all([openSource(), startBigQueryServer()]);
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: 'a token' });
  destination = bigQueryDestination({ apiEndpoint: server.url, authClient });
  await source.insert(rows);
});
after(async () => {
  await source[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.refuse = undefined;
});

const configOf = (given: Record<string, unknown>) =>
  withDefaults(destination, { project_id: 'project', dataset_id: DATASET, ...credentials, ...given });

const shipmentTo = (config: Record<string, unknown>, given: Partial<ShipmentGiven> = {}) =>
  source.shipment({ teamId: 1, ...given, config: configOf(config) });

const ship = async (config: Record<string, unknown>, given: Partial<ShipmentGiven> = {}) =>
  destination.ship(await shipmentTo(config, given));

for (const use_json_type of [false, true]) {
  test(`every value arrives as it was sent, once, with properties as ${use_json_type ? 'JSON' : 'text'}`, async () => {
    const table_id = `events_${use_json_type}`;
    await ship({ table_id, use_json_type });
    const shipped = await ship({ table_id, use_json_type });
    const found = await server.query<Record<string, unknown>>(`SELECT * FROM ${DATASET}.${table_id} ORDER BY uuid`);

    assert.equal(shipped.records, rows.length);
    assert.equal(found.length, rows.length);
    for (const [n, row] of found.entries()) {
      const sent = rows[n]!;
      const properties = use_json_type ? row.properties : JSON.parse(String(row.properties));
      assert.deepEqual(properties, JSON.parse(String(sent.properties)));
      assert.equal(row.event, sent.event);
      assert.equal(row.distinct_id, sent.distinct_id);
      assert.equal(JSON.parse(String(row.elements)), sent.elements_chain);
      assert.equal(Date.parse(String(row.timestamp)), Math.floor(sent.timestamp / 1_000));
      assert.ok(Date.parse(String(row.bq_ingested_timestamp)) > 0);
    }
    assert.deepEqual(
      (await server.tables()).filter((name) => name.includes('stage')),
      [],
    );
  });
}

test('what is missing and what is there twice shows when the rows are read back', async () => {
  await ship({ table_id: 'back' });
  const ids = rows.map(({ uuid }) => uuid);
  const [missing, twice] = [ids[1]!, ids[2]!];
  await server.query(`DELETE FROM ${DATASET}.back WHERE uuid = '${missing}'`);
  await server.query(`INSERT INTO ${DATASET}.back SELECT * FROM ${DATASET}.back WHERE uuid = '${twice}'`);
  await assertReadBack(destination, await shipmentTo({ table_id: 'back' }), { ids, missing, twice });
});

test('persons are merged: newer versions win, older ones change nothing', async () => {
  await shipPersonsTwice((given) => ship({ table_id: 'people' }, given));

  const found = await server.query<{ distinct_id: string; properties: string }>(
    `SELECT * FROM ${DATASET}.people ORDER BY distinct_id`,
  );
  assert.deepEqual(
    found.map(({ distinct_id, properties }) => `${distinct_id} ${JSON.parse(properties).name}`),
    MERGED_PERSONS,
  );
});

test('rows without a uuid are inserted once for each interval', async () => {
  const columns: Column[] = [{ name: 'event', type: 'string' }];
  await ship({ table_id: 'custom' }, { columns });
  await ship({ table_id: 'custom' }, { columns });
  const found = await server.query(`SELECT * FROM ${DATASET}.custom`);
  assert.equal(found.length, rows.length);
});

const refusals: (Told & { title: string; config?: Record<string, unknown>; refuse?: BigQueryServer['refuse'] })[] = [
  {
    title: 'a dataset that does not exist',
    config: { dataset_id: 'nowhere' },
    kind: 'NotFound',
    final: true,
    text: /dataset_id/,
  },
  {
    title: 'a right that is missing',
    refuse: () => ({ code: 403, reason: 'accessDenied' }),
    kind: 'AccessDenied',
    final: true,
    text: /Data Editor/,
  },
  {
    title: 'a quota that is used up',
    refuse: () => ({ code: 403, reason: 'quotaExceeded' }),
    kind: 'ServerError',
    final: false,
    text: /quota/,
  },
  {
    title: 'credentials that are not accepted',
    refuse: () => ({ code: 401, reason: 'authError' }),
    kind: 'Unauthorized',
    final: true,
    text: /credentials/,
  },
  {
    title: 'a load that is refused',
    refuse: (method, path) => (method === 'POST' && path === '/jobs' ? { code: 400, reason: 'invalid' } : undefined),
    kind: 'InvalidRequest',
    final: true,
    text: /could not use the rows/,
  },
];
for (const { title, config = {}, refuse, ...told } of refusals) {
  test(`told in words: ${title}`, async () => {
    server.refuse = refuse;
    await assertTold(ship({ table_id: 'refused', ...config }), told);
    assert.deepEqual(
      (await server.tables()).filter((name) => name.includes('stage')),
      [],
    );
  });
}

test('the tests of a configuration pass, or say what to mend', async () => {
  const signal = new AbortController().signal;
  for (const step of destination.tests) await step.run(configOf({}), signal);
  await assert.rejects(
    destination.tests[1]!.run(configOf({ dataset_id: 'nowhere' }), signal),
    /Dataset 'nowhere' does not exist/,
  );
});
