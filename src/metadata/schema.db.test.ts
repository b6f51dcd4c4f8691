import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTestDatabase } from '../../test/db.ts';
import { printSchema } from './print-schema.ts';

test('schema.sql is what the migrations result in', async () => {
  await using database = await openTestDatabase();
  const committed = await readFile(join(import.meta.dirname, 'schema.sql'), 'utf8');
  const printed = await printSchema(database.pool);
  assert.equal(printed, committed, 'update it with: npm run schema');
});
