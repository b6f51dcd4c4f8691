import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { idColumns, type Place } from '../destination.ts';
import type { Connection } from './connect.ts';
import { toPostgresError } from './errors.ts';
import { quote, type Target } from './table.ts';

const FETCHED_AT_ONCE = 10_000;

/** Which of the expected ids the table holds, each as often as it does: one pass over the table, however many. */
export async function* findRows(
  { model, teamId }: Pick<Place, 'model' | 'teamId'>,
  expected: AsyncIterable<string>,
  open: () => Promise<Connection>,
  target: Target,
): AsyncGenerator<string> {
  const id = `target.${quote(idColumns[model])}::text`;
  // A uuid is one of its kind; what else tells rows apart does so within a project.
  const inProject = model === 'events' ? '' : `WHERE target.team_id = ${Number(teamId)}`;
  try {
    await using connection = await open();
    const { client } = connection;
    await client.query('BEGIN');
    await client.query('CREATE TEMPORARY TABLE tenrec_expected (id text)');
    await copyIds(client, expected);
    await client.query('ANALYZE tenrec_expected');
    await client.query(
      `DECLARE found NO SCROLL CURSOR FOR
       SELECT ${id} AS id FROM ${target.quoted} AS target JOIN tenrec_expected AS e ON ${id} = e.id ${inProject}`,
    );
    for (;;) {
      const { rows } = await client.query<{ id: string }>(`FETCH ${FETCHED_AT_ONCE} FROM found`);
      for (const { id } of rows) yield id;
      if (rows.length < FETCHED_AT_ONCE) return;
    }
  } catch (error) {
    throw toPostgresError(error);
  }
}

async function copyIds(client: Client, expected: AsyncIterable<string>): Promise<void> {
  const { from } = await import('pg-copy-streams');
  const lines = async function* () {
    for await (const id of expected) yield `${toCopyText(id)}\n`;
  };
  await pipeline(lines, client.query(from('COPY tenrec_expected FROM STDIN')));
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '' };

/** A value in the text format of COPY; a NUL is left out, as it was when the row was brought. */
const toCopyText = (text: string): string => text.replaceAll(/[\\\t\n\r\0]/g, (character) => ESCAPES[character]!);
