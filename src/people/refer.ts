// Persons are named by uuid or by number, as clients have either.
import type { Kysely } from 'kysely';
import { parseUuid } from '../http/fields.ts';
import type { Database } from '../metadata/tables.ts';
import { findPersonById, findPersonByUuid, type PersonWithIds } from './read.ts';

/** Whether the text can name a person at all. */
export const isPersonReference = (text: string): boolean => parseUuid(text) !== undefined || /^\d+$/.test(text);

/** The number in the text; undefined when it is too long to be one of a person. */
const parseNumber = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);

/** The uuid that the text is, or that the person with this number has. No person needs to have the uuid. */
export async function findPersonUuid(
  db: Kysely<Database>,
  team_id: number,
  named: string,
): Promise<string | undefined> {
  const uuid = parseUuid(named);
  if (uuid) return uuid;
  const id = parseNumber(named);
  return id === undefined ? undefined : (await findPersonById(db, team_id, id))?.uuid;
}

export async function findNamedPerson(
  db: Kysely<Database>,
  team_id: number,
  named: string,
): Promise<PersonWithIds | undefined> {
  const uuid = parseUuid(named);
  if (uuid) return findPersonByUuid(db, team_id, uuid);
  const id = parseNumber(named);
  return id === undefined ? undefined : findPersonById(db, team_id, id);
}
