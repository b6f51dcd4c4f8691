import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import type { Connection } from './connect.ts';
import { toPostgresError } from './errors.ts';
import type { Target } from './table.ts';

const FETCHED_AT_ONCE = 10_000;

/** Which of the expected uuids the table holds, each as often as it does: one pass over the table, however many. */
export async function* findRows(
  expected: AsyncIterable<string>,
  open: () => Promise<Connection>,
  target: Target,
): AsyncGenerator<string> {
  try {
    await using connection = await open();
    const { client } = connection;
    await client.query('BEGIN');
    await client.query('CREATE TEMPORARY TABLE tenrec_expected (uuid text)');
    await copyUuids(client, expected);
    await client.query('ANALYZE tenrec_expected');
    await client.query(
      `DECLARE found NO SCROLL CURSOR FOR
       SELECT target.uuid::text FROM ${target.quoted} AS target JOIN tenrec_expected AS e ON target.uuid::text = e.uuid`,
    );
    for (;;) {
      const { rows } = await client.query<{ uuid: string }>(`FETCH ${FETCHED_AT_ONCE} FROM found`);
      for (const { uuid } of rows) yield uuid;
      if (rows.length < FETCHED_AT_ONCE) return;
    }
  } catch (error) {
    throw toPostgresError(error);
  }
}

async function copyUuids(client: Client, expected: AsyncIterable<string>): Promise<void> {
  const { from } = await import('pg-copy-streams');
  const lines = async function* () {
    for await (const uuid of expected) yield `${uuid}\n`;
  };
  await pipeline(lines, client.query(from('COPY tenrec_expected FROM STDIN')));
}
