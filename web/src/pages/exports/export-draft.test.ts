import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BatchExport } from '../../api/use-exports.ts';
import { destinations, findDestination } from './destinations.ts';
import { findFault, toDraft, toEdited } from './export-draft.ts';

const postgres = findDestination('Postgres')!;

test('a form is sent as the configuration it means, with its defaults', () => {
  const edited = toEdited(postgres);
  const values = { ...edited.values, host: ' db ', database: 'dw', user: 'u', password: 'p', port: '6000' };

  const { destination, interval } = toDraft(postgres, { ...edited, name: 'x', values });

  assert.equal(interval, 'hour');
  assert.deepEqual(destination.config, {
    host: 'db',
    port: 6000,
    database: 'dw',
    schema: 'public',
    table_name: 'events',
    user: 'u',
    password: 'p',
    has_self_signed_cert: false,
  });
});

test('secrets of an export that exists are left as they are, unless others are given', () => {
  const stored = {
    name: 'x',
    interval: 'week',
    timezone: 'UTC',
    destination: { type: 'Postgres', config: { host: 'db', database: 'dw' } },
  } as unknown as BatchExport;
  const draft = toDraft(postgres, toEdited(postgres, stored), true);

  assert.equal('password' in draft.destination.config, false);
  assert.equal(draft.offset_day, 0);
  const password = postgres.fields.find(({ name }) => name === 'password')!;
  assert.equal(findFault(password, '', true), undefined);
  assert.match(findFault(password, '', false) ?? '', /needed/);
});

test('the JSON file of a service account becomes the settings it holds', () => {
  const bigQuery = findDestination('BigQuery')!;
  const key = { private_key: 'k', private_key_id: 'i', token_uri: 't', client_email: 'e', other: 'o' };
  const edited = toEdited(bigQuery);
  const values = { ...edited.values, google_key: JSON.stringify(key), project_id: 'p', dataset_id: 'd' };

  const { config } = toDraft(bigQuery, { ...edited, values }).destination;

  assert.deepEqual(
    [config.private_key, config.client_email, config.other, config.google_key],
    ['k', 'e', undefined, undefined],
  );
});

test('every field of every destination says what it is', () => {
  for (const { fields } of destinations) for (const { label, about } of fields) assert.ok(label !== '' && about !== '');
});
