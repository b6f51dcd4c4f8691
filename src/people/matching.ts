// Persons whose properties fit filters, asked of the event store's mirror of them: there every operator is known.
import { ask, type Statement } from '../filters/ask.ts';
import { BoundValues } from '../filters/bound-values.ts';
import type { Filter, Target } from '../filters/parse.ts';
import { filterSql, jsonOperand, type Operand } from '../filters/sql.ts';
import { invalid } from '../http/errors.ts';
import type { EventStore } from '../store/open.ts';

export interface PersonQuestion {
  team_id: number;
  filter: Filter;
  search?: string | undefined;
  email?: string | undefined;
  uuid?: string | undefined;
}

/** Uuids, newest person first. */
export async function listMatching(
  store: EventStore,
  question: PersonQuestion,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  const { text, params } = matchingSql(question);
  const rows = await ask<{ id: string }>(store, {
    text: `SELECT id FROM (${text}) ORDER BY created DESC, id DESC LIMIT {limit:UInt64} OFFSET {offset:UInt64}`,
    params: { ...params, limit, offset },
  });
  return rows.map(({ id }) => id);
}

export async function countMatching(store: EventStore, question: PersonQuestion): Promise<number> {
  const { text, params } = matchingSql(question);
  const [row] = await ask<{ count: number }>(store, { text: `SELECT count() AS count FROM (${text})`, params });
  return row?.count ?? 0;
}

function matchingSql({ team_id, filter, search, email, uuid }: PersonQuestion): Statement {
  const bound = new BoundValues();
  const team = bound.bind('Int64', team_id);
  const conditions = ['NOT deleted', filterSql(filter, personOperand, bound)];
  if (uuid !== undefined) conditions.push(`id = ${bound.bind('UUID', uuid)}`);
  if (email !== undefined) conditions.push(`${propertyText('email', bound)} = ${bound.text(email)}`);
  if (search !== undefined) conditions.push(searchSql(search, team, bound));
  const text = `
    SELECT id, created
      FROM (
        SELECT id,
               argMax(created_at, version) AS created,
               argMax(properties, version) AS latest,
               argMax(is_deleted, version) AS deleted
          FROM person
         WHERE team_id = ${team}
         GROUP BY id)
     WHERE ${conditions.join(' AND ')}`;
  return { text, params: bound.params };
}

function searchSql(search: string, team: string, bound: BoundValues): string {
  const part = bound.text(search);
  const inProperty = (name: string) => `positionCaseInsensitiveUTF8(${propertyText(name, bound)}, ${part}) > 0`;
  return `(${inProperty('email')} OR ${inProperty('name')} OR id IN (
    SELECT argMax(person_id, version)
      FROM person_distinct_id
     WHERE team_id = ${team} AND positionCaseInsensitiveUTF8(distinct_id, ${part}) > 0
     GROUP BY distinct_id
    HAVING NOT argMax(is_deleted, version)))`;
}

function personOperand({ type, key }: Target, bound: BoundValues): Operand {
  if (type !== 'person') throw invalid('Persons can be filtered by properties of type "person" only.', 'properties');
  return jsonOperand(propertyJson(key, bound));
}

const propertyJson = (name: string, bound: BoundValues): string => `JSONExtractRaw(latest, ${bound.text(name)})`;
const propertyText = (name: string, bound: BoundValues): string => jsonOperand(propertyJson(name, bound)).text;

const VALUES_MAX = 50;

/** The commonest values of a property, as JSON texts, among those that contain `part`. */
export async function listPersonValues(
  store: EventStore,
  team_id: number,
  key: string,
  part: string,
): Promise<{ value: string; count: number }[]> {
  return ask(store, {
    text: `
      SELECT JSONExtractRaw(latest, {key:String}) AS value, count() AS count
        FROM (
          SELECT argMax(properties, version) AS latest
            FROM person
           WHERE team_id = {team_id:Int64}
           GROUP BY id
          HAVING NOT argMax(is_deleted, version))
       WHERE value NOT IN ('', 'null', '""') AND positionCaseInsensitiveUTF8(value, {part:String}) > 0
       GROUP BY value
       ORDER BY count DESC, value
       LIMIT ${VALUES_MAX}`,
    params: { team_id, key, part },
  });
}
