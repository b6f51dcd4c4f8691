// Persons are named by uuid or by number, as clients have either.
import type { Kysely } from 'kysely';
import { parseUuid } from '../http/fields.ts';
import type { Database } from '../metadata/tables.ts';
import { findPersonById, findPersonByUuid, type PersonWithIds } from './read.ts';

const ID_MAX = Number.MAX_SAFE_INTEGER;

/** The number in the text, if it can be one of a person. */
export function parsePersonId(text: string): number | undefined {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  return id > 0 && id <= ID_MAX ? id : undefined;
}

/** The uuid that the text is, or that the person with this number has. No person needs to have the uuid. */
export async function findPersonUuid(
  db: Kysely<Database>,
  team_id: number,
  named: string,
): Promise<string | undefined> {
  const uuid = parseUuid(named);
  if (uuid) return uuid;
  const id = parsePersonId(named);
  return id === undefined ? undefined : (await findPersonById(db, team_id, id))?.uuid;
}

export async function findNamedPerson(
  db: Kysely<Database>,
  team_id: number,
  named: string,
): Promise<PersonWithIds | undefined> {
  const uuid = parseUuid(named);
  if (uuid) return findPersonByUuid(db, team_id, uuid);
  const id = parsePersonId(named);
  return id === undefined ? undefined : findPersonById(db, team_id, id);
}
