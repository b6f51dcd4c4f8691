// Persons: one row for each distinct id, with its person as both are now. A row is shipped by the run in whose interval
// the person or the id was last changed; a person who changed brings all of its ids. Whoever changes again is shipped
// again later, and older versions are not kept: what a run ships is newer than its interval or just as old.
import type { BoundValues } from '../../filters/bound-values.ts';
import { rangeSql, type Selection } from './selection.ts';

export function personRowsSql({ team_id, range }: Selection, bound: BoundValues): string {
  const team = bound.bind('Int64', team_id);
  const personChanged = rangeSql('person.changed_at', range, bound);
  const idChanged = rangeSql('id.changed_at', range, bound);
  const touched = rangeSql('inserted_at', range, bound);
  // Every id that may be concerned: a few more than are shipped, and far fewer than there are.
  const ids = `
      SELECT distinct_id,
             argMax(person_id, versions.version) AS person_id,
             argMax(is_deleted, versions.version) AS is_deleted,
             argMax(inserted_at, versions.version) AS changed_at,
             max(versions.version) AS version
        FROM person_distinct_id AS versions
       WHERE team_id = ${team}
         AND distinct_id IN (
           SELECT distinct_id FROM person_distinct_id
            WHERE team_id = ${team}
              AND (${touched} OR person_id IN (SELECT id FROM person WHERE team_id = ${team} AND ${touched})))
       GROUP BY distinct_id`;
  return `
    SELECT
      toInt64(${team}) AS team_id,
      id.distinct_id AS distinct_id,
      toString(id.person_id) AS person_id,
      person.properties AS properties,
      toInt64(id.version) AS person_distinct_id_version,
      toInt64(person.version) AS person_version,
      toDateTime64(person.created_at, 6, 'UTC') AS created_at,
      multiIf(${personChanged}, person.changed_at, ${idChanged}, id.changed_at,
              least(person.changed_at, id.changed_at)) AS _inserted_at,
      toBool(person.is_deleted OR id.is_deleted) AS is_deleted
    FROM (${ids}) AS id
    INNER JOIN (
      SELECT id AS person_id,
             argMax(properties, versions.version) AS properties,
             argMax(created_at, versions.version) AS created_at,
             argMax(is_deleted, versions.version) AS is_deleted,
             argMax(inserted_at, versions.version) AS changed_at,
             max(versions.version) AS version
        FROM person AS versions
       WHERE team_id = ${team} AND id IN (SELECT person_id FROM (${ids}))
       GROUP BY id
    ) AS person ON person.person_id = id.person_id
    WHERE ${personChanged} OR ${idChanged}`;
}
