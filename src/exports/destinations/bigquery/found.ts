import type { BigQuery } from '@google-cloud/bigquery';
import { idColumns, type Place } from '../destination.ts';
import { findInTurns } from '../find-in-turns.ts';
import { toBigQueryError } from './errors.ts';
import { type BigQueryTable, nameOf, quote } from './table.ts';

/** Which of the expected ids the table holds. Each statement reads the column of ids, and no other. */
export async function* findRows(
  { model, teamId }: Pick<Place, 'model' | 'teamId'>,
  expected: AsyncIterable<string>,
  client: BigQuery,
  config: BigQueryTable,
): AsyncGenerator<string> {
  const id = quote(idColumns[model]);
  // A uuid is one of its kind; what else tells rows apart does so within a project.
  const inProject = model === 'events' ? '' : `${quote('team_id')} = ${Number(teamId)} AND `;
  const query = `SELECT ${id} AS id FROM ${nameOf(config, config.table_id)} WHERE ${inProject}${id} IN UNNEST(@ids)`;
  try {
    yield* findInTurns(expected, async (ids) => {
      const [job] = await client.createQueryJob({ query, params: { ids }, types: { ids: ['STRING'] } });
      const [rows] = await job.getQueryResults();
      return rows.map((row: { id: string }) => row.id);
    });
  } catch (error) {
    throw toBigQueryError(error);
  }
}
