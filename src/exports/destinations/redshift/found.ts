import { idColumns, type Place } from '../destination.ts';
import { findInTurns } from '../find-in-turns.ts';
import type { Connection } from '../postgres/connect.ts';
import { toPostgresError } from '../postgres/errors.ts';
import { quote, type Target } from '../postgres/table.ts';

/** Which of the expected ids the table holds. Redshift takes no rows from a client by COPY, so statements name the ids. */
export async function* findRows(
  { model, teamId }: Pick<Place, 'model' | 'teamId'>,
  expected: AsyncIterable<string>,
  open: () => Promise<Connection>,
  target: Target,
): AsyncGenerator<string> {
  const id = quote(idColumns[model]);
  // A uuid is one of its kind; what else tells rows apart does so within a project.
  const inProject = model === 'events' ? '' : `team_id = ${Number(teamId)} AND `;
  try {
    await using connection = await open();
    yield* findInTurns(expected, async (ids) => {
      const marks = ids.map((_, n) => `$${n + 1}`).join(', ');
      const { rows } = await connection.client.query<{ id: string }>(
        `SELECT ${id} AS id FROM ${target.quoted} WHERE ${inProject}${id} IN (${marks})`,
        // A NUL was left out when the row was brought.
        ids.map((each) => each.replaceAll('\0', '')),
      );
      return rows.map((row) => row.id);
    });
  } catch (error) {
    throw toPostgresError(error);
  }
}
