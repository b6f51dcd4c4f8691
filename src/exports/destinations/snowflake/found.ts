import { idColumns, type Place } from '../destination.ts';
import { findInTurns } from '../find-in-turns.ts';
import type { OpenSession } from './client.ts';
import { toSnowflakeError } from './errors.ts';
import { nameOf, quote, type SnowflakeTable } from './table.ts';

/** Which of the expected ids the table holds. */
export async function* findRows(
  { model, teamId }: Pick<Place, 'model' | 'teamId'>,
  expected: AsyncIterable<string>,
  open: () => Promise<OpenSession>,
  config: SnowflakeTable,
): AsyncGenerator<string> {
  const id = quote(idColumns[model]);
  // A uuid is one of its kind; what else tells rows apart does so within a project.
  const inProject = model === 'events' ? '' : `${quote('team_id')} = ${Number(teamId)} AND `;
  const target = nameOf(config, config.table_name);
  try {
    await using session = await open();
    yield* findInTurns(expected, async (ids) => {
      const marks = ids.map(() => '?').join(', ');
      const rows = await session.execute<{ ID: string }>(
        `SELECT ${id} AS ID FROM ${target} WHERE ${inProject}${id} IN (${marks})`,
        ids,
      );
      return rows.map(({ ID }) => ID);
    });
  } catch (error) {
    throw toSnowflakeError(error);
  }
}
